import * as pulumi from "@pulumi/pulumi";
import * as github from "@pulumi/github";

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
    config.getObject<{ name: string; admin: boolean }[]>("users"),
    "main.pp:1:8: users",
    "*/name",
    "*/admin",
) ?? [
    { name: "alice", admin: true },
    { name: "bob", admin: false },
];

const ports = config.getObject<Record<string, number>>("ports") ?? {
    http: 80,
    https: 443,
};

const names = ["web", "api", "worker"];
const upper = names.map((n) => `svc-${n}`);
const indexed = names.map((n, i) => `${i}-${n}`);
const filtered = names.filter((n) => n !== "worker");

const byName = Object.fromEntries(
    names.map((n) => [n, `https://${n}.example.com`]),
);

const admins = users.filter((u) => u.admin).map((u) => u.name);
const portPairs = sortedEntries(ports).map(([k, v]) => `${k}=${v}`);

const lowPorts = Object.fromEntries(
    Object.entries(ports).filter(([, v]) => v < 100),
);

const byRole = groupByKey(
    users.map((u) => [u.admin ? "admins" : "users", u.name]),
);

const repo = new github.Repository("repo", {
    name: "services",
    topics: names.map((n) => `svc-${n}`),
});

const labels = new github.IssueLabels("labels", {
    repository: repo.name,
    labels: names.map((n) => ({
        name: `area/${n}`,
        color: "cccccc",
        description: `Changes of ${n}`,
    })),
});

const access = new github.RepositoryCollaborators("access", {
    repository: repo.name,
    users: users.map((u) => ({
        username: u.name,
        permission: u.admin ? "admin" : "push",
    })),
});

export const all = {
    upper,
    indexed,
    filtered,
    byName,
    admins,
    ports: portPairs,
    low: lowPorts,
    byRole,
};
