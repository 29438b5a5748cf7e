# A copy of a resource for each member of a list.

config users "list(object({name = string, admin = bool}))" {
  default = [{ name = "ann", admin = true }]
}

resource zone "probe:Thing" {
  label = "${range.key}: ${range.value}"

  options {
    range = ["a", "b"]
  }
}

resource user "probe:Thing" {
  label = range.value.name
  size  = range.value.admin ? 10 : 1

  options {
    range  = users
    parent = zone[0]
  }
}

output users {
  value = [for one in user : one.out]
}
