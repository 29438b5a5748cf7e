# Objects made from collections; values grouped by key.

config names "list(string)" {
  default = ["ann", "ben"]
}

config teams "map(string)" {
  default = { ann = "web", ben = "web", cleo = "data" }
}

resource thing "probe:Thing" {
  tags = { for i, name in names : name => "number ${i}" }
}

output inverted {
  value = { for person, team in teams : team => person... }
}

output filtered {
  value = { for person, team in teams : person => { team = team, lead = person == "ann" } if team != "data" }
}

output groupedLengths {
  value = { for name in names : length(name) => name... }
}

output overOutput {
  value = { for item in thing.list : item.s => item.n }
}

output groupedOverOutput {
  value = { for item in thing.list : item.s => item.n... }
}

output outputValues {
  value = { for name in names : name => "${thing.out}/${name}" }
}
