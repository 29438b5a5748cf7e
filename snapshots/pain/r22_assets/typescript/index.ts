import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";

const c = new command.local.Command("c", {
    create: "echo",
    assetPaths: ["*.txt"],
    archivePaths: [],
    environment: { A: "b", "x-y": "1" },
    triggers: ["a", 1, true, { k: [1] }],
});

export const a = c.stdout;
export const f = new pulumi.asset.FileAsset("./x.txt");
export const g = new pulumi.asset.RemoteAsset("https://x/y");

export const h = new pulumi.asset.AssetArchive({
    a: new pulumi.asset.StringAsset("x"),
});
