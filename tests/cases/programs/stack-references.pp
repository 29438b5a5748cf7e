# Values of other stacks.

config base string {
  default = "acme/network/prod"
}

resource network "pulumi:pulumi:StackReference" {
  name = base
}

resource thing "probe:Thing" {
  label = getOutput(network, "vpcId")
}

output vpc {
  value = network.outputs["vpcId"]
}

output address {
  value = "https://${getOutput(network, "host")}/"
}
