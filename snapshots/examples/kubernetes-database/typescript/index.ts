// A database with its own disks, and a chart that watches it.

import * as pulumi from "@pulumi/pulumi";
import * as kubernetes from "@pulumi/kubernetes";

const config = new pulumi.Config();

// How many servers there are.
const replicas = config.getNumber("replicas") ?? 3;

// The size of each disk.
const storage = config.get("storage") ?? "10Gi";

// Whether the exporter of metrics is installed.
const monitoring = config.getBoolean("monitoring") ?? true;

// The password of the database's owner.
const password = config.requireSecret("password");

const labels = { app: "database" };

const credentials = new kubernetes.core.v1.Secret("credentials", {
    metadata: { labels },
    data: {
        password: password.apply((password) =>
            Buffer.from(password).toString("base64"),
        ),
    },
});

// Has no address of its own: it gives every server a name.
const names = new kubernetes.core.v1.Service("names", {
    metadata: { labels },
    spec: {
        clusterIP: "None",
        selector: labels,
        ports: [{ name: "sql", port: 5432 }],
    },
});

const servers = new kubernetes.apps.v1.StatefulSet(
    "servers",
    {
        metadata: { labels },
        spec: {
            serviceName: names.metadata.name,
            replicas,
            podManagementPolicy: "OrderedReady",
            selector: { matchLabels: labels },
            template: {
                metadata: { labels },
                spec: {
                    terminationGracePeriodSeconds: 60,
                    affinity: {
                        podAntiAffinity: {
                            preferredDuringSchedulingIgnoredDuringExecution: [
                                {
                                    weight: 100,
                                    podAffinityTerm: {
                                        topologyKey: "kubernetes.io/hostname",
                                        labelSelector: { matchLabels: labels },
                                    },
                                },
                            ],
                        },
                    },
                    containers: [
                        {
                            name: "postgres",
                            image: "postgres:16",
                            ports: [{ name: "sql", containerPort: 5432 }],
                            env: [
                                { name: "PGDATA", value: "/data/postgres" },
                                {
                                    name: "POSTGRES_PASSWORD",
                                    valueFrom: {
                                        secretKeyRef: {
                                            name: credentials.metadata.name,
                                            key: "password",
                                        },
                                    },
                                },
                            ],
                            readinessProbe: {
                                exec: {
                                    command: [
                                        "pg_isready",
                                        "--username",
                                        "postgres",
                                    ],
                                },
                            },
                            volumeMounts: [
                                { name: "data", mountPath: "/data" },
                            ],
                        },
                    ],
                },
            },
            volumeClaimTemplates: [
                {
                    metadata: { name: "data" },
                    spec: {
                        accessModes: ["ReadWriteOnce"],
                        resources: { requests: { storage } },
                    },
                },
            ],
        },
    },
    { ignoreChanges: ["spec.replicas"] },
);

const budget = new kubernetes.policy.v1.PodDisruptionBudget("budget", {
    spec: {
        minAvailable: replicas - 1,
        selector: { matchLabels: labels },
    },
});

const exporter = monitoring
    ? new kubernetes.helm.v4.Chart(
          "exporter",
          {
              chart: "prometheus-postgres-exporter",
              version: "6.10.2",
              repositoryOpts: {
                  repo: "https://prometheus-community.github.io/helm-charts",
              },
              values: {
                  config: {
                      datasource: {
                          host: names.metadata.name,
                          user: "postgres",
                      },
                  },
                  serviceMonitor: { enabled: true },
              },
          },
          { dependsOn: [servers] },
      )
    : undefined;

export const service = names.metadata.name;

export const hosts = [0, 1, 2]
    .filter((i) => i < replicas)
    .map(
        (i) =>
            pulumi.interpolate`${servers.metadata.name}-${i}.${names.metadata.name}`,
    );
