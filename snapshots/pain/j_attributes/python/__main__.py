import json

import pulumi
import pulumi_command as command

first = command.local.Command(
    "first",
    create=json.dumps({"a": 1}, separators=(",", ":")),
    delete=json.dumps({"b": 2}, separators=(",", ":")),
    environment={"DATA": json.dumps(["x"], separators=(",", ":"))},
)

second = command.local.Command(
    "second",
    create=pulumi.Output.json_dumps(
        {"first": first.stdout, "list": [first.stderr]},
        separators=(",", ":"),
        ensure_ascii=False,
    ),
    delete=json.dumps({"c": 3}, separators=(",", ":")),
)
