# Names that the engine sees, where they differ from those in the program.

config region string {
  __logicalName = "cloud-region"
  default       = "north"
}

resource thing "probe:Thing" {
  __logicalName = "the thing"
  label         = region
}

resource many "probe:Thing" {
  __logicalName = "copy"
  label         = range.value

  options {
    range = ["a", "b"]
  }
}

output "some.output" {
  value = thing.out
}
