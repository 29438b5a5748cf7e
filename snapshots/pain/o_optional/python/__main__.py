from typing import Any

import pulumi
import pulumi_command as command
import pulumi_random as random


def require_value(value: Any, problem: str) -> Any:
    """The value; one that is not set is an error."""
    if value is None:
        raise ValueError(problem)
    return value


pet = random.RandomPet("pet")

copy = random.RandomPet(
    "copy", prefix=pet.prefix, keepers=pet.keepers, length=pet.length
)

ran = command.local.run_output(command=pet.separator, dir=pet.prefix)

pulumi.export(
    "text",
    pulumi.Output.all(stdout=ran.stdout, prefix=pet.prefix).apply(
        lambda args: f"{args['stdout']}-{require_value(args['prefix'], 'main.pp:12:28: pet.prefix is not set')}"
    ),
)

pulumi.export(
    "fallback", pet.prefix.apply(lambda prefix: "none" if prefix is None else prefix)
)
