import * as pulumi from "@pulumi/pulumi";
import { Team } from "./team";

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
    config.getObject<
        Record<string, { description: string; members: string[] }>
    >("teams"),
    "main.pp:1:8: teams",
    "*/description",
    "*/members",
) ?? {
    core: { description: "Core team", members: ["ann", "ben"] },
    docs: { description: "Docs team", members: ["cleo"] },
};

const team: Record<string, Team> = {};
for (const [key, value] of sortedEntries(teams)) {
    team[key] = new Team(`team-${key}`, {
        name: key,
        description: value.description,
        members: value.members,
    });
}

const sandbox: Team[] = [];
for (let i = 0; i < 2; i++) {
    sandbox.push(
        new Team(`sandbox-${i}`, {
            name: `sandbox-${i}`,
            description: "Playground",
            members: [],
        }),
    );
}

export const coreSlug = team.core.slug;
export const firstSandbox = sandbox[0].slug;
