// Every type a setting can have, with and without a default.

import * as pulumi from "@pulumi/pulumi";

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
