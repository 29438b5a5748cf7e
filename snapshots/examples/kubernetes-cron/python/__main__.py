# A nightly backup: the job, what it may do, its settings and its password.

import pulumi
import pulumi_kubernetes as kubernetes

config = pulumi.Config()

# When the backup runs, as in crontab.
schedule = config.get("schedule", "15 2 * * *")

# The password of the database.
password = config.require_secret("password")

# What is backed up.
databases = config.get_object("databases", ["orders", "customers"])

space = kubernetes.core.v1.Namespace("space", metadata={"name": "backup"})

settings = kubernetes.core.v1.ConfigMap(
    "settings",
    metadata={"namespace": space.metadata.name},
    data={
        "databases": " ".join(databases),
        "run.sh": """\
#!/bin/sh
set -eu
for database in $DATABASES; do
  pg_dump --file "/backup/$database.sql" "$database"
done
""",
    },
)

credentials = kubernetes.core.v1.Secret(
    "credentials",
    metadata={"namespace": space.metadata.name},
    type="Opaque",
    string_data={
        "password": password,
        "url": pulumi.Output.format("postgres://backup:{0}@database:5432", password),
    },
)

account = kubernetes.core.v1.ServiceAccount(
    "account", metadata={"namespace": space.metadata.name}
)

# The job tells how it went in an event.
reporter = kubernetes.rbac.v1.Role(
    "reporter",
    metadata={"namespace": space.metadata.name},
    rules=[
        {
            "api_groups": ["", "events.k8s.io"],
            "resources": ["events"],
            "verbs": ["create", "patch"],
        }
    ],
)

reporting = kubernetes.rbac.v1.RoleBinding(
    "reporting",
    metadata={"namespace": space.metadata.name},
    role_ref={
        "api_group": "rbac.authorization.k8s.io",
        "kind": reporter.kind,
        "name": reporter.metadata.name,
    },
    subjects=[
        {
            "kind": account.kind,
            "name": account.metadata.name,
            "namespace": space.metadata.name,
        }
    ],
)

files = kubernetes.core.v1.PersistentVolumeClaim(
    "files",
    metadata={"namespace": space.metadata.name},
    spec={
        "access_modes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "20Gi"}},
    },
    opts=pulumi.ResourceOptions(protect=True),
)

backup = kubernetes.batch.v1.CronJob(
    "backup",
    metadata={"namespace": space.metadata.name},
    spec={
        "schedule": schedule,
        "time_zone": "Etc/UTC",
        "concurrency_policy": "Forbid",
        "successful_jobs_history_limit": 3,
        "job_template": {
            "spec": {
                "backoff_limit": 2,
                "template": {
                    "spec": {
                        "service_account_name": account.metadata.name,
                        "restart_policy": "Never",
                        "containers": [
                            {
                                "name": "backup",
                                "image": "postgres:16",
                                "command": ["sh", "/settings/run.sh"],
                                "env": [
                                    {
                                        "name": "PGPASSWORD",
                                        "value_from": {
                                            "secret_key_ref": {
                                                "name": credentials.metadata.name,
                                                "key": "password",
                                            }
                                        },
                                    },
                                    {
                                        "name": "DATABASES",
                                        "value_from": {
                                            "config_map_key_ref": {
                                                "name": settings.metadata.name,
                                                "key": "databases",
                                            }
                                        },
                                    },
                                ],
                                "volume_mounts": [
                                    {"name": "settings", "mount_path": "/settings"},
                                    {"name": "backup", "mount_path": "/backup"},
                                ],
                            }
                        ],
                        "volumes": [
                            {
                                "name": "settings",
                                "config_map": {
                                    "name": settings.metadata.name,
                                    "default_mode": 365,
                                },
                            },
                            {
                                "name": "backup",
                                "persistent_volume_claim": {
                                    "claim_name": files.metadata.name
                                },
                            },
                        ],
                    }
                },
            }
        },
    },
)

pulumi.export(
    "job",
    pulumi.Output.format("{0}/{1}", backup.metadata.namespace, backup.metadata.name),
)
