// `[*]` over something that is no list: a list of that one thing, or of nothing.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const server = config.getObject<{ name?: string }>("server") ?? { name: "a" };
const maybe = config.get("maybe");

const thing = new probe.Thing("thing", {});

export const plain = [server.name];
export const missing = maybe == null ? [] : [maybe];
export const eventual = thing.obj.apply((obj) => (obj == null ? [] : [obj?.s]));
