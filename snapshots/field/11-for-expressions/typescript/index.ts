import * as pulumi from "@pulumi/pulumi";
import * as github from "@pulumi/github";
import { groupByKey, requireMembers, sortedEntries } from "./helpers";

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
