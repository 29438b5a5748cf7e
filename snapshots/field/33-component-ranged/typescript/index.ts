import * as pulumi from "@pulumi/pulumi";
import { Team } from "./team";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.keys(values)
        .sort()
        .map((key) => [key, values[key]]);
}

const config = new pulumi.Config();

const teams = config.getObject<
    Record<string, { description?: string; members?: string[] }>
>("teams") ?? {
    core: { description: "Core team", members: ["ann", "ben"] },
    docs: { description: "Docs team", members: ["cleo"] },
};

const team: Record<string, Team> = {};
for (const [key, value] of sortedEntries(teams)) {
    team[key] = new Team(`team-${key}`, {
        name: key,
        description: value.description!,
        members: value.members!,
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
