import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import { WebServer } from "./webServer";

const frontend = new WebServer("frontend", {
    name: "frontend",
    image: "ubuntu-24-04-x64",
    tags: ["web", "public"],
});

const backend = new WebServer("backend", {
    name: "backend",
    image: "debian-12-x64",
    region: "fra1",
});

const record = new digitalocean.DnsRecord("record", {
    domain: "example.com",
    type: digitalocean.RecordType.A,
    name: "www",
    value: frontend.address,
});

export const frontendAddress = frontend.address;
export const backendUrl = pulumi.interpolate`http://${backend.address}:${backend.port}/`;
