import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";

const config = new pulumi.Config();
const webCount = config.getNumber("webCount") ?? 3;

const tag = new digitalocean.Tag("tag", { name: "web" });

const web: digitalocean.Droplet[] = [];
for (let i = 0; i < webCount; i++) {
    web.push(
        new digitalocean.Droplet(`web-${i}`, {
            name: `web-${i}`,
            image: "ubuntu-24-04-x64",
            size: digitalocean.DropletSlug.DropletS1VCPU1GB,
            region: digitalocean.Region.NYC1,
            tags: [tag.name],
        }),
    );
}

const record: digitalocean.DnsRecord[] = [];
for (let i = 0; i < webCount; i++) {
    record.push(
        new digitalocean.DnsRecord(`record-${i}`, {
            domain: "example.com",
            type: digitalocean.RecordType.A,
            name: `web${i}`,
            value: web[i].ipv4Address,
        }),
    );
}

const alert = new digitalocean.MonitorAlert("alert", {
    type: "v1/insights/droplet/load_1",
    compare: "GreaterThan",
    description: "load",
    value: 4,
    window: "10m",
    entities: web.map((droplet) => droplet.id),
    alerts: { emails: ["ops@example.com"] },
});

export const addresses = web.map((droplet) => droplet.ipv4Address);
export const fqdns = record.map((dnsRecord) => dnsRecord.fqdn);
export const first = web[0].name;
