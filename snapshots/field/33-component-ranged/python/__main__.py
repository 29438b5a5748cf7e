import pulumi

from team import Team

config = pulumi.Config()

teams = config.get_object(
    "teams",
    {
        "core": {"description": "Core team", "members": ["ann", "ben"]},
        "docs": {"description": "Docs team", "members": ["cleo"]},
    },
)

team = {
    key: Team(
        f"team-{key}",
        name=key,
        description=value.get("description"),
        members=value.get("members"),
    )
    for key, value in sorted(teams.items())
}

sandbox = [
    Team(f"sandbox-{i}", name=f"sandbox-{i}", description="Playground", members=[])
    for i in range(2)
]

pulumi.export("coreSlug", team["core"].slug)
pulumi.export("firstSandbox", sandbox[0].slug)
