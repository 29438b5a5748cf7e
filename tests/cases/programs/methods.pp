# Functions of a resource.

resource thing "probe:Thing" {
}

output text {
  value = call(thing, "describe", { style = "short" }).text
}

output size {
  value = call(thing, "measure", {})
}
