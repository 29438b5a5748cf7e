import pulumi
import pulumi_command as command
import pulumi_random as random

pet = random.RandomPet("pet")

copy = random.RandomPet(
    "copy", prefix=pet.prefix, keepers=pet.keepers, length=pet.length
)

ran = command.local.run_output(command=pet.separator, dir=pet.prefix)

pulumi.export("text", pulumi.Output.format("{0}-{1}", ran.stdout, pet.prefix))

pulumi.export(
    "fallback", pet.prefix.apply(lambda prefix: "none" if prefix is None else prefix)
)
