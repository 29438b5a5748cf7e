from typing import Any

import pulumi
import pulumi_random as random


def pairs(collection: Any) -> list[tuple[Any, Any]]:
    """Keys and values of a dict in the order of the keys, or positions and elements of a list."""
    if isinstance(collection, dict):
        return sorted(collection.items())
    return list(enumerate(collection))


config = pulumi.Config()
copies = config.require_object("copies")
some = [random.RandomPet(f"some-{i}") for i, _ in pairs(copies)]
