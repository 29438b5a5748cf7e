import * as pulumi from "@pulumi/pulumi";
import {
    fromUniqueEntries,
    groupByKey,
    requireMembers,
    sortedEntries,
} from "./helpers";

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
