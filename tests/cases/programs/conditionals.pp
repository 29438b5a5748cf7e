# Choices between plain and eventual values; in chains; with null.

config production bool {
  default = false
}

config size int {
  default = 1
}

resource thing "probe:Thing" {
  label = production ? "large" : "small"
  size  = production ? 4 : null
  names = production ? ["a", "b"] : []
  obj   = production ? { s = "x", n = 1 } : { s = "y" }
}

resource second "probe:Thing" {
  label     = thing.flag ? "on" : "off"
  size      = thing.int > 3 ? thing.int : size
  plainFlag = production ? true : false
}

output chain {
  value = size == 1 ? "one" : size == 2 ? "two" : production ? "many" : "some"
}

output eventualCondition {
  value = thing.flag ? thing.out : "nothing"
}

output eventualBranch {
  value = production ? thing.out : "nothing"
}

output missing {
  value = thing.maybe == null ? "none" : thing.maybe
}
