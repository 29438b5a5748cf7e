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
    for (const [key, value] of pairs) {
        (groups[key] ??= []).push(value);
    }
    return groups;
}

function requireMembers<T>(value: T, name: string, ...paths: string[]): T {
    function check(item: any, place: string, [step, ...rest]: string[]) {
        if (item == null) {
            return;
        }
        if (Array.isArray(item)) {
            item.forEach((element, index) => {
                check(element, `${place}[${index}]`, rest);
            });
        } else if (step === "*") {
            for (const key of Object.keys(item).sort()) {
                check(item[key], `${place}.${key}`, rest);
            }
        } else {
            const member = step.replace(/~1/g, "/");
            if (rest.length > 0) {
                check(item[member], `${place}.${member}`, rest);
            } else if (item[member] == null) {
                throw new Error(`${place}.${member} is not set`);
            }
        }
    }
    paths.forEach((path) => check(value, name, path.split("/")));
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
    users.filter((u) => u.name !== "x").map((u) => [u.name, u.tags]),
);

const grp = groupByKey(users.map((u) => [u.name, u.tags]));

const nested = users.map((u) =>
    sortedEntries(u.tags).map(([k, v]) => `${k}=${v}`),
);

export const a = byName;
export const b = grp;
export const c = nested;
