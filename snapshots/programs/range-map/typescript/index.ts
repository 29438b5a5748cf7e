// A copy of a resource for each member of a map.

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

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();

const machines = requireMembers(
    config.getObject<Record<string, { size: number; peer?: string }>>(
        "machines",
    ),
    "range-map.pp:3:8: machines",
    "*/size",
) ?? {
    front: { size: 2 },
    back: { size: 4, peer: "front" },
};

const machine: Record<string, probe.Thing> = {};
for (const [key, value] of sortedEntries(machines)) {
    machine[key] = new probe.Thing(`machine-${key}`, {
        label: `${key}-machine`,
        size: value.size,
        maybe: value.peer,
    });
}

export const addresses = Object.fromEntries(
    Object.entries(machine).map(([name, one]) => [name, one.out]),
);

export const front = machine.front.out;
