# Attempts that may fail.

config settings any {
  default = { a = { b = "deep" } }
}

resource thing "probe:Thing" {
}

output plain {
  value = try(settings.a.b, settings.c, "none")
}

output possible {
  value = can(settings.a.x)
}

output eventual {
  value = try(thing.list[3].s, "short")
}

output recovered {
  value = recover(thing.out, "failed: ${error}")
}
