import json
from typing import Any, Optional

import pulumi
import pulumi_random as random


def json_or_text(text: Optional[str], default: Any = None) -> Any:
    """The JSON value in a text of the configuration, or the text itself."""
    try:
        return default if text is None else json.loads(text, parse_constant=str)
    except ValueError:
        return text


def pairs(collection: Any) -> list[tuple[Any, Any]]:
    """Keys and values of a dict in the order of the keys, or positions and elements of a list."""
    if isinstance(collection, dict):
        return sorted(collection.items())
    if not isinstance(collection, list):
        raise TypeError(f"expected a list or a dict, found {collection!r}")
    return list(enumerate(collection))


config = pulumi.Config()
copies = json_or_text(config.require("copies"))

some = [random.RandomPet(f"some-{i}") for i, _ in pairs(copies)]
