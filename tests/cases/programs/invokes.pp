# Functions of a package.

config name string {
  default = "x"
}

resource thing "probe:Thing" {
}

plain    = invoke("probe:getThing", { name = name, count = 2 })
eventual = invoke("probe:getThing", { name = thing.out })
all      = invoke("probe:getAll", {})
joined   = invoke("probe:join", "a", "b")
scalar   = invoke("probe:scalar", { x = "y" })

resource user "probe:Thing" {
  label = plain.result
  names = all.names
}

output results {
  value = [plain.result, eventual.result, joined.result, scalar]
}

output members {
  value = [for one in plain.list : "member ${one}"]
}

output withOptions {
  value = invoke("probe:getThing", { name = "z" }, { parent = thing, dependsOn = [user] }).result
}
