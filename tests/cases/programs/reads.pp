# Resources that exist already.

resource fresh "probe:Thing" {
}

read existing "probe:Thing" {
  id = "thing-1"
}

read related "probe:Thing" {
  id  = fresh.id
  out = "known"

  options {
    parent = fresh
  }
}

output found {
  value = "${existing.out} ${related.id}"
}
