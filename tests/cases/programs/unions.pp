# Inputs that take values of more than one type.

config side number {
  default = 2
}

resource whole "probe:Thing" {
  either = 3
  shape  = { form = "circle", radius = 1.5 }
}

resource text "probe:Thing" {
  either = "three"
  shape  = { form = "square", side = side }

  shapes = [
    { form = "square", side = 1 },
    { form = "circle", radius = whole.num },
  ]
}
