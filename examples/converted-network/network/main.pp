config "environment" "string" {
}

config "region" "string" {
}

config "ipRange" "string" {
  description = "Addresses of the network; cannot be changed later"
}

config "adminAddresses" "list(string)" {
  default = []
}

config "bastions" "map(object({size = optional(string), image = optional(string)}))" {
  description = "Machines to log in through, by name"
}

labels = ["environment:${environment}", "managed-by:pulumi"]

resource "this" "digitalocean:index/vpc:Vpc" {
  name    = "${environment}-${region}"
  region  = region
  ipRange = ipRange
}

resource "bastionKey" "tls:index/privateKey:PrivateKey" {
  __logicalName = "bastion_key"
  algorithm     = "ED25519"
}

resource "bastionPublicKey" "digitalocean:index/sshKey:SshKey" {
  __logicalName = "bastion_public_key"
  name          = "${environment}-bastion"
  publicKey     = bastionKey.publicKeyOpenssh
}

resource "bastion" "digitalocean:index/droplet:Droplet" {
  options {
    range = bastions
  }
  name    = "${environment}-bastion-${range.key}"
  image   = range.value.image == null ? "ubuntu-24-04-x64" : range.value.image
  size    = range.value.size == null ? "s-1vcpu-1gb" : range.value.size
  region  = region
  vpcUuid = this.id
  sshKeys = [bastionPublicKey.fingerprint]
  tags    = labels
}

resource "bastionFirewall" "digitalocean:index/firewall:Firewall" {
  __logicalName = "bastion_firewall"
  name          = "${environment}-bastion"
  dropletIds    = [for name, machine in bastion : machine.id]
  inboundRules = [{
    protocol        = "tcp"
    portRange       = "22"
    sourceAddresses = adminAddresses
  }]
  outboundRules = [for protocol in ["tcp", "udp"] : {
    protocol             = protocol
    portRange            = "all"
    destinationAddresses = [ipRange]
  }]
}

output "vpcId" {
  value = this.id
}

output "addresses" {
  value = { for name, machine in bastion : name => machine.ipv4Address }
}

output "publicKey" {
  value = bastionKey.publicKeyOpenssh
}

output "privateKey" {
  value = bastionKey.privateKeyOpenssh
}
