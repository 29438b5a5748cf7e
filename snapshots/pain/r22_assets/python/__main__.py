import pulumi
import pulumi_command as command

c = command.local.Command(
    "c",
    create="echo",
    asset_paths=["*.txt"],
    archive_paths=[],
    environment={"A": "b", "x-y": "1"},
    triggers=["a", 1, True, {"k": [1]}],
)

pulumi.export("a", c.stdout)
pulumi.export("f", pulumi.FileAsset("./x.txt"))
pulumi.export("g", pulumi.RemoteAsset("https://x/y"))
pulumi.export("h", pulumi.AssetArchive({"a": pulumi.StringAsset("x")}))
