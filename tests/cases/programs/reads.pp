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

# What is read can be the element of a range, and nothing else be said of it.
read several "probe:Thing" {
  id = range.value

  options {
    range = { first = "thing-2", second = "thing-3" }
  }
}

read counted "probe:Thing" {
  id = range.value

  options {
    range = ["thing-4", "thing-5"]
  }
}

output found {
  value = "${existing.out} ${related.id}"
}
