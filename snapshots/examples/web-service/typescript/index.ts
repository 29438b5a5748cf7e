// A web service: droplets in a private network, behind a firewall and a load balancer that ends TLS.
// config.pp says what can be set.

import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as random from "@pulumi/random";

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

// What a team fills in when it takes this template: `pulumi config set domain shop.example.com`, and so on.
// The domain of the service. Its name servers must be those of DigitalOcean.
const domain = config.require("domain");

// Where everything runs.
const region = config.get("region") ?? "fra1";

// How many web servers there are.
const replicas = config.getNumber("replicas") ?? 2;

// The licence key of the web server.
const licenceKey = config.requireSecret("licenceKey");

// Machines that may log in with ssh. When there are none, the port stays closed.
// Addresses that may log in, in CIDR notation.
const adminAddresses = config.getObject<string[]>("adminAddresses") ?? [];

// Further DNS records, by host name.
const records = requireMembers(
    config.getObject<
        Record<string, { type: string; value: string; ttl?: number }>
    >("records"),
    "config.pp:28:8: records",
    "*/type",
    "*/value",
) ?? {
    mail: { type: "A", value: "192.0.2.25", ttl: 3600 },
    www: { type: "CNAME", value: "@" },
};

const name = `${pulumi.getProject()}-${pulumi.getStack()}`;
const production = pulumi.getStack() === "prod";
const everywhere = ["0.0.0.0/0", "::/0"];

const network = new digitalocean.Vpc("network", {
    name: `${name}-network`,
    description: `Private network of ${name}`,
    region,
});

const webTag = new digitalocean.Tag("webTag", { name: `${name}-web` });

// Signs the session cookies of all web servers.
const sessionKey = new random.RandomPassword("sessionKey", {
    length: 48,
    special: false,
});

const web: digitalocean.Droplet[] = [];
for (let i = 0; i < replicas; i++) {
    web.push(
        new digitalocean.Droplet(
            `web-${i}`,
            {
                name: `${name}-web-${i}`,
                image: "ubuntu-24-04-x64",
                size: production
                    ? digitalocean.DropletSlug.DropletS2VCPU4GB
                    : digitalocean.DropletSlug.DropletS1VCPU1GB,
                region,
                vpcUuid: network.id,
                tags: [webTag.name],
                monitoring: true, // the graphs in the control panel need it
                userData: pulumi.interpolate`#cloud-config
packages: [nginx]
write_files:
  - path: /etc/web/environment
    permissions: "0600"
    content: |
      SESSION_KEY=${sessionKey.result}
      LICENCE_KEY=${licenceKey}
      PUBLIC_URL=https://${domain}/
`,
            },
            {
                ignoreChanges: ["image"], // a newer image is for new machines only
            },
        ),
    );
}

const zone = new digitalocean.Domain(
    "zone",
    { name: domain },
    { protect: true },
);

const certificate = new digitalocean.Certificate("certificate", {
    name: `${name}-certificate`,
    type: digitalocean.CertificateType.LetsEncrypt,
    domains: [zone.name, pulumi.interpolate`www.${zone.name}`],
});

const balancer = new digitalocean.LoadBalancer("balancer", {
    name: `${name}-balancer`,
    region,
    vpcUuid: network.id,
    dropletTag: webTag.name,
    redirectHttpToHttps: true,
    forwardingRules: [
        {
            entryPort: 443,
            entryProtocol: "https",
            targetPort: 80,
            targetProtocol: "http",
            certificateName: certificate.name,
        },
    ],
    healthcheck: {
        protocol: "http",
        port: 80,
        path: "/healthz",
    },
});

// The web servers are reached through the balancer only, and may call out for updates.
const firewall = new digitalocean.Firewall("firewall", {
    name: `${name}-web`,
    tags: [webTag.name],
    inboundRules: [
        {
            protocol: "tcp",
            portRange: "80",
            sourceLoadBalancerUids: [balancer.id],
        },
    ],
    outboundRules: ["tcp", "udp"].map((protocol) => ({
        protocol,
        portRange: "1-65535",
        destinationAddresses: everywhere,
    })),
});

const adminAccess =
    adminAddresses.length > 0
        ? new digitalocean.Firewall("adminAccess", {
              name: `${name}-admin`,
              tags: [webTag.name],
              inboundRules: [
                  {
                      protocol: "tcp",
                      portRange: "22",
                      sourceAddresses: adminAddresses,
                  },
              ],
          })
        : undefined;

const apex = new digitalocean.DnsRecord("apex", {
    domain: zone.name,
    type: digitalocean.RecordType.A,
    name: "@",
    value: balancer.ip,
    ttl: 300,
});

const record: Record<string, digitalocean.DnsRecord> = {};
for (const [key, value] of sortedEntries(records)) {
    record[key] = new digitalocean.DnsRecord(`record-${key}`, {
        domain: zone.name,
        type: value.type,
        name: key,
        value: value.value,
        ttl: value.ttl,
    });
}

// Somebody is woken up for production only.
const uptime = production
    ? new digitalocean.UptimeCheck(
          "uptime",
          {
              name,
              target: `https://${domain}/healthz`,
              regions: ["us_east", "eu_west"],
          },
          { dependsOn: [apex] },
      )
    : undefined;

export const url = pulumi.interpolate`https://${apex.fqdn}/`;

export const servers = web.map(
    (server) =>
        pulumi.interpolate`${server.name}: ${server.ipv4AddressPrivate}`,
);

export const hostNames = Object.fromEntries(
    Object.entries(record).map(([host, entry]) => [host, entry.fqdn]),
);

export const certificateExpires = certificate.notAfter;
