# A component used plainly, for each member of a map, and so many times.

from typing import Any

import pulumi
import pulumi_probe as probe

from worker import Worker


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

teams = require_members(
    config.get_object("teams", {"web": {"size": 2}}), "main.pp:3:8: teams", "*/size"
)

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
