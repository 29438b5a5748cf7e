// A namespace for each team, with limits, rights and a fence around it.

import * as pulumi from "@pulumi/pulumi";
import * as kubernetes from "@pulumi/kubernetes";
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

// The teams by name: what they may use, and who administers it.
const teams = requireMembers(
    config.getObject<
        Record<string, { cpu: string; memory: string; admins: string[] }>
    >("teams"),
    "main.pp:3:8: teams",
    "*/cpu",
    "*/memory",
    "*/admins",
) ?? {
    orders: { cpu: "4", memory: "8Gi", admins: ["ada@example.com"] },
    search: {
        cpu: "8",
        memory: "32Gi",
        admins: ["grace@example.com", "edsger@example.com"],
    },
};

// How to reach the cluster.
const kubeconfig = config.requireSecret("kubeconfig");

const cluster = new kubernetes.Provider("cluster", {
    kubeconfig,
    enableServerSideApply: true,
});

const team: Record<string, Team> = {};
for (const [key, value] of sortedEntries(teams)) {
    team[key] = new Team(
        `team-${key}`,
        {
            name: key,
            cpu: value.cpu,
            memory: value.memory,
            admins: value.admins,
        },
        { providers: [cluster] },
    );
}

export const namespaces = Object.fromEntries(
    Object.entries(team).map(([name, made]) => [name, made.namespace]),
);
