import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

// What an output is may be used by its name.
// The port of the service.
export const port = 80;

export const place = "here";

const thing = new probe.Thing("thing", { out: `port ${port} of ${place}` });

export const made = thing.out;

export const whole = [made, pulumi.interpolate`${made}:${port}`];
