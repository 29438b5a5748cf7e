// Inputs that take values of more than one type.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const side = config.getNumber("side") ?? 2;

const whole = new probe.Thing("whole", {
    either: 3,
    shape: { form: "circle", radius: 1.5 },
});

const text = new probe.Thing("text", {
    either: "three",
    shape: { form: "square", side },
    shapes: [
        { form: "square", side: 1 },
        { form: "circle", radius: whole.num },
    ],
});
