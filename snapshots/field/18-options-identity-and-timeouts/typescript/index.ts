import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const createTimeout = config.get("createTimeout") ?? "30m";

const oldHome = new random.RandomPet("oldHome");

const cluster = new digitalocean.DatabaseCluster(
    "cluster",
    {
        engine: "redis",
        nodeCount: 1,
        region: digitalocean.Region.NYC3,
        size: digitalocean.DatabaseSlug.DB_1VPCU1GB,
    },
    {
        aliases: [
            { name: "redis" },
            { name: "cache", parent: oldHome },
            "urn:pulumi:prod::shop::digitalocean:index/databaseCluster:DatabaseCluster::kv",
        ],
        additionalSecretOutputs: ["name", "tags"],
        customTimeouts: {
            create: createTimeout,
            update: "1h",
            delete: "10m",
        },
    },
);

const existing = new digitalocean.Domain(
    "existing",
    { name: "example.com" },
    { import: "example.com" },
);

const golden = digitalocean.Droplet.get("golden", "3164494");

const replica = new digitalocean.DatabaseReplica(
    "replica",
    {
        clusterId: cluster.id,
        size: digitalocean.DatabaseSlug.DB_1VPCU1GB,
        region: digitalocean.Region.NYC3,
    },
    {
        aliases: [{ parent: pulumi.rootStackResource }],
        replaceOnChanges: ["region", "tags"],
        deletedWith: cluster,
    },
);

const moved = new random.RandomId(
    "moved",
    { byteLength: 4 },
    {
        aliases: [{ type: "random:index/randomString:RandomString" }],
        parent: cluster,
    },
);

export const uri = cluster.privateUri;
export const goldenAddress = golden.ipv4Address;
