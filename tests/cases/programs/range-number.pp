# So many copies of a resource.

config count int {
  default = 2
}

resource fixed "probe:Thing" {
  label = "fixed-${range.value}"

  options {
    range = 3
  }
}

resource counted "probe:Thing" {
  label = fixed[range.value].out
  size  = range.value + 1

  options {
    range     = count
    dependsOn = [fixed[0]]
  }
}

output first {
  value = fixed[0].out
}

output all {
  value = counted[*].out
}

output howMany {
  value = length(counted)
}
