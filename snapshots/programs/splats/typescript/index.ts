// `[*]` and `.*` over plain lists, outputs and resources.

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

const servers = requireMembers(
    config.getObject<{ name: string; ports: number[] }[]>("servers"),
    "splats.pp:3:8: servers",
    "*/name",
    "*/ports",
) ?? [{ name: "a", ports: [80] }];

const thing = new probe.Thing("thing", {});

const many: probe.Thing[] = [];
for (let i = 0; i < 2; i++) {
    many.push(new probe.Thing(`many-${i}`, { label: `many ${i}` }));
}

const last = new probe.Thing("last", { names: many.map((thing) => thing.out) });

export const plainNames = servers.map((server) => server.name);
export const plainPorts = servers.map((server) => server.ports[0]);
export const eventual = thing.list.apply((list) => list.map((item) => item.s));
export const attributeSplat = many.map((thing) => thing.out);

export const nested = many.map((thing) =>
    thing.list.apply((list) => list.map((item) => item.s)),
);
