// Names that the engine sees, where they differ from those in the program.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const region = config.get("cloud-region") ?? "north";

const thing = new probe.Thing("the thing", { label: region });

const many: probe.Thing[] = [];
for (const [i, value] of ["a", "b"].entries()) {
    many.push(new probe.Thing(`copy-${i}`, { label: value }));
}

const some_output = thing.out;
export { some_output as "some.output" };
