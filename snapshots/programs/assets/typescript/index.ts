// Files and texts to hand over.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();
const folder = config.get("folder") ?? "site";

const file = new probe.Thing("file", {
    asset: new pulumi.asset.FileAsset("index.html"),
});

const text = new probe.Thing("text", {
    asset: file.out.apply(
        (out) => new pulumi.asset.StringAsset(`<p>${out}</p>`),
    ),
});

const remote = new probe.Thing("remote", {
    asset: new pulumi.asset.RemoteAsset("https://example.com/logo.png"),
});

const packed = new probe.Thing("packed", {
    any: new pulumi.asset.AssetArchive({
        "index.html": new pulumi.asset.StringAsset("<p>hello</p>"),
        pages: new pulumi.asset.FileArchive(`./${folder}`),
        more: new pulumi.asset.RemoteArchive("https://example.com/more.zip"),
    }),
});
