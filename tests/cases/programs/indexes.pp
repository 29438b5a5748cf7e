# Parts of values, plain and eventual, by fixed and by computed keys.

config names "list(string)" {
  default = ["a", "b"]
}

config tags "map(string)" {
  default = { a = "1" }
}

config at int {
  default = 1
}

config key string {
  default = "a"
}

resource thing "probe:Thing" {
}

output plain {
  value = [names[0], names[at], names.1, tags["a"], tags.a, tags[key], [1, 2, 3][at], { a = 1 }["a"]]
}

output eventual {
  value = [thing.names[0], thing.names[at], thing.tags["a"], thing.tags[key], thing.list[at].inner.s]
}

output keyIsEventual {
  value = tags[thing.out]
}
