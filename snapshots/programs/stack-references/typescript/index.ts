// Values of other stacks.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const base = config.get("base") ?? "acme/network/prod";

const network = new pulumi.StackReference("network", { name: base });
const thing = new probe.Thing("thing", { label: network.getOutput("vpcId") });

export const vpc = network.getOutput("vpcId");
export const address = pulumi.interpolate`https://${network.getOutput("host")}/`;
