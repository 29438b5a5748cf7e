// The versions of Pulumi that the program works with.

import * as pulumi from "@pulumi/pulumi";

pulumi.requirePulumiVersion(">=3.100.0");

export const version = "3.100.0 or newer";
