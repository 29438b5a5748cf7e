import base64
import hashlib
from pathlib import Path

import pulumi
import pulumi_command as command

script = command.local.Command(
    "script",
    create=Path("main.pp").read_text(encoding="utf-8"),
    stdin=f"{Path('main.pp').read_text(encoding='utf-8')}-{base64.b64encode(Path('main.pp').read_bytes()).decode()}",
)

pulumi.export(
    "digest",
    hashlib.sha1(Path("main.pp").read_text(encoding="utf-8").encode()).hexdigest(),
)
