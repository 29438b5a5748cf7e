// Resources that exist already.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const fresh = new probe.Thing("fresh", {});
const existing = probe.Thing.get("existing", "thing-1");

const related = probe.Thing.get(
    "related",
    fresh.id,
    { out: "known" },
    { parent: fresh },
);

export const found = pulumi.interpolate`${existing.out} ${related.id}`;
