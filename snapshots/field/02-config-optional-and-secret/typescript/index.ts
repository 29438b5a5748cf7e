import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";

function requireMembers<T>(value: T, place: string, ...names: string[]): T {
    const members: any = value;
    for (const name of value == null ? [] : names) {
        if (members[name] == null) {
            throw new Error(`${place}.${name} is not set`);
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

const weights = config.getObject<(number | null)[]>("weights") ?? [1, null, 3];
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
