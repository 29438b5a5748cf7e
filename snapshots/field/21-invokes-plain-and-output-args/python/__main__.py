import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_tls as tls

config = pulumi.Config()
image_name = config.get("imageName", "golden-base")

base = digitalocean.get_image_output(name=image_name, source="user")
account = digitalocean.get_account_output()
versions = digitalocean.get_kubernetes_versions_output(version_prefix="1.31.")

droplet = digitalocean.Droplet(
    "droplet",
    image=base.id.apply(str),
    size=digitalocean.DropletSlug.DROPLET_S2_VCPU4_GB,
    region=base.regions[0],
)

live = digitalocean.get_droplet_output(name=droplet.name)

records = digitalocean.get_records_output(
    domain="example.com",
    filters=droplet.ipv4_address.apply(
        lambda ipv4_address: [
            digitalocean.GetRecordsFilterArgs(key="value", values=[ipv4_address])
        ]
    ),
    sorts=[{"key": "name", "direction": "desc"}],
)

key = tls.PrivateKey("key", algorithm="RSA")

pulumi.export(
    "fingerprint",
    tls.get_public_key_output(
        private_key_pem=key.private_key_pem
    ).public_key_fingerprint_sha256,
)

pulumi.export("latest", versions.latest_version)
pulumi.export("limit", account.droplet_limit)
pulumi.export("monthly", live.price_monthly)
pulumi.export("firstRecord", records.records[0].name)
