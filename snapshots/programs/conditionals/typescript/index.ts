// Choices between plain and eventual values; in chains; with null.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const production = config.getBoolean("production") ?? false;
const size = config.getNumber("size") ?? 1;

const thing = new probe.Thing("thing", {
    label: production ? "large" : "small",
    size: production ? 4 : undefined,
    names: production ? ["a", "b"] : [],
    obj: production ? { s: "x", n: 1 } : { s: "y" },
});

const second = new probe.Thing("second", {
    label: thing.flag.apply((flag) => (flag ? "on" : "off")),
    size: thing.int.apply((int) => (int > 3 ? int : size)),
    plainFlag: production,
});

export const chain =
    size === 1 ? "one" : size === 2 ? "two" : production ? "many" : "some";

export const eventualCondition = thing.flag.apply((flag) =>
    flag ? thing.out : pulumi.output("nothing"),
);

export const eventualBranch = production ? thing.out : "nothing";
export const missing = thing.maybe.apply((maybe) => maybe ?? "none");
