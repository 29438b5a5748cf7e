import json

import pulumi
import pulumi_command as command

first = command.local.Command(
    "first",
    create=json.dumps({"a": 1}),
    delete=json.dumps({"b": 2}),
    environment={"DATA": json.dumps(["x"])},
)

second = command.local.Command(
    "second",
    create=pulumi.Output.json_dumps({"first": first.stdout, "list": [first.stderr]}),
    delete=json.dumps({"c": 3}),
)
