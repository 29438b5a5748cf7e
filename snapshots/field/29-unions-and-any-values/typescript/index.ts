import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";
import * as std from "@pulumi/std";

/** The JSON value in a text of the configuration, or the text itself. */
function jsonOrText<T>(text: any): T {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

const config = new pulumi.Config();
const region = config.get("region") ?? "sfo3";
const anything = jsonOrText<any>(config.require("anything"));

const pools = ["s-1vcpu-2gb", "custom-slug"];

const node: digitalocean.Droplet[] = [];
for (const [i, pool] of pools.entries()) {
    node.push(
        new digitalocean.Droplet(`node-${i}`, {
            image: "ubuntu-24-04-x64",
            size: pool,
            region,
        }),
    );
}

const volume = new digitalocean.Volume("volume", {
    region: node[0].region,
    size: 50,
    initialFilesystemType:
        region === "sfo3"
            ? digitalocean.FileSystemType.XFS
            : digitalocean.FileSystemType.EXT4,
});

const run = new command.local.Command("run", {
    create: "echo hi",
    triggers: [
        1,
        "two",
        true,
        null,
        [volume.id, 4],
        { key: node[1].name, deep: { flag: false } },
        volume.size,
    ],
});

const stash = new pulumi.Stash("stash", {
    input: {
        list: [1, "a", volume.id],
        object: { nested: anything },
        text: "x",
    },
});

export const decoded = std.jsondecodeOutput({
    input: '{"a":{"b":[1,2]}}',
}).result;

export const viaAny = anything.some.path;
export const stashed = stash.output;
