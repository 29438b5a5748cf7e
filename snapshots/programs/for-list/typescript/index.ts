// Lists made from collections.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();
const names = config.getObject<string[]>("names") ?? ["ann", "ben"];

const sizes = config.getObject<Record<string, number>>("sizes") ?? {
    small: 1,
    large: 10,
};

const thing = new probe.Thing("thing", {
    names: names.map((name) => `user-${name}`),
    list: names.flatMap((name, i) =>
        name !== "root" ? [{ s: name, n: i }] : [],
    ),
});

export const literal = [1, 2, 3].filter((n) => n > 1).map((n) => n * 2);

export const overMap = sortedEntries(sizes).map(
    ([key, size]) => `${key}=${size}`,
);

export const overMapValues = sortedEntries(sizes).map(([, size]) => size + 1);

export const nested = names.map((name) =>
    sortedEntries(sizes)
        .filter(([, size]) => size > 1)
        .map(([key]) => `${name}-${key}`),
);

export const overOutput = thing.list.apply((list) =>
    list.filter((item) => item.s !== "root").map((item) => item.s),
);

export const outputInside = names.map(
    (name) => pulumi.interpolate`${name}: ${thing.out}`,
);

export const outputCondition = thing.out.apply((out) =>
    names.filter((name) => name !== out),
);
