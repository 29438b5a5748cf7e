// A component used plainly, for each member of a map, and so many times.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";
import { Worker } from "./worker";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.keys(values)
        .sort()
        .map((key) => [key, values[key]]);
}

const config = new pulumi.Config();

const teams = config.getObject<Record<string, { size?: number }>>("teams") ?? {
    web: { size: 2 },
};

const seed = new probe.Thing("seed", {});

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
        size: value.size!,
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
export const all = spare.map((worker) => worker.name);
