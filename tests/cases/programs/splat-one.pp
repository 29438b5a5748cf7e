# `[*]` over something that is no list: a list of that one thing, or of nothing.

config server "object({name = string})" {
  default = { name = "a" }
}

config maybe string {
  default = null
}

resource thing "probe:Thing" {
}

output plain {
  value = server[*].name
}

output missing {
  value = maybe[*]
}

output eventual {
  value = thing.obj[*].s
}
