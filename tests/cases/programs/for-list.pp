# Lists made from collections.

config names "list(string)" {
  default = ["ann", "ben"]
}

config sizes "map(int)" {
  default = { small = 1, large = 10 }
}

resource thing "probe:Thing" {
  names = [for name in names : "user-${name}"]
  list  = [for i, name in names : { s = name, n = i } if name != "root"]
}

output literal {
  value = [for n in [1, 2, 3] : n * 2 if n > 1]
}

output overMap {
  value = [for key, size in sizes : "${key}=${size}"]
}

output overMapValues {
  value = [for size in sizes : size + 1]
}

output nested {
  value = [for name in names : [for key, size in sizes : "${name}-${key}" if size > 1]]
}

output overOutput {
  value = [for item in thing.list : item.s if item.s != "root"]
}

output outputInside {
  value = [for name in names : "${name}: ${thing.out}"]
}

output outputCondition {
  value = [for name in names : name if name != thing.out]
}
