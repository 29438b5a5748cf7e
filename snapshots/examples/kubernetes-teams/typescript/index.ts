// A namespace for each team, with limits, rights and a fence around it.

import * as pulumi from "@pulumi/pulumi";
import * as kubernetes from "@pulumi/kubernetes";
import { Team } from "./team";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.keys(values)
        .sort()
        .map((key) => [key, values[key]]);
}

const config = new pulumi.Config();

// The teams by name: what they may use, and who administers it.
const teams = config.getObject<
    Record<string, { cpu?: string; memory?: string; admins?: string[] }>
>("teams") ?? {
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
            cpu: value.cpu!,
            memory: value.memory!,
            admins: value.admins!,
        },
        { providers: [cluster] },
    );
}

export const namespaces = Object.fromEntries(
    Object.entries(team).map(([name, made]) => [name, made.namespace]),
);
