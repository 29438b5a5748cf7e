import * as pulumi from "@pulumi/pulumi";
import { canRun, firstToRun, requireMembers } from "./helpers";

const config = new pulumi.Config();

const o = requireMembers(
    config.requireObject<{ a: string }>("o"),
    "main.pp:1:8: o",
    "a",
);

export const x = firstToRun(
    () => o.a,
    () => "d",
);

export const y = canRun(() => o.a);
