import pulumi
import pulumi_command as command
import pulumi_random as random

pet = random.RandomPet("pet")
pw = random.RandomPassword("pw", length=8)

policy = pulumi.Output.json_dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Action": ["s3:*", pulumi.Output.format("list:{0}", pet.id)],
                "Resource": pulumi.Output.format("{0}/*", pet.id),
                "Count": pet.length,
                "On": pw.special,
            }
        ],
    }
)

apply = command.local.Command("apply", create=policy)

pulumi.export("policy", policy)
