from typing import Any

import pulumi

from team import Team


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
