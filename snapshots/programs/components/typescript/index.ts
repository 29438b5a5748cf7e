// A component used plainly, for each member of a map, and so many times.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";
import { Worker } from "./worker";

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

const teams = requireMembers(
    config.getObject<Record<string, { size: number }>>("teams"),
    "main.pp:3:8: teams",
    "*/size",
) ?? { web: { size: 2 } };

const seed = new probe.Thing("seed");

const single = new Worker(
    "single",
    {
        label: "single",
        seed: seed.out,
    },
    {
        parent: seed,
        dependsOn: [seed],
    },
);

const team: Record<string, Worker> = {};
for (const [key, value] of sortedEntries(teams)) {
    team[key] = new Worker(`team-${key}`, {
        label: key,
        size: value.size,
        seed: seed.out,
    });
}

const spare: Worker[] = [];
for (let i = 0; i < 2; i++) {
    spare.push(
        new Worker(`spare-${i}`, {
            label: `spare-${i}`,
            seed: "none",
        }),
    );
}

export const names = [single.name, team.web.name, spare[0].name];
export const all = spare.map((item) => item.name);
