import * as pulumi from "@pulumi/pulumi";

function groupByKey<T>(pairs: [string, T][]): Record<string, T[]> {
    const groups: Record<string, T[]> = {};
    for (const [key, value] of pairs) {
        (groups[key] ??= []).push(value);
    }
    return groups;
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.keys(values)
        .sort()
        .map((key) => [key, values[key]]);
}

const config = new pulumi.Config();

const users =
    config.requireObject<{ name?: string; tags?: Record<string, string> }[]>(
        "users",
    );

const byName = Object.fromEntries(
    users.filter((u) => u.name !== "x").map((u) => [u.name!, u.tags]),
);

const grp = groupByKey(users.map((u) => [u.name!, u.tags]));

const nested = users.map((u) =>
    sortedEntries(u.tags ?? {}).map(([k, v]) => `${k}=${v}`),
);

export const a = byName;
export const b = grp;
export const c = nested;
