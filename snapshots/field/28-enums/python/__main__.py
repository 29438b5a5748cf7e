import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean
import pulumi_docker as docker

web = digitalocean.Droplet(
    "web",
    image="ubuntu-24-04-x64",
    region=digitalocean.Region.NYC3,
    size=digitalocean.DropletSlug.DROPLET_S2_VCPU2_GB,
)

disk = digitalocean.Volume(
    "disk",
    region=digitalocean.Region.NYC3,
    size=100,
    initial_filesystem_type=digitalocean.FileSystemType.EXT4,
)

mx = digitalocean.DnsRecord(
    "mx",
    domain="example.com",
    type=digitalocean.RecordType.MX,
    name="@",
    priority=10,
    value="mail.example.com.",
)

cert = digitalocean.Certificate(
    "cert", type=digitalocean.CertificateType.LETS_ENCRYPT, domains=["example.com"]
)

image = docker.Image(
    "image",
    image_name="registry.example.com/web:latest",
    build={
        "context": ".",
        "builder_version": docker.BuilderVersion.BUILDER_BUILD_KIT,
        "platform": "linux/amd64",
        "args": {"VERSION": "1"},
        "cache_from": {"images": ["registry.example.com/web:cache"]},
    },
)

quiet = command.local.Command(
    "quiet", create="make secret", logging=command.local.Logging.NONE
)

loud = command.remote.Command(
    "loud",
    create="uptime",
    logging=command.remote.Logging.STDOUT_AND_STDERR,
    connection={"host": web.ipv4_address},
)

balancer = digitalocean.LoadBalancer(
    "balancer",
    region=digitalocean.Region.NYC3,
    forwarding_rules=[
        {
            "entry_port": 443,
            "entry_protocol": "https",
            "target_port": 80,
            "target_protocol": "http",
            "certificate_name": cert.name,
        }
    ],
)

pulumi.export("region", web.region)
pulumi.export("logging", quiet.logging)
