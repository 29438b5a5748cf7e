// The functions that every program has.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";
import * as crypto from "crypto";
import * as fs from "fs";

function element<T>(values: T[], index: number): T {
    return values[((index % values.length) + values.length) % values.length];
}

function singleOrNone<T>(values: T[]): T | undefined {
    if (values.length > 1) {
        throw new Error("expected at most one element");
    }
    return values[0];
}

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

const config = new pulumi.Config();
const names = config.getObject<string[]>("names") ?? ["a", "b"];
const tags = config.getObject<Record<string, string>>("tags") ?? { a: "1" };
const count = config.getNumber("count") ?? 3;

const thing = new probe.Thing("thing", { label: names.join(", ") });

export const lists = [
    element(names, count),
    names.length,
    "a,b".split(","),
    Array.from({ length: 3 }, (_, i) => i),
    Array.from({ length: count - 1 }, (_, i) => 1 + i),
    singleOrNone(["only"]),
];

export const maps = [
    tags.a ?? "none",
    Object.keys(tags).length,
    sortedEntries(tags).map(([key, value]) => ({ key, value })),
];

export const numbers = [Math.max(1, count, 2), Math.min(count, 4)];

export const texts = [
    JSON.stringify({ b: names, a: count }),
    Buffer.from("hi").toString("base64"),
    Buffer.from("aGk=", "base64").toString(),
    crypto.createHash("sha1").update("hi").digest("hex"),
    [...new Intl.Segmenter().segment("héllo")].length,
];

export const files = [
    fs.readFileSync("a.txt", "utf8"),
    fs.readFileSync("b.bin", "base64"),
    crypto
        .createHash("sha256")
        .update(fs.readFileSync("b.bin"))
        .digest("base64"),
];

export const surroundings = [
    pulumi.getStack(),
    pulumi.getProject(),
    pulumi.getOrganization(),
    process.cwd(),
    pulumi.getRootDirectory(),
];

export const eventual = [
    thing.names.apply((names) => names.join("-")),
    thing.list.apply((list) => list.length),
    thing.out.apply((out) => out.split(",")),
    thing.names.apply((names) => names[0]),
];

export const eventualJson = pulumi.jsonStringify({
    name: thing.out,
    tags: thing.tags,
    fixed: [1, true, null],
});

export const about = [pulumi.resourceType(thing), pulumi.resourceName(thing)];
