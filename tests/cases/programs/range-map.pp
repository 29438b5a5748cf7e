# A copy of a resource for each member of a map.

config machines "map(object({size = int, peer = optional(string)}))" {
  default = {
    front = { size = 2 }
    back  = { size = 4, peer = "front" }
  }
}

resource machine "probe:Thing" {
  label = "${range.key}-machine"
  size  = range.value.size
  maybe = range.value.peer

  options {
    range = machines
  }
}

output addresses {
  value = { for name, one in machine : name => one.out }
}

output front {
  value = machine["front"].out
}
