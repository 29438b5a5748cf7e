import pulumi
import pulumi_command as command

upload = command.remote.CopyToRemote(
    "upload",
    connection={"host": "203.0.113.5", "user": "root", "private_key": "key"},
    source=pulumi.FileAsset("./index.html"),
    remote_path="/var/www/index.html",
)

site = command.remote.CopyToRemote(
    "site",
    connection={"host": "203.0.113.5", "port": 2222},
    source=pulumi.FileArchive("./site"),
    remote_path="/var/www",
    triggers=[pulumi.FileAsset("./index.html"), "v2"],
)

inline = command.remote.CopyToRemote(
    "inline",
    connection={"host": "203.0.113.5"},
    source=pulumi.StringAsset("<h1>Hello</h1>\n"),
    remote_path="/var/www/hello.html",
    opts=pulumi.ResourceOptions(depends_on=site),
)

bundle = command.remote.CopyToRemote(
    "bundle",
    connection={"host": "203.0.113.5"},
    source=pulumi.AssetArchive(
        {
            "readme.txt": pulumi.StringAsset("read me"),
            "app/index.js": pulumi.FileAsset("./index.html"),
            "lib": pulumi.FileArchive("./site"),
            "remote.css": pulumi.RemoteAsset("https://example.com/style.css"),
            "vendor": pulumi.RemoteArchive("https://example.com/vendor.tar.gz"),
        }
    ),
    remote_path="/srv/bundle",
)

pulumi.export("asset", pulumi.FileAsset("./index.html"))
