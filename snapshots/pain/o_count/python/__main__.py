import pulumi
import pulumi_random as random


def whole_number(value: float) -> int:
    """The number as an int, which it must be."""
    if value != int(value):
        raise ValueError(f"expected a whole number, found {value}")
    return int(value)


config = pulumi.Config()
many = config.get_float("many", 2)
some = [random.RandomPet(f"some-{i}") for i in range(whole_number(many))]

pulumi.export("ids", [p.id for p in some])
