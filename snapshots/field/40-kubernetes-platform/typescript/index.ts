import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as github from "@pulumi/github";
import * as std from "@pulumi/std";

function requireMembers<T>(value: T, place: string, ...paths: string[]): T {
    const members: any = value ?? {};
    const each = Object.keys(members);
    if (!Array.isArray(value)) each.sort();
    for (const [step, ...rest] of paths.map((path) => path.split("/"))) {
        for (const key of step === "*" ? each : [step.replace(/~1/g, "/")]) {
            const inner = Array.isArray(value) ? `[${key}]` : `.${key}`;
            if (rest.length > 0) {
                requireMembers(members[key], place + inner, rest.join("/"));
            } else if (value != null && members[key] == null) {
                throw new Error(`${place + inner} is not set`);
            }
        }
    }
    return value;
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();

// A platform: network, cluster, database, registry, DNS and CI wiring.
const region = config.get("region") ?? "fra1";

const nodePools = requireMembers(
    config.getObject<
        Record<string, { size: string; min: number; max: number }>
    >("nodePools"),
    "main.pp:6:8: nodePools",
    "*/size",
    "*/min",
    "*/max",
) ?? {
    general: { size: "s-2vcpu-4gb", min: 1, max: 3 },
    batch: { size: "s-4vcpu-8gb", min: 0, max: 5 },
};

const environment = pulumi.getStack();
const commonTags = [environment, pulumi.getProject()];

const vpc = new digitalocean.Vpc("vpc", {
    name: `platform-${environment}`,
    region,
    ipRange: std.cidrsubnetOutput({
        input: "10.0.0.0/8",
        newbits: 8,
        netnum: 10,
    }).result,
});

const versions = digitalocean.getKubernetesVersionsOutput({
    versionPrefix: "1.31.",
});

const cluster = new digitalocean.KubernetesCluster(
    "cluster",
    {
        region,
        version: versions.latestVersion,
        vpcUuid: vpc.id,
        ha: environment === "prod",
        tags: commonTags,
        nodePool: {
            name: "system",
            size: "s-2vcpu-2gb",
            nodeCount: environment === "prod" ? 3 : 1,
        },
    },
    { ignoreChanges: ["version"] },
);

const pool: Record<string, digitalocean.KubernetesNodePool> = {};
for (const [key, nodePool] of sortedEntries(nodePools)) {
    pool[key] = new digitalocean.KubernetesNodePool(`pool-${key}`, {
        clusterId: cluster.id,
        name: `${key}-pool`,
        size: nodePool.size,
        autoScale: true,
        minNodes: nodePool.min,
        maxNodes: nodePool.max,
        labels: { "platform/pool": key },
    });
}

const db = new digitalocean.DatabaseCluster(
    "db",
    {
        engine: "pg",
        version: "16",
        nodeCount: environment === "prod" ? 2 : 1,
        region,
        size: digitalocean.DatabaseSlug.DB_1VPCU2GB,
        privateNetworkUuid: vpc.id,
    },
    { protect: true },
);

const rules = new digitalocean.DatabaseFirewall("rules", {
    clusterId: db.id,
    rules: [
        { type: "k8s", value: cluster.id },
        { type: "ip_addr", value: "203.0.113.9" },
    ],
});

// CI wiring and stack outputs
const kubeconfig = new github.ActionsSecret("kubeconfig", {
    repository: "platform",
    secretName: "KUBECONFIG",
    value: cluster.kubeConfigs[0].rawConfig,
});

export const clusterEndpoint = cluster.endpoint;

export const databaseUri = pulumi.secret(
    pulumi.interpolate`postgres://${db.user}:${db.password}@${db.privateHost}:${db.port}/${db.database}`,
);

export const batchPool = pool.batch.id;

export const pools = Object.fromEntries(
    Object.entries(pool).map(([k, p]) => [k, p.actualNodeCount]),
);
