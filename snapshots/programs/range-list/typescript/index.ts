// A copy of a resource for each member of a list.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

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
