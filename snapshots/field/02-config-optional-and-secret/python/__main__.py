from typing import Any

import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean


def require_members(value: Any, name: str, *paths: str) -> Any:
    """The configured value, whose members at the paths have to be set; `*` stands for each element."""

    def check(item: Any, place: str, step: str, *rest: str) -> None:
        if item is None:
            return
        if isinstance(item, list):
            for index, element in enumerate(item):
                check(element, f"{place}[{index}]", *rest)
        elif step == "*":
            for key, element in sorted(item.items()):
                check(element, f"{place}.{key}", *rest)
        else:
            member = step.replace("~1", "/")
            if rest:
                check(item.get(member), f"{place}.{member}", *rest)
            elif item.get(member) is None:
                raise ValueError(f"{place}.{member} is not set")

    if isinstance(value, pulumi.Output):
        return value.apply(lambda plain: require_members(plain, name, *paths))
    for path in paths:
        check(value, name, *path.split("/"))
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
