import pulumi
import pulumi_digitalocean as digitalocean

config = pulumi.Config()
certificate_name = config.get("certificateName")
enable_backups = config.get_bool("enableBackups")
custom_ttl = config.get_int("customTtl")

nothing = None

bucket = digitalocean.SpacesBucket(
    "bucket", name="assets", region=digitalocean.Region.SFO3, acl=None
)

cdn = digitalocean.Cdn(
    "cdn",
    origin=bucket.bucket_domain_name,
    certificate_name=certificate_name,
    custom_domain=None if certificate_name is None else "cdn.example.com",
    ttl=custom_ttl,
)

box = digitalocean.Droplet(
    "box",
    image="ubuntu-24-04-x64",
    size=digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB,
    region=digitalocean.Region.SFO3,
    backups=enable_backups,
    user_data=nothing,
    tags=None,
)

pulumi.export("region", bucket.region)
pulumi.export("customDomain", cdn.custom_domain)

pulumi.export("aclOrNone", bucket.acl.apply(lambda acl: "none" if acl is None else acl))
