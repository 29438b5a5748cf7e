import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as github from "@pulumi/github";
import * as random from "@pulumi/random";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();
const buckets = config.getObject<string[]>("buckets") ?? ["logs", "media"];

const records = config.getObject<Record<string, string>>("records") ?? {
    www: "203.0.113.10",
    mail: "203.0.113.11",
};

const zone = "example.org";

const domain = new digitalocean.Domain("domain", { name: zone });

const bucket: digitalocean.SpacesBucket[] = [];
for (const [i, value] of buckets.entries()) {
    bucket.push(
        new digitalocean.SpacesBucket(`bucket-${i}`, {
            name: `acme-${value}`,
            region: digitalocean.Region.AMS3,
            acl: i === 0 ? "private" : "public-read",
        }),
    );
}

const record: Record<string, digitalocean.DnsRecord> = {};
for (const [key, value] of sortedEntries(records)) {
    record[key] = new digitalocean.DnsRecord(`record-${key}`, {
        domain: domain.name,
        type: digitalocean.RecordType.A,
        name: key,
        value,
        ttl: 300,
    });
}

const team: Record<string, github.Team> = {};
for (const [key, value] of Object.entries({
    developers: { privacy: "closed", about: "Writes code" },
    operators: { privacy: "secret", about: "Runs code" },
})) {
    team[key] = new github.Team(`team-${key}`, {
        name: key,
        description: value.about,
        privacy: value.privacy,
    });
}

const pets: random.RandomPet[] = [];
for (const [i, value] of ["cat", "dog"].entries()) {
    pets.push(new random.RandomPet(`pets-${i}`, { prefix: value }));
}

export const firstBucket = bucket[0].endpoint;
export const www = record.www.fqdn;
export const devTeam = team.developers.slug;
