// A copy of a resource for each member of a list.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

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

const config = new pulumi.Config();

const usersConfig = requireMembers(
    config.getObject<{ name: string; admin: boolean }[]>("users"),
    "range-list.pp:3:8: users",
    "*/name",
    "*/admin",
) ?? [{ name: "ann", admin: true }];

const zone: probe.Thing[] = [];
for (const [i, value] of ["a", "b"].entries()) {
    zone.push(new probe.Thing(`zone-${i}`, { label: `${i}: ${value}` }));
}

const user: probe.Thing[] = [];
for (const [i, value] of usersConfig.entries()) {
    user.push(
        new probe.Thing(
            `user-${i}`,
            {
                label: value.name,
                size: value.admin ? 10 : 1,
            },
            { parent: zone[0] },
        ),
    );
}

export const users = user.map((one) => one.out);
