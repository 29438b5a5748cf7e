// Attempts that may fail.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";
import { can, firstOf, jsonOrText } from "./helpers";

const config = new pulumi.Config();

const settings = jsonOrText<any>(config.get("settings")) ?? {
    a: { b: "deep" },
};

const thing = new probe.Thing("thing");

export const plain = firstOf<any>(
    () => settings.a.b,
    () => settings.c,
    () => "none",
);

export const possible = can(() => settings.a.x);

export const eventual = thing.list.apply((list) =>
    firstOf(
        () => list[3].s,
        () => "short",
    ),
);

export const recovered = pulumi.recover(
    thing.out,
    (error) => `failed: ${error.message ?? error}`,
);
