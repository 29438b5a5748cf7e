// A web service: droplets in a private network, behind a firewall and a load balancer that ends TLS.
// config.pp says what can be set.

name       = "${project()}-${stack()}"
production = stack() == "prod"
everywhere = ["0.0.0.0/0", "::/0"]

resource network "digitalocean:index:Vpc" {
  name        = "${name}-network"
  description = "Private network of ${name}"
  region      = region
}

resource webTag "digitalocean:index:Tag" {
  name = "${name}-web"
}

# Signs the session cookies of all web servers.
resource sessionKey "random:index:RandomPassword" {
  length  = 48
  special = false
}

resource web "digitalocean:index:Droplet" {
  name       = "${name}-web-${range.value}"
  image      = "ubuntu-24-04-x64"
  size       = production ? "s-2vcpu-4gb" : "s-1vcpu-1gb"
  region     = region
  vpcUuid    = network.id
  tags       = [webTag.name]
  monitoring = true # the graphs in the control panel need it

  userData = <<-EOF
    #cloud-config
    packages: [nginx]
    write_files:
      - path: /etc/web/environment
        permissions: "0600"
        content: |
          SESSION_KEY=${sessionKey.result}
          LICENCE_KEY=${licenceKey}
          PUBLIC_URL=https://${domain}/
    EOF

  options {
    range         = replicas
    ignoreChanges = [image] # a newer image is for new machines only
  }
}

resource zone "digitalocean:index:Domain" {
  name = domain

  options {
    protect = true
  }
}

resource certificate "digitalocean:index:Certificate" {
  name    = "${name}-certificate"
  type    = "lets_encrypt"
  domains = [zone.name, "www.${zone.name}"]
}

resource balancer "digitalocean:index:LoadBalancer" {
  name                = "${name}-balancer"
  region              = region
  vpcUuid             = network.id
  dropletTag          = webTag.name
  redirectHttpToHttps = true

  forwardingRules = [
    {
      entryPort       = 443
      entryProtocol   = "https"
      targetPort      = 80
      targetProtocol  = "http"
      certificateName = certificate.name
    },
  ]

  healthcheck = {
    protocol = "http"
    port     = 80
    path     = "/healthz"
  }
}

# The web servers are reached through the balancer only, and may call out for updates.
resource firewall "digitalocean:index:Firewall" {
  name = "${name}-web"
  tags = [webTag.name]

  inboundRules = [
    {
      protocol               = "tcp"
      portRange              = "80"
      sourceLoadBalancerUids = [balancer.id]
    },
  ]

  outboundRules = [
    for protocol in ["tcp", "udp"] : {
      protocol             = protocol
      portRange            = "1-65535"
      destinationAddresses = everywhere
    }
  ]
}

resource adminAccess "digitalocean:index:Firewall" {
  name = "${name}-admin"
  tags = [webTag.name]

  inboundRules = [
    {
      protocol        = "tcp"
      portRange       = "22"
      sourceAddresses = adminAddresses
    },
  ]

  options {
    range = length(adminAddresses) > 0
  }
}

resource apex "digitalocean:index:DnsRecord" {
  domain = zone.name
  type   = "A"
  name   = "@"
  value  = balancer.ip
  ttl    = 300
}

resource record "digitalocean:index:DnsRecord" {
  domain = zone.name
  type   = range.value.type
  name   = range.key
  value  = range.value.value
  ttl    = range.value.ttl

  options {
    range = records
  }
}

# Somebody is woken up for production only.
resource uptime "digitalocean:index:UptimeCheck" {
  name    = name
  target  = "https://${domain}/healthz"
  regions = ["us_east", "eu_west"]

  options {
    range     = production
    dependsOn = [apex]
  }
}

output url {
  value = "https://${apex.fqdn}/"
}

output servers {
  value = [for server in web : "${server.name}: ${server.ipv4AddressPrivate}"]
}

output hostNames {
  value = { for host, entry in record : host => entry.fqdn }
}

output certificateExpires {
  value = certificate.notAfter
}
