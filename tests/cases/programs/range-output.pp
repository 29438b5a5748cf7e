# Copies whose number is known only at deployment.

resource source "probe:Thing" {
}

resource perName "probe:Thing" {
  label = range.value

  options {
    range = source.names
  }
}

resource perTag "probe:Thing" {
  label = "${range.key}=${range.value}"

  options {
    range = source.tags
  }
}
