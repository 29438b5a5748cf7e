# Converted from the Terraform configuration `environments`: one module, called for each environment.

config "region" "string" {
  default     = "ams3"
  description = "Region of all environments"
}

config "adminAddresses" "map(string)" {
  description = "Networks of the administrators by office"
  default = {
    berlin = "198.51.100.0/24"
    lisbon = "203.0.113.0/24"
  }
}

config "machineSizes" "map(string)" {
  description = "Sizes that differ from the smallest one, by environment"
  default = {
    production = "s-2vcpu-2gb"
  }
}

component "staging" "./network" {
  environment    = "staging"
  region         = region
  ipRange        = "10.10.0.0/16"
  adminAddresses = [for office, block in adminAddresses : block]
  bastions       = { main = {} }
}

component "production" "./network" {
  environment    = "production"
  region         = region
  ipRange        = "10.20.0.0/16"
  adminAddresses = [for office, block in adminAddresses : block]
  bastions = {
    blue  = { size = lookup(machineSizes, "production", "s-1vcpu-1gb") }
    green = { image = "debian-12-x64" }
  }
}

resource "peering" "digitalocean:index/vpcPeering:VpcPeering" {
  __logicalName = "staging_production"
  name          = "staging-production"
  vpcIds        = [staging.vpcId, production.vpcId]
}

output "bastionAddresses" {
  value = {
    staging    = staging.addresses
    production = production.addresses
  }
}

output "entryPoint" {
  value = try(production.addresses["blue"], "none")
}

output "keyPair" {
  value = {
    public  = production.publicKey
    private = production.privateKey
  }
}
