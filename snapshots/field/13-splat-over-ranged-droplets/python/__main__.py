import pulumi
import pulumi_digitalocean as digitalocean

config = pulumi.Config()
web_count = config.get_int("webCount", 3)

tag = digitalocean.Tag("tag", name="web")

web = [
    digitalocean.Droplet(
        f"web-{i}",
        name=f"web-{i}",
        image="ubuntu-24-04-x64",
        size=digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB,
        region=digitalocean.Region.NYC1,
        tags=[tag.name],
    )
    for i in range(web_count)
]

record = [
    digitalocean.DnsRecord(
        f"record-{i}",
        domain="example.com",
        type=digitalocean.RecordType.A,
        name=f"web{i}",
        value=web[i].ipv4_address,
    )
    for i in range(web_count)
]

alert = digitalocean.MonitorAlert(
    "alert",
    type="v1/insights/droplet/load_1",
    compare="GreaterThan",
    description="load",
    value=4,
    window="10m",
    entities=[droplet.id for droplet in web],
    alerts={"emails": ["ops@example.com"]},
)

pulumi.export("addresses", [droplet.ipv4_address for droplet in web])
pulumi.export("fqdns", [dns_record.fqdn for dns_record in record])
pulumi.export("first", web[0].name)
