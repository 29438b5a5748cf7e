import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";

const config = new pulumi.Config();
const certificateName = config.get("certificateName");
const enableBackups = config.getBoolean("enableBackups");
const customTtl = config.getNumber("customTtl");

const nothing = undefined;

const bucket = new digitalocean.SpacesBucket("bucket", {
    name: "assets",
    region: digitalocean.Region.SFO3,
    acl: undefined,
});

const cdn = new digitalocean.Cdn("cdn", {
    origin: bucket.bucketDomainName,
    certificateName,
    customDomain: certificateName == null ? undefined : "cdn.example.com",
    ttl: customTtl,
});

const box = new digitalocean.Droplet("box", {
    image: "ubuntu-24-04-x64",
    size: digitalocean.DropletSlug.DropletS1VCPU1GB,
    region: digitalocean.Region.SFO3,
    backups: enableBackups,
    userData: nothing,
    tags: undefined,
});

export const region = bucket.region;
export const customDomain = cdn.customDomain;
export const aclOrNone = bucket.acl.apply((acl) => acl ?? "none");
