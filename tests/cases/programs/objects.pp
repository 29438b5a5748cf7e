# Objects within objects, in inputs and in outputs.

resource thing "probe:Thing" {
  obj = {
    s = "outer"
    n = 1
    inner = {
      s    = "inner"
      when = "now"
    }
    tags = ["a", "b"]
  }

  list = [{ s = "one" }, { s = "two", inner = { s = "deep" } }]
  tags = { plain = "1", "with space" = "2", "with-dash" = "3" }
  any  = { free = { form = [1, "a", null] } }
}

resource second "probe:Thing" {
  obj   = thing.obj
  list  = thing.list
  label = thing.obj.inner.s
  size  = thing.list[0].n
  maybe = thing.tags["with-dash"]
}

output deep {
  value = thing.obj.inner.when
}

output computedKeys {
  value = { (thing.out) = 1, "${thing.out}-second" = 2, fixed = 3 }
}

output whole {
  value = thing
}
