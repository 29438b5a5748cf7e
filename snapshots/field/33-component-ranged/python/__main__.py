from typing import Any

import pulumi

from team import Team


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
    config.get_object(
        "teams",
        {
            "core": {"description": "Core team", "members": ["ann", "ben"]},
            "docs": {"description": "Docs team", "members": ["cleo"]},
        },
    ),
    "main.pp:1:8: teams",
    "*/description",
    "*/members",
)

team = {
    key: Team(
        f"team-{key}",
        name=key,
        description=value["description"],
        members=value["members"],
    )
    for key, value in sorted(teams.items())
}

sandbox = [
    Team(f"sandbox-{i}", name=f"sandbox-{i}", description="Playground", members=[])
    for i in range(2)
]

pulumi.export("coreSlug", team["core"].slug)
pulumi.export("firstSandbox", sandbox[0].slug)
