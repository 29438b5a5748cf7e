import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import { entryOf, requireMembers, textOf } from "./helpers";

const config = new pulumi.Config();

// Settings for a small web tier, one config value per type.
// Prefix of every name
const namePrefix = config.get("namePrefix") ?? "web";

export const replicas = config.getNumber("replicas") ?? 2;
const threshold = config.getNumber("threshold") ?? 82.5;
const monitoring = config.getBoolean("monitoring") ?? true;
const regions = config.getObject<string[]>("regions") ?? ["nyc3", "fra1"];

const labels = config.getObject<Record<string, string>>("labels") ?? {
    team: "platform",
    tier: "gold",
};

// The network to create
const network = requireMembers(
    config.requireObject<{ name: string; cidr: string; private: boolean }>(
        "network",
    ),
    "main.pp:30:8: network",
    "name",
    "cidr",
    "private",
);

const vpc = new digitalocean.Vpc("vpc", {
    name: network.name,
    ipRange: network.cidr,
    region: regions[0],
    description: `team ${entryOf(labels, "team")}`,
});

const web = new digitalocean.Droplet("web", {
    name: `${namePrefix}-1`,
    image: "ubuntu-24-04-x64",
    size: digitalocean.DropletSlug.DropletS1VCPU1GB,
    region: regions[0],
    monitoring,
    vpcUuid: vpc.id,
});

const cpuAlert = new digitalocean.MonitorAlert("cpuAlert", {
    type: "v1/insights/droplet/cpu",
    description: `CPU above ${textOf(threshold)}% on ${namePrefix}`,
    compare: "GreaterThan",
    value: threshold,
    window: "5m",
    entities: [web.id],
    alerts: { emails: ["ops@example.com"] },
});

export const isPrivate = network.private;
