import unicodedata
from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_random as random


def element(values: Sequence[Any], index: int) -> Any:
    """The element at an index that wraps around at the end."""
    return values[index % len(values)]


def grapheme_length(text: str) -> int:
    """The number of characters that a reader sees: marks and joined parts do not count."""
    length, before, flags = 0, "\n", 0
    for c in text:
        kind = unicodedata.category(c)
        flags = flags + 1 if "\U0001f1e6" <= c <= "\U0001f1ff" else 0
        alone = unicodedata.category(before) in ("Cc", "Zl", "Zp") or before == "\u200b"
        extends = kind[0] == "M" or c == "\u200d" or "\U0001f3fb" <= c <= "\U0001f3ff"
        joined = (before == "\u200d" and kind == "So") or before + c == "\r\n"
        length += not (joined or (extends and not alone) or (flags and flags % 2 == 0))
        before = c
    return length


def single_or_none(values: Sequence[Any]) -> Any:
    """The only element of a list, or None if it is empty."""
    if len(values) > 1:
        raise ValueError(f"expected at most one element, found {len(values)}")
    return values[0] if values else None


config = pulumi.Config()
servers = config.get_object("servers", ["alpha", "beta", "gamma"])
sizes = config.get_object("sizes", {"small": "s-1vcpu-1gb", "large": "s-4vcpu-8gb"})
path = config.get("path", "a/b/c")
limit = config.get_int("limit", 5)

picked = sizes.get("small", "s-1vcpu-2gb")
second = element(servers, 1)
joined = ",".join(servers)
pieces = path.split("/")
count = len(servers)
lowest = min(count, limit, 10)
highest = max(count, limit)

pairs = [
    f"{e['key']}:{e['value']}"
    for e in [{"key": key, "value": value} for key, value in sorted(sizes.items())]
]

numbers = list(range(3))
offset = [f"n{i}" for i in range(2, 5)]
only = single_or_none([second])

shuffle = random.RandomShuffle("shuffle", inputs=pieces, result_count=lowest)

pet = random.RandomPet(
    "pet",
    length=shuffle.inputs.apply(len),
    prefix=shuffle.results.apply(lambda results: "-".join(results)),
    separator=shuffle.results.apply(lambda results: results[0]),
)

vm = digitalocean.Droplet(
    "vm",
    image="ubuntu-24-04-x64",
    size=picked,
    region=digitalocean.Region.NYC3,
    tags=joined.split(","),
)

pulumi.export(
    "outputs",
    {
        "joined": joined,
        "highest": highest,
        "pairs": pairs,
        "numbers": numbers,
        "offset": offset,
        "only": only,
        "split": pet.id.apply(lambda id_: id_.split("-")),
        "length": vm.volume_ids.apply(len),
        "nameLen": vm.name.apply(grapheme_length),
    },
)
