# Text put together from plain values and from values that are known only at deployment.

config person string {
}

config many int {
  default = 2
}

config formal bool {
  default = false
}

config items "list(string)" {
  default = ["a", "b"]
}

resource thing "probe:Thing" {
  label = "plain ${person}"
}

output onlyOne {
  value = "${many}"
}

output plain {
  value = "Hello ${person}, ${many} {new} messages, 100% $done"
}

output eventual {
  value = "${thing.out}/${thing.int}"
}

output both {
  value = "${person}: {${thing.out}} ${many + 1}"
}

output twice {
  value = "${thing.out} and ${thing.out}"
}

output conditional {
  value = "Dear %{ if formal }Dr. ${person}%{ else }friend%{ endif },"
}

output joined {
  value = "%{ for i, item in items }${i}=${item};%{ endfor }"
}

output joinedEventually {
  value = "%{ for name in thing.names }<${name}>%{ endfor }"
}

output stripped {
  value = "a ${~ person ~} b"
}

output nested {
  value = "outer ${"inner ${person}"} end"
}
