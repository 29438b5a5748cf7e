config owner string {
}

resource thing "probe:Thing" {
  label = owner
}

output greeting {
  value = "helper of ${thing.out}"
}
