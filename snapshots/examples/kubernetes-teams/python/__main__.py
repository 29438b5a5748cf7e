# A namespace for each team, with limits, rights and a fence around it.

from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

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
