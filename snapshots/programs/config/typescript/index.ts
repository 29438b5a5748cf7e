// Every type a setting can have, with and without a default.

import * as pulumi from "@pulumi/pulumi";

/** The JSON value in a text of the configuration, or the text itself. */
function jsonOrText<T>(text: any): T {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

function requireMembers<T>(value: T, place: string, ...names: string[]): T {
    const members: any = value;
    for (const name of value == null ? [] : names) {
        if (members[name] == null) {
            throw new Error(`${place}.${name} is not set`);
        }
    }
    return value;
}

const config = new pulumi.Config();
const text = config.require("text");
const count = config.getNumber("count") ?? 3;
const ratio = config.getNumber("ratio") ?? 0.5;
const verbose = config.getBoolean("verbose") ?? false;
const anything = jsonOrText<any>(config.get("anything")) ?? { mode: "auto" };
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
    pulumi.secret<Record<string, string>>({ main: "hush" });

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
