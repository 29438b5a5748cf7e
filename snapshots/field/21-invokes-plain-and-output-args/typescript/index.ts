import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as tls from "@pulumi/tls";

const config = new pulumi.Config();
const imageName = config.get("imageName") ?? "golden-base";

const base = digitalocean.getImageOutput({
    name: imageName,
    source: "user",
});

const account = digitalocean.getAccountOutput();

const versions = digitalocean.getKubernetesVersionsOutput({
    versionPrefix: "1.31.",
});

const droplet = new digitalocean.Droplet("droplet", {
    image: base.id.apply((id) => String(id)),
    size: digitalocean.DropletSlug.DropletS2VCPU4GB,
    region: base.regions[0],
});

const live = digitalocean.getDropletOutput({ name: droplet.name });

const records = digitalocean.getRecordsOutput({
    domain: "example.com",
    filters: [
        {
            key: "value",
            values: [droplet.ipv4Address],
        },
    ],
    sorts: [{ key: "name", direction: "desc" }],
});

const key = new tls.PrivateKey("key", { algorithm: "RSA" });

export const fingerprint = tls.getPublicKeyOutput({
    privateKeyPem: key.privateKeyPem,
}).publicKeyFingerprintSha256;

export const latest = versions.latestVersion;
export const limit = account.dropletLimit;
export const monthly = live.priceMonthly;
export const firstRecord = records.records[0].name;
