# A database with its own disks, and a chart that watches it.

import base64

import pulumi
import pulumi_kubernetes as kubernetes

config = pulumi.Config()

# How many servers there are.
replicas = config.get_int("replicas", 3)

# The size of each disk.
storage = config.get("storage", "10Gi")

# Whether the exporter of metrics is installed.
monitoring = config.get_bool("monitoring", True)

# The password of the database's owner.
password = config.require_secret("password")

labels = {"app": "database"}

credentials = kubernetes.core.v1.Secret(
    "credentials",
    metadata={"labels": labels},
    data={
        "password": password.apply(
            lambda password: base64.b64encode(password.encode()).decode()
        )
    },
)

# Has no address of its own: it gives every server a name.
names = kubernetes.core.v1.Service(
    "names",
    metadata={"labels": labels},
    spec={
        "cluster_ip": "None",
        "selector": labels,
        "ports": [{"name": "sql", "port": 5432}],
    },
)

servers = kubernetes.apps.v1.StatefulSet(
    "servers",
    metadata={"labels": labels},
    spec={
        "service_name": names.metadata.name,
        "replicas": replicas,
        "pod_management_policy": "OrderedReady",
        "selector": {"match_labels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "termination_grace_period_seconds": 60,
                "affinity": {
                    "pod_anti_affinity": {
                        "preferred_during_scheduling_ignored_during_execution": [
                            {
                                "weight": 100,
                                "pod_affinity_term": {
                                    "topology_key": "kubernetes.io/hostname",
                                    "label_selector": {"match_labels": labels},
                                },
                            }
                        ]
                    }
                },
                "containers": [
                    {
                        "name": "postgres",
                        "image": "postgres:16",
                        "ports": [{"name": "sql", "container_port": 5432}],
                        "env": [
                            {"name": "PGDATA", "value": "/data/postgres"},
                            {
                                "name": "POSTGRES_PASSWORD",
                                "value_from": {
                                    "secret_key_ref": {
                                        "name": credentials.metadata.name,
                                        "key": "password",
                                    }
                                },
                            },
                        ],
                        "readiness_probe": {
                            "exec_": {
                                "command": ["pg_isready", "--username", "postgres"]
                            }
                        },
                        "volume_mounts": [{"name": "data", "mount_path": "/data"}],
                    }
                ],
            },
        },
        "volume_claim_templates": [
            {
                "metadata": {"name": "data"},
                "spec": {
                    "access_modes": ["ReadWriteOnce"],
                    "resources": {"requests": {"storage": storage}},
                },
            }
        ],
    },
    opts=pulumi.ResourceOptions(ignore_changes=["spec.replicas"]),
)

budget = kubernetes.policy.v1.PodDisruptionBudget(
    "budget", spec={"min_available": replicas - 1, "selector": {"match_labels": labels}}
)

exporter = (
    kubernetes.helm.v4.Chart(
        "exporter",
        chart="prometheus-postgres-exporter",
        version="6.10.2",
        repository_opts={"repo": "https://prometheus-community.github.io/helm-charts"},
        values={
            "config": {"datasource": {"host": names.metadata.name, "user": "postgres"}},
            "serviceMonitor": {"enabled": True},
        },
        opts=pulumi.ResourceOptions(depends_on=servers),
    )
    if monitoring
    else None
)

pulumi.export("service", names.metadata.name)

pulumi.export(
    "hosts",
    [
        pulumi.Output.format(
            "{0}-{1}.{2}", servers.metadata.name, i, names.metadata.name
        )
        for i in [0, 1, 2]
        if i < replicas
    ],
)
