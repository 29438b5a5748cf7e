# A component used plainly, for each member of a map, and so many times.

from typing import Any

import pulumi
import pulumi_probe as probe

from worker import Worker


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
