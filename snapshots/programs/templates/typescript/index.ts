// Text put together from plain values and from values that are known only at deployment.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const person = config.require("person");
const many = config.getNumber("many") ?? 2;
const formal = config.getBoolean("formal") ?? false;
const items = config.getObject<string[]>("items") ?? ["a", "b"];

const thing = new probe.Thing("thing", { label: `plain ${person}` });

export const onlyOne = many;
export const plain = `Hello ${person}, ${many} {new} messages, 100% $done`;
export const eventual = pulumi.interpolate`${thing.out}/${thing.int}`;
export const both = pulumi.interpolate`${person}: {${thing.out}} ${many + 1}`;
export const twice = pulumi.interpolate`${thing.out} and ${thing.out}`;
export const conditional = `Dear ${formal ? `Dr. ${person}` : "friend"},`;
export const joined = items.map((item, i) => `${i}=${item};`).join("");

export const joinedEventually = thing.names.apply((names) =>
    names.map((name) => `<${name}>`).join(""),
);

export const stripped = `a${person}b`;
export const nested = `outer inner ${person} end`;
