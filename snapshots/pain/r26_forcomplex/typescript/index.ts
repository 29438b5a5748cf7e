import * as pulumi from "@pulumi/pulumi";

function fromUniqueEntries<T>(
    entries: [string | number, T][],
): Record<string, T> {
    const result = Object.fromEntries(entries);
    if (Object.keys(result).length < entries.length) {
        throw new Error("two elements have the same key");
    }
    return result;
}

function groupByKey<T>(pairs: [string, T][]): Record<string, T[]> {
    const groups: Record<string, T[]> = {};
    pairs.forEach(([key, value]) => (groups[key] ??= []).push(value));
    return groups;
}

function requireMembers<T>(value: T, place: string, ...paths: string[]): T {
    const members: any = value ?? {};
    const all = Object.keys(members);
    const each = Array.isArray(value) ? all : all.sort();
    for (const [step, ...rest] of paths.map((path) => path.split("/"))) {
        const name = step.replace(/~1/g, "/");
        for (const key of step === "*" ? each : [name]) {
            const inner = Array.isArray(value) ? `[${key}]` : `.${key}`;
            if (rest.length > 0) {
                requireMembers(members[key], place + inner, rest.join("/"));
            } else if (value != null && members[key] == null) {
                throw new Error(`${place + inner} is not set`);
            }
        }
    }
    return value;
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.keys(values)
        .sort()
        .map((key) => [key, values[key]]);
}

const config = new pulumi.Config();

const users = requireMembers(
    config.requireObject<{ name: string; tags: Record<string, string> }[]>(
        "users",
    ),
    "main.pp:1:8: users",
    "*/name",
    "*/tags",
);

const byName = fromUniqueEntries(
    users
        .filter((u) => Object.keys(u.tags).length > 1)
        .map((u) => [u.name, u.tags]),
);

const grp = groupByKey(users.map((u) => [u.name, u.tags]));

const nested = users.map((u) =>
    sortedEntries(u.tags).map(([k, v]) => `${k}=${v}`),
);

export const a = byName;
export const b = grp;
export const c = nested;
