# Files and texts to hand over.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
folder = config.get("folder", "site")

file = probe.Thing("file", asset=pulumi.FileAsset("index.html"))

text = probe.Thing(
    "text", asset=file.out.apply(lambda out: pulumi.StringAsset(f"<p>{out}</p>"))
)

remote = probe.Thing("remote", asset=pulumi.RemoteAsset("https://example.com/logo.png"))

packed = probe.Thing(
    "packed",
    any=pulumi.AssetArchive(
        {
            "index.html": pulumi.StringAsset("<p>hello</p>"),
            "pages": pulumi.FileArchive(f"./{folder}"),
            "more": pulumi.RemoteArchive("https://example.com/more.zip"),
        }
    ),
)
