from collections.abc import Iterable
from typing import Any

import pulumi
import pulumi_github as github


def group_by(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """The values of equal keys, as lists."""
    groups: dict[str, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()

users = config.get_object(
    "users", [{"name": "alice", "admin": True}, {"name": "bob", "admin": False}]
)
for index, user in enumerate(users):
    require_members(user, f"main.pp:1:8: users[{index}]", "name", "admin")
ports = config.get_object("ports", {"http": 80, "https": 443})

names = ["web", "api", "worker"]
upper = [f"svc-{n}" for n in names]
indexed = [f"{i}-{n}" for i, n in enumerate(names)]
filtered = [n for n in names if n != "worker"]
by_name = {n: f"https://{n}.example.com" for n in names}
admins = [u["name"] for u in users if u["admin"]]
port_pairs = [f"{k}={v}" for k, v in sorted(ports.items())]
low_ports = {k: v for k, v in ports.items() if v < 100}
by_role = group_by([("admins" if u["admin"] else "users", u["name"]) for u in users])

repo = github.Repository("repo", name="services", topics=[f"svc-{n}" for n in names])

labels = github.IssueLabels(
    "labels",
    repository=repo.name,
    labels=[
        {"name": f"area/{n}", "color": "cccccc", "description": f"Changes of {n}"}
        for n in names
    ],
)

access = github.RepositoryCollaborators(
    "access",
    repository=repo.name,
    users=[
        {"username": u["name"], "permission": "admin" if u["admin"] else "push"}
        for u in users
    ],
)

pulumi.export(
    "all",
    {
        "upper": upper,
        "indexed": indexed,
        "filtered": filtered,
        "byName": by_name,
        "admins": admins,
        "ports": port_pairs,
        "low": low_ports,
        "byRole": by_role,
    },
)
