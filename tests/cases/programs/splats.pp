# `[*]` and `.*` over plain lists, outputs and resources.

config servers "list(object({name = string, ports = list(int)}))" {
  default = [{ name = "a", ports = [80] }]
}

resource thing "probe:Thing" {
}

resource many "probe:Thing" {
  label = "many ${range.value}"

  options {
    range = 2
  }
}

output plainNames {
  value = servers[*].name
}

output plainPorts {
  value = servers[*].ports[0]
}

output eventual {
  value = thing.list[*].s
}

output attributeSplat {
  value = many.*.out
}

output nested {
  value = many[*].list[*].s
}

resource last "probe:Thing" {
  names = many[*].out
}
