// Functions of a package.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const name = config.get("name") ?? "x";

const thing = new probe.Thing("thing");

const plain = probe.getThingOutput({ name, count: 2 });
const eventual = probe.getThingOutput({ name: thing.out });
const all = probe.getAllOutput();
const joined = probe.joinOutput("a", "b");
const scalar = probe.scalarOutput({ x: "y" });

const user = new probe.Thing("user", {
    label: plain.result,
    names: all.names,
});

export const results = [plain.result, eventual.result, joined.result, scalar];

export const members = plain.list.apply((list) =>
    list.map((one) => `member ${one}`),
);

export const withOptions = probe.getThingOutput(
    { name: "z" },
    { parent: thing, dependsOn: [user] },
).result;
