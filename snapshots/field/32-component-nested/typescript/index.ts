import * as pulumi from "@pulumi/pulumi";
import { Site } from "./site";

const config = new pulumi.Config();
const domainName = config.get("domainName") ?? "example.com";

const site = new Site("site", {
    domain: domainName,
    admins: { ops: "ops@example.com" },
});

export const certificate = site.certificatePem;
export const fingerprint = site.fingerprint;
