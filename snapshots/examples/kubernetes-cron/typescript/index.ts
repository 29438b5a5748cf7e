// A nightly backup: the job, what it may do, its settings and its password.

import * as pulumi from "@pulumi/pulumi";
import * as kubernetes from "@pulumi/kubernetes";

const config = new pulumi.Config();

// When the backup runs, as in crontab.
const schedule = config.get("schedule") ?? "15 2 * * *";

// The password of the database.
const password = config.requireSecret("password");

// What is backed up.
const databases = config.getObject<string[]>("databases") ?? [
    "orders",
    "customers",
];

const space = new kubernetes.core.v1.Namespace("space", {
    metadata: { name: "backup" },
});

const settings = new kubernetes.core.v1.ConfigMap("settings", {
    metadata: { namespace: space.metadata.name },
    data: {
        databases: databases.join(" "),
        "run.sh": `#!/bin/sh
set -eu
for database in $DATABASES; do
  pg_dump --file "/backup/$database.sql" "$database"
done
`,
    },
});

const credentials = new kubernetes.core.v1.Secret("credentials", {
    metadata: { namespace: space.metadata.name },
    type: "Opaque",
    stringData: {
        password,
        url: pulumi.interpolate`postgres://backup:${password}@database:5432`,
    },
});

const account = new kubernetes.core.v1.ServiceAccount("account", {
    metadata: { namespace: space.metadata.name },
});

// The job tells how it went in an event.
const reporter = new kubernetes.rbac.v1.Role("reporter", {
    metadata: { namespace: space.metadata.name },
    rules: [
        {
            apiGroups: ["", "events.k8s.io"],
            resources: ["events"],
            verbs: ["create", "patch"],
        },
    ],
});

const reporting = new kubernetes.rbac.v1.RoleBinding("reporting", {
    metadata: { namespace: space.metadata.name },
    roleRef: {
        apiGroup: "rbac.authorization.k8s.io",
        kind: reporter.kind,
        name: reporter.metadata.name,
    },
    subjects: [
        {
            kind: account.kind,
            name: account.metadata.name,
            namespace: space.metadata.name,
        },
    ],
});

const files = new kubernetes.core.v1.PersistentVolumeClaim(
    "files",
    {
        metadata: { namespace: space.metadata.name },
        spec: {
            accessModes: ["ReadWriteOnce"],
            resources: {
                requests: { storage: "20Gi" },
            },
        },
    },
    { protect: true },
);

const backup = new kubernetes.batch.v1.CronJob("backup", {
    metadata: { namespace: space.metadata.name },
    spec: {
        schedule,
        timeZone: "Etc/UTC",
        concurrencyPolicy: "Forbid",
        successfulJobsHistoryLimit: 3,
        jobTemplate: {
            spec: {
                backoffLimit: 2,
                template: {
                    spec: {
                        serviceAccountName: account.metadata.name,
                        restartPolicy: "Never",
                        containers: [
                            {
                                name: "backup",
                                image: "postgres:16",
                                command: ["sh", "/settings/run.sh"],
                                env: [
                                    {
                                        name: "PGPASSWORD",
                                        valueFrom: {
                                            secretKeyRef: {
                                                name: credentials.metadata.name,
                                                key: "password",
                                            },
                                        },
                                    },
                                    {
                                        name: "DATABASES",
                                        valueFrom: {
                                            configMapKeyRef: {
                                                name: settings.metadata.name,
                                                key: "databases",
                                            },
                                        },
                                    },
                                ],
                                volumeMounts: [
                                    {
                                        name: "settings",
                                        mountPath: "/settings",
                                    },
                                    { name: "backup", mountPath: "/backup" },
                                ],
                            },
                        ],
                        volumes: [
                            {
                                name: "settings",
                                configMap: {
                                    name: settings.metadata.name,
                                    defaultMode: 365,
                                },
                            },
                            {
                                name: "backup",
                                persistentVolumeClaim: {
                                    claimName: files.metadata.name,
                                },
                            },
                        ],
                    },
                },
            },
        },
    },
});

export const job = pulumi.interpolate`${backup.metadata.namespace}/${backup.metadata.name}`;
