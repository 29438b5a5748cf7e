import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_random as random

config = pulumi.Config()
create_timeout = config.get("createTimeout", "30m")

old_home = random.RandomPet("oldHome")

cluster = digitalocean.DatabaseCluster(
    "cluster",
    engine="redis",
    node_count=1,
    region=digitalocean.Region.NYC3,
    size=digitalocean.DatabaseSlug.D_B_1_VPCU1_GB,
    opts=pulumi.ResourceOptions(
        aliases=[
            pulumi.Alias(name="redis"),
            pulumi.Alias(name="cache", parent=old_home),
            "urn:pulumi:prod::shop::digitalocean:index/databaseCluster:DatabaseCluster::kv",
        ],
        additional_secret_outputs=["name", "tags"],
        custom_timeouts=pulumi.CustomTimeouts(
            create=create_timeout, update="1h", delete="10m"
        ),
    ),
)

existing = digitalocean.Domain(
    "existing", name="example.com", opts=pulumi.ResourceOptions(import_="example.com")
)

golden = digitalocean.Droplet.get("golden", "3164494")

replica = digitalocean.DatabaseReplica(
    "replica",
    cluster_id=cluster.id,
    size=digitalocean.DatabaseSlug.D_B_1_VPCU1_GB,
    region=digitalocean.Region.NYC3,
    opts=pulumi.ResourceOptions(
        aliases=[pulumi.Alias(parent=None)],
        replace_on_changes=["region", "tags"],
        deleted_with=cluster,
    ),
)

moved = random.RandomId(
    "moved",
    byte_length=4,
    opts=pulumi.ResourceOptions(
        aliases=[pulumi.Alias(type_="random:index/randomString:RandomString")],
        parent=cluster,
    ),
)

pulumi.export("uri", cluster.private_uri)
pulumi.export("goldenAddress", golden.ipv4_address)
