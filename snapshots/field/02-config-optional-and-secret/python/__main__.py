from typing import Any

import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean


def require_members(value: Any, place: str, *paths: str) -> Any:
    """The value, whose members at the paths have to be set; `*` stands for each element."""
    if isinstance(value, pulumi.Output):
        return value.apply(lambda plain: require_members(plain, place, *paths))
    if value is None:
        return None
    for step, _, rest in (path.partition("/") for path in paths):
        if isinstance(value, list):
            members = [(f"[{index}]", item) for index, item in enumerate(value)]
        else:
            names = sorted(value) if step == "*" else [step.replace("~1", "/")]
            members = [(f".{name}", value.get(name)) for name in names]
        for name, member in members:
            if rest:
                require_members(member, place + name, rest)
            elif member is None:
                raise ValueError(f"{place}{name} is not set")
    return value


config = pulumi.Config()

# Master password
db_password = config.require_secret("dbPassword")
root_ca = config.get("rootCa")
extra_tags = config.get_object("extraTags")
maintenance_day = config.get("maintenanceDay", "sunday")

limits = require_members(
    config.get_object("limits"), "main.pp:18:8: limits", "cpu", "memory"
)

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
