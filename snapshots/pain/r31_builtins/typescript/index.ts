import * as pulumi from "@pulumi/pulumi";
import * as crypto from "crypto";
import * as fs from "fs";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

export const a = `${pulumi.getStack()}-${pulumi.getProject()}-${pulumi.getOrganization()}-${process.cwd()}-${pulumi.getRootDirectory()}`;
export const b = ["a"].join(",");
export const c = "a,b".split(",");
export const d = ["a"].length;
export const e = ["a"][0];
export const f = { a: "1" }.a;
export const g = Buffer.from("x").toString("base64");
export const h = Buffer.from("eA==", "base64").toString();
export const i = crypto.createHash("sha1").update("x").digest("hex");
export const k = fs.readFileSync("a.txt", "utf8");
export const l = fs.readFileSync("a.txt", "base64");

export const n = sortedEntries({ a: 1 }).map(([key, value]) => ({
    key,
    value,
}));
