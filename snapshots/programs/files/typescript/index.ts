// A program in two files; each refers to the other.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const port = 8080;

const server = new probe.Thing("server", { label: `port ${port}` });

export const address = pulumi.interpolate`http://${server.out}:${port}`;
