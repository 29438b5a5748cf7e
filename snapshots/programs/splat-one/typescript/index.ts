// `[*]` over something that is no list: a list of that one thing, or of nothing.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

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

const server = requireMembers(
    config.getObject<{ name: string }>("server"),
    "splat-one.pp:3:8: server",
    "name",
) ?? { name: "a" };

const maybe = config.get("maybe");

const thing = new probe.Thing("thing", {});

export const plain = [server.name];
export const missing = maybe == null ? [] : [maybe];
export const eventual = thing.obj.apply((obj) => (obj == null ? [] : [obj?.s]));
