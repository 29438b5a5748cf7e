import * as pulumi from "@pulumi/pulumi";
import { Team } from "./team";

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
