# A resource that there is or is not.

config enabled bool {
  default = true
}

resource always "probe:Thing" {
}

resource sometimes "probe:Thing" {
  label = always.out

  options {
    range = enabled
  }
}

output name {
  value = enabled ? sometimes.out : always.out
}

output maybe {
  value = sometimes.out
}
