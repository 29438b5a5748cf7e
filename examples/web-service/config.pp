# What a team fills in when it takes this template: `pulumi config set domain shop.example.com`, and so on.

config domain string {
  description = "The domain of the service. Its name servers must be those of DigitalOcean."
}

config region string {
  description = "Where everything runs."
  default     = "fra1"
}

config replicas int {
  description = "How many web servers there are."
  default     = 2
}

config licenceKey string {
  description = "The licence key of the web server."
  secret      = true
}

# Machines that may log in with ssh. When there are none, the port stays closed.
config adminAddresses "list(string)" {
  description = "Addresses that may log in, in CIDR notation."
  default     = []
}

config records "map(object({type = string, value = string, ttl = optional(int)}))" {
  description = "Further DNS records, by host name."
  default = {
    mail = { type = "A", value = "192.0.2.25", ttl = 3600 }
    www  = { type = "CNAME", value = "@" }
  }
}
