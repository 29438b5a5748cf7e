// A component used plainly, for each member of a map, and so many times.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";
import { Worker } from "./worker";

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

const teams = requireMembers(
    config.getObject<Record<string, { size: number }>>("teams"),
    "main.pp:3:8: teams",
    "*/size",
) ?? { web: { size: 2 } };

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
export const all = spare.map((worker) => worker.name);
