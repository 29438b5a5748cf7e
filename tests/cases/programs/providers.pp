# Providers of one's own.

config region string {
  default = "south"
}

resource regional "pulumi:providers:probe" {
  region = region

  options {
    envVarMappings = { PROBE_TOKEN = "SOUTH_TOKEN" }
  }
}

resource thing "probe:Thing" {
  label = "in ${region}"

  options {
    provider = regional
  }
}

resource group "probe:Group" {
  size = 2

  options {
    providers = { probe = regional }
  }
}

output asked {
  value = invoke("probe:getThing", { name = "a" }, { provider = regional }).result
}

output inner {
  value = group.thing.out
}
