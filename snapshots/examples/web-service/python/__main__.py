# A web service: droplets in a private network, behind a firewall and a load balancer that ends TLS.
# config.pp says what can be set.

from typing import Any

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_random as random


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()

# What a team fills in when it takes this template: `pulumi config set domain shop.example.com`, and so on.
# The domain of the service. Its name servers must be those of DigitalOcean.
domain = config.require("domain")

# Where everything runs.
region = config.get("region", "fra1")

# How many web servers there are.
replicas = config.get_int("replicas", 2)

# The licence key of the web server.
licence_key = config.require_secret("licenceKey")

# Machines that may log in with ssh. When there are none, the port stays closed.
# Addresses that may log in, in CIDR notation.
admin_addresses = config.get_object("adminAddresses", [])

# Further DNS records, by host name.
records = config.get_object(
    "records",
    {
        "mail": {"type": "A", "value": "192.0.2.25", "ttl": 3600},
        "www": {"type": "CNAME", "value": "@"},
    },
)
for key, item in sorted(records.items()):
    require_members(item, f"config.pp:28:8: records.{key}", "type", "value")

name = f"{pulumi.get_project()}-{pulumi.get_stack()}"
production = pulumi.get_stack() == "prod"
everywhere = ["0.0.0.0/0", "::/0"]

network = digitalocean.Vpc(
    "network",
    name=f"{name}-network",
    description=f"Private network of {name}",
    region=region,
)

web_tag = digitalocean.Tag("webTag", name=f"{name}-web")

# Signs the session cookies of all web servers.
session_key = random.RandomPassword("sessionKey", length=48, special=False)

web = [
    digitalocean.Droplet(
        f"web-{i}",
        name=f"{name}-web-{i}",
        image="ubuntu-24-04-x64",
        size=(
            digitalocean.DropletSlug.DROPLET_S2_VCPU4_GB
            if production
            else digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB
        ),
        region=region,
        vpc_uuid=network.id,
        tags=[web_tag.name],
        monitoring=True,  # the graphs in the control panel need it
        user_data=pulumi.Output.format(
            """\
#cloud-config
packages: [nginx]
write_files:
  - path: /etc/web/environment
    permissions: "0600"
    content: |
      SESSION_KEY={0}
      LICENCE_KEY={1}
      PUBLIC_URL=https://{2}/
""",
            session_key.result,
            licence_key,
            domain,
        ),
        opts=pulumi.ResourceOptions(
            ignore_changes=["image"],  # a newer image is for new machines only
        ),
    )
    for i in range(replicas)
]

zone = digitalocean.Domain(
    "zone", name=domain, opts=pulumi.ResourceOptions(protect=True)
)

certificate = digitalocean.Certificate(
    "certificate",
    name=f"{name}-certificate",
    type=digitalocean.CertificateType.LETS_ENCRYPT,
    domains=[zone.name, pulumi.Output.format("www.{0}", zone.name)],
)

balancer = digitalocean.LoadBalancer(
    "balancer",
    name=f"{name}-balancer",
    region=region,
    vpc_uuid=network.id,
    droplet_tag=web_tag.name,
    redirect_http_to_https=True,
    forwarding_rules=[
        {
            "entry_port": 443,
            "entry_protocol": "https",
            "target_port": 80,
            "target_protocol": "http",
            "certificate_name": certificate.name,
        }
    ],
    healthcheck={"protocol": "http", "port": 80, "path": "/healthz"},
)

# The web servers are reached through the balancer only, and may call out for updates.
firewall = digitalocean.Firewall(
    "firewall",
    name=f"{name}-web",
    tags=[web_tag.name],
    inbound_rules=[
        {
            "protocol": "tcp",
            "port_range": "80",
            "source_load_balancer_uids": [balancer.id],
        }
    ],
    outbound_rules=[
        {
            "protocol": protocol,
            "port_range": "1-65535",
            "destination_addresses": everywhere,
        }
        for protocol in ["tcp", "udp"]
    ],
)

admin_access = (
    digitalocean.Firewall(
        "adminAccess",
        name=f"{name}-admin",
        tags=[web_tag.name],
        inbound_rules=[
            {"protocol": "tcp", "port_range": "22", "source_addresses": admin_addresses}
        ],
    )
    if len(admin_addresses) > 0
    else None
)

apex = digitalocean.DnsRecord(
    "apex",
    domain=zone.name,
    type=digitalocean.RecordType.A,
    name="@",
    value=balancer.ip,
    ttl=300,
)

record = {
    key: digitalocean.DnsRecord(
        f"record-{key}",
        domain=zone.name,
        type=value["type"],
        name=key,
        value=value["value"],
        ttl=value.get("ttl"),
    )
    for key, value in sorted(records.items())
}

# Somebody is woken up for production only.
uptime = (
    digitalocean.UptimeCheck(
        "uptime",
        name=name,
        target=f"https://{domain}/healthz",
        regions=["us_east", "eu_west"],
        opts=pulumi.ResourceOptions(depends_on=apex),
    )
    if production
    else None
)

pulumi.export("url", pulumi.Output.format("https://{0}/", apex.fqdn))

pulumi.export(
    "servers",
    [
        pulumi.Output.format("{0}: {1}", server.name, server.ipv4_address_private)
        for server in web
    ],
)

pulumi.export("hostNames", {host: entry.fqdn for host, entry in record.items()})
pulumi.export("certificateExpires", certificate.not_after)
