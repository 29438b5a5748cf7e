// `[*]` and `.*` over plain lists, outputs and resources.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

function requireMembers<T>(value: T, place: string, ...paths: string[]): T {
    const members: any = value ?? {};
    const each = Object.keys(members);
    if (!Array.isArray(value)) each.sort();
    for (const [step, ...rest] of paths.map((path) => path.split("/"))) {
        for (const key of step === "*" ? each : [step.replace(/~1/g, "/")]) {
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

const servers = requireMembers(
    config.getObject<{ name: string; ports: number[] }[]>("servers"),
    "splats.pp:3:8: servers",
    "*/name",
    "*/ports",
) ?? [{ name: "a", ports: [80] }];

const thing = new probe.Thing("thing");

const many: probe.Thing[] = [];
for (let i = 0; i < 2; i++) {
    many.push(new probe.Thing(`many-${i}`, { label: `many ${i}` }));
}

const last = new probe.Thing("last", { names: many.map((item) => item.out) });

export const plainNames = servers.map((server) => server.name);
export const plainPorts = servers.map((server) => server.ports[0]);
export const eventual = thing.list.apply((list) => list.map((item) => item.s));
export const attributeSplat = many.map((item) => item.out);

export const nested = many.map((item) =>
    item.list.apply((list) => list.map((item) => item.s)),
);
