import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as docker from "@pulumi/docker";
import * as crypto from "crypto";
import * as fs from "fs";

function requireValue<T>(value: T, problem: string): NonNullable<T> {
    if (value == null) {
        throw new Error(problem);
    }
    return value;
}

const userData = fs.readFileSync("user-data.sh", "utf8");
const cert = fs.readFileSync("cert.pem", "base64");

const host = new digitalocean.Droplet("host", {
    image: "debian-12-x64",
    size: digitalocean.DropletSlug.DropletS1VCPU1GB,
    region: digitalocean.Region.TOR1,
    userData,
});

const uploads = new docker.Container("uploads", {
    image: "nginx:1.27",
    uploads: [
        {
            file: "/etc/nginx/conf.d/default.conf",
            content: fs.readFileSync("./nginx.conf", "utf8"),
        },
        {
            file: "/etc/ssl/cert.pem",
            contentBase64: cert,
            sourceHash: crypto
                .createHash("sha256")
                .update(fs.readFileSync("cert.pem"))
                .digest("base64"),
        },
    ],
});

const config = new docker.ServiceConfig("config", {
    name: `nginx-${crypto.createHash("sha1").update(fs.readFileSync("nginx.conf", "utf8")).digest("hex")}`,
    data: Buffer.from(fs.readFileSync("nginx.conf", "utf8")).toString("base64"),
});

export const decoded = config.data.apply((data) =>
    Buffer.from(
        requireValue(data, "main.pp:32:22: config.data is not set"),
        "base64",
    ).toString(),
);

export const where = `${process.cwd()}/${pulumi.getRootDirectory()}`;
