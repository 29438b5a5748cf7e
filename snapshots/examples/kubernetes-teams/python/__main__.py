# A namespace for each team, with limits, rights and a fence around it.

from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

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

# The teams by name: what they may use, and who administers it.
teams = require_members(
    config.get_object(
        "teams",
        {
            "orders": {"cpu": "4", "memory": "8Gi", "admins": ["ada@example.com"]},
            "search": {
                "cpu": "8",
                "memory": "32Gi",
                "admins": ["grace@example.com", "edsger@example.com"],
            },
        },
    ),
    "main.pp:3:8: teams",
    "*/cpu",
    "*/memory",
    "*/admins",
)

# How to reach the cluster.
kubeconfig = config.require_secret("kubeconfig")

cluster = kubernetes.Provider(
    "cluster", kubeconfig=kubeconfig, enable_server_side_apply=True
)

team = {
    key: Team(
        f"team-{key}",
        name=key,
        cpu=value["cpu"],
        memory=value["memory"],
        admins=value["admins"],
        opts=pulumi.ResourceOptions(providers=[cluster]),
    )
    for key, value in sorted(teams.items())
}

pulumi.export("namespaces", {name: made.namespace for name, made in team.items()})
