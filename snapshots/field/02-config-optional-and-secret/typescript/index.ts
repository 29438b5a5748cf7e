import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";

function requireMembers<T>(value: T, place: string, ...paths: string[]): T {
    const members: any = value ?? {};
    const all = Object.keys(members);
    const each = Array.isArray(value) ? all : all.sort();
    for (const [step, ...rest] of paths.map((path) => path.split("/"))) {
        const name = step.replace(/~1/g, "/");
        for (const key of step === "*" ? each : [name]) {
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

const config = new pulumi.Config();

// Master password
const dbPassword = config.requireSecret("dbPassword");

const rootCa = config.get("rootCa");
const extraTags = config.getObject<string[]>("extraTags");
const maintenanceDay = config.get("maintenanceDay") ?? "sunday";

const limits = requireMembers(
    config.getObject<{ cpu: number; memory: number }>("limits"),
    "main.pp:18:8: limits",
    "cpu",
    "memory",
);

const weights = config.getObject<(number | undefined)[]>("weights") ?? [
    1,
    undefined,
    3,
];

const apiKeys = config.requireSecretObject<Record<string, string>>("apiKeys");

const cluster = new digitalocean.DatabaseCluster("cluster", {
    engine: "pg",
    version: "16",
    nodeCount: 1,
    size: digitalocean.DatabaseSlug.DB_1VPCU1GB,
    region: digitalocean.Region.NYC3,
    tags: extraTags,
    maintenanceWindows: [
        {
            day: maintenanceDay,
            hour: "02:00:00",
        },
    ],
});

const seed = new command.local.Command("seed", {
    create: "psql -f seed.sql",
    environment: {
        PGPASSWORD: dbPassword,
        PGHOST: cluster.host,
        API_KEY: apiKeys.main,
    },
});

export const hasCa = rootCa == null ? "no" : "yes";
export const weightCount = weights.length;
export const hasLimits = limits != null;
export const uri = cluster.uri;
