"""Functions of `std` on lists, sets and maps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pclgen.evaluate.std.arguments import (
    Arguments,
    StdFailureError,
    StdFunction,
    as_list,
    as_map,
    as_text,
    json_text,
    scalar_text,
)
from pclgen.stdlib.graphemes import grapheme_length
from pclgen.trace.model import PropertyValue


def _lookup(args: Arguments) -> PropertyValue:
    values, key, default = args.map("map"), args.text("key"), args.any("default")
    if key not in values and default is None:
        raise StdFailureError(f"the map has no key {key!r}, and there is no default")
    return values.get(key, default)


def _map(args: Arguments) -> PropertyValue:
    values = args.list("args")
    if len(values) % 2 == 1:
        raise StdFailureError(f"args must be keys and values in turn, but there are {len(values)}")
    return {as_text(values[i], f"args[{i}]"): values[i + 1] for i in range(0, len(values), 2)}


def _merge(args: Arguments) -> PropertyValue:
    merged: dict[str, PropertyValue] = {}
    for i, values in enumerate(args.list("input")):
        if values is not None:
            merged |= as_map(values, f"input[{i}]")
    return merged


def _transpose(args: Arguments) -> PropertyValue:
    turned: dict[str, list[str]] = {}
    for key, values in sorted(args.map("input").items()):
        for value in as_list(values, f"input[{key!r}]"):
            turned.setdefault(as_text(value, f"an element of input[{key!r}]"), []).append(key)
    return {key: tuple(values) for key, values in sorted(turned.items())}


def _zipmap(args: Arguments) -> PropertyValue:
    keys, values = args.texts("keys"), args.list("values")
    if len(keys) != len(values):
        raise StdFailureError(f"there are {len(keys)} keys and {len(values)} values")
    return dict(zip(keys, values, strict=True))


MAPS: Final[dict[str, StdFunction]] = {
    "keys": lambda args: tuple(sorted(args.map("input"))),
    "lookup": _lookup,
    "map": _map,
    "merge": _merge,
    "transpose": _transpose,
    "values": lambda args: tuple(value for _, value in sorted(args.map("input").items(), key=lambda item: item[0])),
    "zipmap": _zipmap,
}


def _flat(values: Iterable[PropertyValue]) -> Iterator[PropertyValue]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)
        else:
            yield value


def _unique(args: Arguments) -> PropertyValue:
    """Return the distinct elements in the order of their first occurrence."""
    distinct: dict[str, PropertyValue] = {}
    for value in args.list("input"):
        distinct.setdefault(json_text(value), value)
    return tuple(distinct.values())


def _setintersection(args: Arguments) -> PropertyValue:
    sets = [{json_text(value): value for value in values} for values in args.lists("input")]
    common = set.intersection(*(set(values) for values in sets)) if sets else set()
    return tuple(sets[0][key] for key in sorted(common))


def _chunklist(args: Arguments) -> PropertyValue:
    values, size = tuple(args.list("input")), args.whole("size")
    if size < 0:
        raise StdFailureError(f"size must not be negative, but it is {size}")
    if size == 0:
        return (values,)  # Terraform: no limit
    return tuple(values[i : i + size] for i in range(0, len(values), size))


def _coalesce(args: Arguments) -> PropertyValue:
    values = [value for value in args.list("input") if value is not None]
    if any(isinstance(value, str) for value in values):  # the common type is text
        texts = (scalar_text(value, "input") for value in values)
        values = [text for text in texts if text != ""]
    if not values:
        raise StdFailureError("input has no value that is neither null nor an empty text")
    return values[0]


def _coalescelist(args: Arguments) -> PropertyValue:
    for values in args.lists("input"):
        if values:
            return tuple(values)
    raise StdFailureError("input has no list with elements")


def _element(args: Arguments) -> PropertyValue:
    values, index = args.list("input"), args.whole("index")
    if not values:
        raise StdFailureError("input must have at least one element")
    return values[index % len(values)]


def _index(args: Arguments) -> PropertyValue:
    text = json_text(args.any("element"))
    for i, value in enumerate(args.list("input")):
        if json_text(value) == text:
            return i
    raise StdFailureError(f"input has no element {text}")


def _contains(args: Arguments) -> PropertyValue:
    text = json_text(args.any("element"))
    return any(json_text(value) == text for value in args.list("input"))


def _slice(args: Arguments) -> PropertyValue:
    values = tuple(args.list("list"))
    start, end = args.whole("from", 0), args.whole("to", len(values))
    start, end = (place + len(values) if place < 0 else place for place in (start, end))
    if not 0 <= start <= end <= len(values):
        raise StdFailureError(f"from {start} to {end} is no part of a list with {len(values)} elements")
    return values[start:end]


def _length(args: Arguments) -> PropertyValue:
    value = args.any("input")
    if isinstance(value, str):
        return grapheme_length(value)
    return len(args.list("input") if isinstance(value, tuple) else args.map("input"))


SEQUENCES: Final[dict[str, StdFunction]] = {
    "alltrue": lambda args: all(value is True or value == "true" for value in args.list("input")),
    "anytrue": lambda args: any(value is True or value == "true" for value in args.list("input")),
    "chunklist": _chunklist,
    "coalesce": _coalesce,
    "coalescelist": _coalescelist,
    "compact": lambda args: tuple(value for value in args.list("input") if value not in (None, "")),
    "concat": lambda args: tuple(value for values in args.lists("input") for value in values),
    "contains": _contains,
    "distinct": _unique,
    "element": _element,
    "flatten": lambda args: tuple(_flat(args.list("input"))),
    "index": _index,
    "length": _length,
    "reverse": lambda args: tuple(reversed(args.list("input"))),
    "setintersection": _setintersection,
    "slice": _slice,
    "sort": lambda args: tuple(sorted(args.texts("input"))),
    "tolist": lambda args: tuple(args.list("input")),
    "toset": _unique,
}
