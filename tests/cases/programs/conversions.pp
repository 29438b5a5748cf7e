# Values that fit only after a conversion.

config digits string {
  default = "12"
}

config flag bool {
  default = true
}

config numbers "list(number)" {
  default = [1.5]
}

resource thing "probe:Thing" {
  label = 5
  size  = "7"
  flag  = "true"
  num   = digits
  names = [1, flag, digits]
  tags  = { a = 1, b = flag }
}

resource second "probe:Thing" {
  label = thing.int
  size  = thing.out
  names = numbers
  maybe = flag
}

output digits int {
  value = digits
}
