# Machines of one kind, and what may reach them.

config label "string(pattern='^[a-z][a-z0-9-]*$', maxLength=30)" {
  description = "What the machines are called."
}

config size "../types/Size" {
  default = "small"
}

config replicas "int(minimum=1, maximum=10)" {
  default = 1
}

config rules "list(../types/Rule)" {
}

resource machine "digitalocean:index/droplet:Droplet" {
  name   = "${label}-${range.value}"
  image  = "ubuntu-24-04-x64"
  size   = size == "large" ? "s-8vcpu-16gb" : size == "medium" ? "s-4vcpu-8gb" : "s-1vcpu-1gb"
  region = "ams3"
  tags   = ["team-${label}"]

  options {
    range = replicas
  }
}

resource firewall "digitalocean:index/firewall:Firewall" {
  dropletIds = machine[*].id
  inboundRules = [
    for rule in rules : {
      protocol        = rule.protocol
      portRange       = "${rule.port}"
      sourceAddresses = rule.sources
    }
  ]
}

output addresses {
  value = machine[*].ipv4Address
}
