// A list as the last arguments of a function.

import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const size = config.getNumber("size") ?? 2;

export const largest = Math.max(3, size, 1);
export const withOthers = Math.max(0, size, 5);
