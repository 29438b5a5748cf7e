// Every type a setting can have, with and without a default.

import * as pulumi from "@pulumi/pulumi";

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

const config = new pulumi.Config();
const text = config.require("text");
const count = config.getNumber("count") ?? 3;
const ratio = config.getNumber("ratio") ?? 0.5;
const verbose = config.getBoolean("verbose") ?? false;
const anything = config.getObject<any>("anything") ?? { mode: "auto" };
const names = config.requireObject<string[]>("names");
const ports = config.getObject<number[]>("ports") ?? [80, 443];

const labels = config.getObject<Record<string, string>>("labels") ?? {
    team: "web",
};

const pair = config.getObject<[string, number]>("pair") ?? ["a", 1];

// Where to connect to
const server = requireMembers(
    config.getObject<{ host: string; port: number; tags: string[] }>("server"),
    "config.pp:37:8: server",
    "host",
    "port",
    "tags",
) ?? { host: "localhost", port: 8080, tags: [] };

const maybe = config.get("maybe");
const nothing = config.get("nothing");
const token = config.requireSecret("token");

const keys =
    config.getSecretObject<Record<string, string>>("keys") ??
    pulumi.secret({ main: "hush" });

const fromEnvironment = config.get("from-environment") ?? pulumi.getStack();

export const all = [
    text,
    count,
    ratio,
    verbose,
    anything,
    names,
    ports,
    labels,
    pair,
    server,
    maybe,
    nothing,
    fromEnvironment,
];

export const host = `${server.host}:${server.port}`;
export const secrets = [token, keys];
