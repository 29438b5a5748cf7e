import json
from typing import Any, Optional

import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean


def json_or_text(text: Optional[str], default: Any = None) -> Any:
    """The JSON value in a text of the configuration, or the text itself."""
    try:
        return default if text is None else json.loads(text, parse_constant=str)
    except ValueError:
        return text


config = pulumi.Config()
region = config.get("region", "sfo3")
anything = json_or_text(config.require("anything"))

pools = ["s-1vcpu-2gb", "custom-slug"]

node = [
    digitalocean.Droplet(
        f"node-{i}", image="ubuntu-24-04-x64", size=pool, region=region
    )
    for i, pool in enumerate(pools)
]

volume = digitalocean.Volume(
    "volume",
    region=node[0].region,
    size=50,
    initial_filesystem_type=(
        digitalocean.FileSystemType.XFS
        if region == "sfo3"
        else digitalocean.FileSystemType.EXT4
    ),
)

run = command.local.Command(
    "run",
    create="echo hi",
    triggers=[
        1,
        "two",
        True,
        None,
        [volume.id, 4],
        {"key": node[1].name, "deep": {"flag": False}},
        volume.size,
    ],
)

stash = pulumi.Stash(
    "stash",
    input={"list": [1, "a", volume.id], "object": {"nested": anything}, "text": "x"},
)

decoded = pulumi.Output.json_loads('{"a":{"b":[1,2]}}')

pulumi.export("viaAny", anything["some"]["path"])
pulumi.export("decoded", decoded)
pulumi.export("stashed", stash.output)
