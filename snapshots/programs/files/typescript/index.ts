import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const port = 8080;

const server = new probe.Thing("server", { label: `port ${port}` });

// A program in two files; each refers to the other.
export const address = pulumi.interpolate`http://${server.out}:${port}`;
