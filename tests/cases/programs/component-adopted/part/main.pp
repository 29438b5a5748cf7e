config label string {}

resource thing "probe:index:Thing" {
  out = label
}

output shown {
  value = thing.out
}
