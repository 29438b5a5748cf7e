import pulumi
import pulumi_random as random

pw = random.RandomPassword("pw", length=8)

pulumi.export(
    "j",
    pulumi.Output.json_dumps(
        {"Version": "2012-10-17", "pw": pw.result, "arr": [1, 2.5, True, None]}
    ),
)

pulumi.export("s", pulumi.Output.secret(pw.result))
