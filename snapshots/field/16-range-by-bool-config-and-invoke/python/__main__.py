import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_random as random

config = pulumi.Config()
create_bastion = config.get_bool("createBastion", True)
environment = config.get("environment", "prod")

regions = digitalocean.get_regions(filters=[{"key": "available", "values": ["true"]}])
keys = digitalocean.get_ssh_keys_output()

bastion = (
    digitalocean.Droplet(
        "bastion",
        name="bastion",
        image="debian-12-x64",
        size=digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB,
        region=digitalocean.Region.AMS3,
        ssh_keys=[keys.ssh_keys[0].fingerprint],
    )
    if create_bastion
    else None
)

audit = (
    digitalocean.SpacesBucket("audit", region=digitalocean.Region.AMS3)
    if environment == "prod"
    else None
)

probe = [
    digitalocean.UptimeCheck(
        f"probe-{i}",
        name=f"probe-{region.slug}",
        target=f"https://{region.slug}.example.com",
    )
    for i, region in enumerate(regions.regions)
]

per_region = [
    digitalocean.Vpc(f"perRegion-{i}", region=regions.regions[i].slug)
    for i in range(len(regions.regions))
]

spread = random.RandomShuffle("spread", inputs=["x", "y"])

per_letter = spread.results.apply(len).apply(
    lambda count: [
        random.RandomPet(f"perLetter-{i}", prefix=spread.results[i])
        for i in range(count)
    ]
)

pulumi.export("regionCount", len(regions.regions))
