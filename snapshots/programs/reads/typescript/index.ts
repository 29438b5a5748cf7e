// Resources that exist already.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const fresh = new probe.Thing("fresh");
const existing = probe.Thing.get("existing", "thing-1");

const related = probe.Thing.get(
    "related",
    fresh.id,
    { out: "known" },
    { parent: fresh },
);

// What is read can be the element of a range, and nothing else be said of it.
const several: Record<string, probe.Thing> = {};
for (const [key, value] of Object.entries({
    first: "thing-2",
    second: "thing-3",
})) {
    several[key] = probe.Thing.get(`several-${key}`, value);
}

const counted: probe.Thing[] = [];
for (const [i, value] of ["thing-4", "thing-5"].entries()) {
    counted.push(probe.Thing.get(`counted-${i}`, value));
}

export const found = pulumi.interpolate`${existing.out} ${related.id}`;
