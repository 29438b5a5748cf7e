from typing import Any

import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()

# Master password
db_password = config.require_secret("dbPassword")
root_ca = config.get("rootCa")
extra_tags = config.get_object("extraTags")
maintenance_day = config.get("maintenanceDay", "sunday")
limits = config.get_object("limits")
require_members(limits, "main.pp:18:8: limits", "cpu", "memory")
weights = config.get_object("weights", [1, None, 3])
api_keys = config.require_secret_object("apiKeys")

cluster = digitalocean.DatabaseCluster(
    "cluster",
    engine="pg",
    version="16",
    node_count=1,
    size=digitalocean.DatabaseSlug.D_B_1_VPCU1_GB,
    region=digitalocean.Region.NYC3,
    tags=extra_tags,
    maintenance_windows=[{"day": maintenance_day, "hour": "02:00:00"}],
)

seed = command.local.Command(
    "seed",
    create="psql -f seed.sql",
    environment={
        "PGPASSWORD": db_password,
        "PGHOST": cluster.host,
        "API_KEY": api_keys["main"],
    },
)

pulumi.export("hasCa", "no" if root_ca is None else "yes")
pulumi.export("weightCount", len(weights))
pulumi.export("hasLimits", limits is not None)
pulumi.export("uri", cluster.uri)
