from typing import Any

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_github as github
import pulumi_std as std


def require_members(value: Any, place: str, *names: str) -> None:
    """Fail if an object lacks a required member."""
    for name in names:
        if value is not None and value.get(name) is None:
            raise ValueError(f"{place}.{name} is not set")


config = pulumi.Config()

# A platform: network, cluster, database, registry, DNS and CI wiring.
region = config.get("region", "fra1")

node_pools = config.get_object(
    "nodePools",
    {
        "general": {"size": "s-2vcpu-4gb", "min": 1, "max": 3},
        "batch": {"size": "s-4vcpu-8gb", "min": 0, "max": 5},
    },
)
for key, node_pool in sorted(node_pools.items()):
    require_members(node_pool, f"main.pp:6:8: nodePools.{key}", "size", "min", "max")

environment = pulumi.get_stack()
common_tags = [environment, pulumi.get_project()]

vpc = digitalocean.Vpc(
    "vpc",
    name=f"platform-{environment}",
    region=region,
    ip_range=std.cidrsubnet_output(input="10.0.0.0/8", newbits=8, netnum=10).result,
)

versions = digitalocean.get_kubernetes_versions_output(version_prefix="1.31.")

cluster = digitalocean.KubernetesCluster(
    "cluster",
    region=region,
    version=versions.latest_version,
    vpc_uuid=vpc.id,
    ha=environment == "prod",
    tags=common_tags,
    node_pool={
        "name": "system",
        "size": "s-2vcpu-2gb",
        "node_count": 3 if environment == "prod" else 1,
    },
    opts=pulumi.ResourceOptions(ignore_changes=["version"]),
)

pool = {
    key: digitalocean.KubernetesNodePool(
        f"pool-{key}",
        cluster_id=cluster.id,
        name=f"{key}-pool",
        size=node_pool["size"],
        auto_scale=True,
        min_nodes=node_pool["min"],
        max_nodes=node_pool["max"],
        labels={"platform/pool": key},
    )
    for key, node_pool in sorted(node_pools.items())
}

db = digitalocean.DatabaseCluster(
    "db",
    engine="pg",
    version="16",
    node_count=2 if environment == "prod" else 1,
    region=region,
    size=digitalocean.DatabaseSlug.D_B_1_VPCU2_GB,
    private_network_uuid=vpc.id,
    opts=pulumi.ResourceOptions(protect=True),
)

rules = digitalocean.DatabaseFirewall(
    "rules",
    cluster_id=db.id,
    rules=[
        {"type": "k8s", "value": cluster.id},
        {"type": "ip_addr", "value": "203.0.113.9"},
    ],
)

# CI wiring and stack outputs
kubeconfig = github.ActionsSecret(
    "kubeconfig",
    repository="platform",
    secret_name="KUBECONFIG",
    value=cluster.kube_configs[0].raw_config,
)

pulumi.export("clusterEndpoint", cluster.endpoint)

pulumi.export(
    "databaseUri",
    pulumi.Output.secret(
        pulumi.Output.format(
            "postgres://{0}:{1}@{2}:{3}/{4}",
            db.user,
            db.password,
            db.private_host,
            db.port,
            db.database,
        )
    ),
)

pulumi.export("batchPool", pool["batch"].id)
pulumi.export("pools", {k: p.actual_node_count for k, p in pool.items()})
