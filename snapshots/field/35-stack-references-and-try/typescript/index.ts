import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import { can, firstOf, jsonOrText } from "./helpers";

const config = new pulumi.Config();
const networkStack = config.get("networkStack") ?? "acme/network/prod";
const overrides = jsonOrText<any>(config.get("overrides")) ?? {};
const settings = config.getObject<Record<string, string>>("settings") ?? {};

const network = new pulumi.StackReference("network", { name: networkStack });

const vpcId = network.getOutput("vpcId");

const droplet = new digitalocean.Droplet("droplet", {
    image: "ubuntu-24-04-x64",
    size: firstOf(
        () => settings.size,
        () => "s-1vcpu-1gb",
    ),
    region: digitalocean.Region.NYC3,
    vpcUuid: vpcId,
});

export const subnet = network.getOutput("subnets");
export const token = pulumi.unsecret(network.getOutput("token"));
export const hasSize = can(() => settings.size);

export const deep = firstOf<any>(
    () => overrides.a.b,
    () => overrides.c,
    () => "none",
);

export const recovered = pulumi.recover(
    droplet.ipv4Address,
    (error) => `failed: ${error.message ?? error}`,
);

export const tryOutput = droplet.tags.apply((tags) =>
    firstOf(
        () => tags?.[0],
        () => "untagged",
    ),
);
