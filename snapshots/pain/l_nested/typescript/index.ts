import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const e = config.requireBoolean("e");

export const o = e ? [1, 2] : [];
export const p = e ? "a" : "1";
