// A copy of a resource for each member of a list.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();

const usersConfig = config.getObject<{ name?: string; admin?: boolean }[]>(
    "users",
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
