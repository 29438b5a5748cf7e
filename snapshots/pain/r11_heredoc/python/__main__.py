import pulumi

config = pulumi.Config()
name = config.require("name")

a = f"""\
#!/bin/bash
echo `date` ${{HOME}} \"{name}" \\n 'q' ""\"
{'yes' if name == 'x' else 'no'}
"""

b = 'tick ` dollar ${x} pct %{y} quote " back \\ tab \t nl \n uni é'

pulumi.export("a", a)
pulumi.export("b", b)
