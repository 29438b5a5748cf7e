"""Functions of `std` on maps."""

from __future__ import annotations

from typing import Final

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction, as_list, as_map, as_text
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
