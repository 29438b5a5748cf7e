// A resource that there is or is not.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const enabled = config.getBoolean("enabled") ?? true;

const always = new probe.Thing("always");

const sometimes = enabled
    ? new probe.Thing("sometimes", { label: always.out })
    : undefined;

export const name = enabled ? sometimes?.out : always.out;
export const maybe = sometimes?.out;
