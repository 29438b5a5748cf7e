// A namespace for each team, with limits, rights and a fence around it.

import * as pulumi from "@pulumi/pulumi";
import * as kubernetes from "@pulumi/kubernetes";
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
