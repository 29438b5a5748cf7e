# A namespace for each team, with limits, rights and a fence around it.

from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from team import Team


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()

# The teams by name: what they may use, and who administers it.
teams = config.get_object(
    "teams",
    {
        "orders": {"cpu": "4", "memory": "8Gi", "admins": ["ada@example.com"]},
        "search": {
            "cpu": "8",
            "memory": "32Gi",
            "admins": ["grace@example.com", "edsger@example.com"],
        },
    },
)
for key, item in sorted(teams.items()):
    require_members(item, f"main.pp:3:8: teams.{key}", "cpu", "memory", "admins")

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
