// A copy of a resource for each member of a map.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.keys(values)
        .sort()
        .map((key) => [key, values[key]]);
}

const config = new pulumi.Config();

const machines = config.getObject<
    Record<string, { size?: number; peer?: string }>
>("machines") ?? {
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
