// `[*]` and `.*` over plain lists, outputs and resources.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();

const servers = config.getObject<{ name?: string; ports?: number[] }[]>(
    "servers",
) ?? [{ name: "a", ports: [80] }];

const thing = new probe.Thing("thing", {});

const many: probe.Thing[] = [];
for (let i = 0; i < 2; i++) {
    many.push(new probe.Thing(`many-${i}`, { label: `many ${i}` }));
}

const last = new probe.Thing("last", { names: many.map((thing) => thing.out) });

export const plainNames = servers.map((server) => server.name);
export const plainPorts = servers.map((server) => server.ports?.[0]);
export const eventual = thing.list.apply((list) => list.map((item) => item.s));
export const attributeSplat = many.map((thing) => thing.out);

export const nested = many.map((thing) =>
    thing.list.apply((list) => list.map((item) => item.s)),
);
