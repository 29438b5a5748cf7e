import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as random from "@pulumi/random";
import * as std from "@pulumi/std";

const config = new pulumi.Config();
const cidr = config.get("cidr") ?? "10.20.0.0/16";
const csv = config.get("csv") ?? "name,port\nweb,80\napi,8080";

const subnet = std.cidrsubnetOutput({
    input: cidr,
    newbits: 4,
    netnum: 2,
}).result;

export const host = std.cidrhostOutput({ input: subnet, host: 5 }).result;
const rows = std.csvdecodeOutput({ input: csv }).result;

const title = std.titleOutput({
    input: std.replaceOutput({ text: "hello-world", search: "-", replace: " " })
        .result,
}).result;

const message = std.formatOutput({
    input: "%s has %d subnets",
    args: [title, 4],
}).result;

export const merged = std.mergeOutput({
    input: [{ a: "1", b: "2" }, { b: "3" }],
}).result;

const parts = std.splitOutput({ separator: ",", text: "x,y,z" }).result;
export const flat = std.flattenOutput({ input: [["a"], ["b", "c"]] }).result;

const vpc = new digitalocean.Vpc("vpc", {
    region: "nyc3",
    ipRange: subnet,
    description: message,
});

const pet = new random.RandomPet("pet", {
    prefix: std.lowerOutput({
        input: std.joinOutput({ separator: "-", input: parts }).result,
    }).result,
});

const encoded = new digitalocean.SpacesBucketObject("encoded", {
    bucket: "b",
    key: "k",
    region: "nyc3",
    contentBase64: std.base64encodeOutput({ input: pet.id }).result,
    etag: std.md5Output({ input: "static" }).result,
});

export const firstRow = rows[0].name;

export const shout = std.upperOutput({
    input: pulumi.interpolate`${vpc.region}-${pet.id}`,
}).result;
