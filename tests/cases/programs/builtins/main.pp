# The functions that every program has.

config names "list(string)" {
  default = ["a", "b"]
}

config tags "map(string)" {
  default = { a = "1" }
}

config count int {
  default = 3
}

resource thing "probe:Thing" {
  label = join(", ", names)
}

output lists {
  value = [element(names, count), length(names), split(",", "a,b"), range(3), range(1, count), singleOrNone(["only"])]
}

output maps {
  value = [lookup(tags, "a", "none"), length(tags), entries(tags)]
}

output numbers {
  value = [max(1, count, 2), min(count, 4)]
}

output texts {
  value = [toJSON({ b = names, a = count }), toBase64("hi"), fromBase64("aGk="), sha1("hi"), length("héllo")]
}

output files {
  value = [readFile("a.txt"), filebase64("b.bin"), filebase64sha256("b.bin")]
}

output surroundings {
  value = [stack(), project(), organization(), cwd(), rootDirectory()]
}

output eventual {
  value = [join("-", thing.names), length(thing.list), split(",", thing.out), element(thing.names, 0)]
}

output eventualJson {
  value = toJSON({ name = thing.out, tags = thing.tags, fixed = [1, true, null] })
}

output about {
  value = [pulumiResourceType(thing), pulumiResourceName(thing)]
}
