import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";

const upload = new command.remote.CopyToRemote("upload", {
    connection: {
        host: "203.0.113.5",
        user: "root",
        privateKey: "key",
    },
    source: new pulumi.asset.FileAsset("./index.html"),
    remotePath: "/var/www/index.html",
});

const site = new command.remote.CopyToRemote("site", {
    connection: { host: "203.0.113.5", port: 2222 },
    source: new pulumi.asset.FileArchive("./site"),
    remotePath: "/var/www",
    triggers: [new pulumi.asset.FileAsset("./index.html"), "v2"],
});

const inline = new command.remote.CopyToRemote(
    "inline",
    {
        connection: { host: "203.0.113.5" },
        source: new pulumi.asset.StringAsset("<h1>Hello</h1>\n"),
        remotePath: "/var/www/hello.html",
    },
    { dependsOn: [site] },
);

const bundle = new command.remote.CopyToRemote("bundle", {
    connection: { host: "203.0.113.5" },
    source: new pulumi.asset.AssetArchive({
        "readme.txt": new pulumi.asset.StringAsset("read me"),
        "app/index.js": new pulumi.asset.FileAsset("./index.html"),
        lib: new pulumi.asset.FileArchive("./site"),
        "remote.css": new pulumi.asset.RemoteAsset(
            "https://example.com/style.css",
        ),
        vendor: new pulumi.asset.RemoteArchive(
            "https://example.com/vendor.tar.gz",
        ),
    }),
    remotePath: "/srv/bundle",
});

export const asset = new pulumi.asset.FileAsset("./index.html");
