from typing import Any

import pulumi

from team import Team


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()

teams = config.get_object(
    "teams",
    {
        "core": {"description": "Core team", "members": ["ann", "ben"]},
        "docs": {"description": "Docs team", "members": ["cleo"]},
    },
)
for key, item in sorted(teams.items()):
    require_members(item, f"main.pp:1:8: teams.{key}", "description", "members")

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
