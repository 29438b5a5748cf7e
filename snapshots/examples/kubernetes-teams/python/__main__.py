# A namespace for each team, with limits, rights and a fence around it.

import pulumi
import pulumi_kubernetes as kubernetes

from team import Team

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

# How to reach the cluster.
kubeconfig = config.require_secret("kubeconfig")

cluster = kubernetes.Provider(
    "cluster", kubeconfig=kubeconfig, enable_server_side_apply=True
)

team = {
    key: Team(
        f"team-{key}",
        name=key,
        cpu=value.get("cpu"),
        memory=value.get("memory"),
        admins=value.get("admins"),
        opts=pulumi.ResourceOptions(providers=[cluster]),
    )
    for key, value in sorted(teams.items())
}

pulumi.export("namespaces", {name: made.namespace for name, made in team.items()})
