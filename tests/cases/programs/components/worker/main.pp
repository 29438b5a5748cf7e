# A worker: a thing, its parts and its helper.

config label string {
  description = "What the worker is called"
}

config seed string {
}

config size int {
  default = 1
}

resource thing "probe:Thing" {
  label = "${label}/${seed}"
  size  = size
}

resource part "probe:Thing" {
  label = "${label} part ${range.value}"

  options {
    range = 2
  }
}

component helper "./helper" {
  owner = thing.out
}

output name {
  value = thing.out
}

output parts "list(string)" {
  value = part[*].out
}

output greeting {
  value = "hello ${helper.greeting}"
}
