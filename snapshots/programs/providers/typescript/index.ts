// Providers of one's own.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const region = config.get("region") ?? "south";

const regional = new probe.Provider(
    "regional",
    { region },
    { envVarMappings: { PROBE_TOKEN: "SOUTH_TOKEN" } },
);

const thing = new probe.Thing(
    "thing",
    { label: `in ${region}` },
    { provider: regional },
);

const group = new probe.Group(
    "group",
    { size: 2 },
    { providers: { probe: regional } },
);

export const asked = probe.getThingOutput(
    { name: "a" },
    { provider: regional },
).result;

export const inner = group.thing.out;
