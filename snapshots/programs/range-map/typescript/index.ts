// A copy of a resource for each member of a map.

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

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.keys(values)
        .sort()
        .map((key) => [key, values[key]]);
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
