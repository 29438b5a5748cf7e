# A component used plainly, for each member of a map, and so many times.

from typing import Any

import pulumi
import pulumi_probe as probe

from worker import Worker


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()
teams = config.get_object("teams", {"web": {"size": 2}})
for key, item in sorted(teams.items()):
    require_members(item, f"main.pp:3:8: teams.{key}", "size")

seed = probe.Thing("seed")

single = Worker(
    "single",
    label="single",
    seed=seed.out,
    opts=pulumi.ResourceOptions(parent=seed, depends_on=seed),
)

team = {
    key: Worker(f"team-{key}", label=key, size=value["size"], seed=seed.out)
    for key, value in sorted(teams.items())
}

spare = [Worker(f"spare-{i}", label=f"spare-{i}", seed="none") for i in range(2)]

pulumi.export("names", [single.name, team["web"].name, spare[0].name])
pulumi.export("all", [item.name for item in spare])
