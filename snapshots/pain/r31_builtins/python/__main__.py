import base64
import hashlib
import os
from pathlib import Path

import pulumi

pulumi.export(
    "a",
    f"{pulumi.get_stack()}-{pulumi.get_project()}-{pulumi.get_organization()}-{os.getcwd()}-{pulumi.get_root_directory()}",
)

pulumi.export("b", ",".join(["a"]))
pulumi.export("c", "a,b".split(","))
pulumi.export("d", len(["a"]))
pulumi.export("e", ["a"][0])
pulumi.export("f", {"a": "1"}.get("a", "d"))
pulumi.export("g", base64.b64encode("x".encode()).decode())
pulumi.export("h", base64.b64decode("eA==").decode())
pulumi.export("i", hashlib.sha1("x".encode()).hexdigest())
pulumi.export("k", Path("a.txt").read_text(encoding="utf-8"))
pulumi.export("l", base64.b64encode(Path("a.txt").read_bytes()).decode())

pulumi.export(
    "n", [{"key": key, "value": value} for key, value in sorted({"a": 1}.items())]
)
