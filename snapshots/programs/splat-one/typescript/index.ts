// `[*]` over something that is no list: a list of that one thing, or of nothing.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

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

const server = requireMembers(
    config.getObject<{ name: string }>("server"),
    "splat-one.pp:3:8: server",
    "name",
) ?? { name: "a" };

const maybe = config.get("maybe");

const thing = new probe.Thing("thing");

export const plain = [server.name];
export const missing = maybe == null ? [] : [maybe];
export const eventual = thing.obj.apply((obj) => (obj == null ? [] : [obj?.s]));
