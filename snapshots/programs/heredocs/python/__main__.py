# Long texts.

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
user = config.get("user", "web")

thing = probe.Thing(
    "thing",
    label=f"""\
#!/bin/sh
set -eu
  echo "hello {user}" > '/tmp/{{out}}'
printf '100%%\\n' \\
  "${{HOME}}"
""",
)

follower = probe.Thing(
    "follower",
    label=pulumi.Output.format(
        """\
name: {0}
  user: {1}

tags:
{2}""",
        thing.out,
        user,
        "".join([f"  - {name}\n" for name in ["a", "b"]]),
    ),
)

pulumi.export(
    "single",
    """\
just one line
""",
)

pulumi.export(
    "quotes",
    """\
three ""\" quotes ''' and `ticks` and a \\ backslash
""",
)
