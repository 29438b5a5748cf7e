// So many copies of a resource.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const count = config.getNumber("count") ?? 2;

const fixed: probe.Thing[] = [];
for (let i = 0; i < 3; i++) {
    fixed.push(new probe.Thing(`fixed-${i}`, { label: `fixed-${i}` }));
}

const counted: probe.Thing[] = [];
for (let i = 0; i < count; i++) {
    counted.push(
        new probe.Thing(
            `counted-${i}`,
            {
                label: fixed[i].out,
                size: i + 1,
            },
            { dependsOn: [fixed[0]] },
        ),
    );
}

export const first = fixed[0].out;
export const all = counted.map((thing) => thing.out);
export const howMany = counted.length;
