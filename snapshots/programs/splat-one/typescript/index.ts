// `[*]` over something that is no list: a list of that one thing, or of nothing.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

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
