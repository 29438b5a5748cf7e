"""The functions of Pulumi YAML, `fn::name`: the built-in functions of PCL, and `invoke`, `select` and `stackReference`.

A function with one parameter takes its argument, a function with more takes a list of them.  `Fn::ToJSON`, the former
name, is `fn::toJSON`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pclgen.stdlib.registry import FUNCTIONS

_PARAMETERS: Final[Mapping[str, tuple[tuple[str, ...], int, int | None]]] = MappingProxyType(
    {
        name: (
            (*(parameter.name for parameter in row.parameters), *([row.variadic.name] if row.variadic is not None else [])),
            sum(not parameter.optional for parameter in row.parameters),
            None if row.variadic is not None else len(row.parameters),
        )
        for name, row in FUNCTIONS.items()
    }
)

NAMES: Final = frozenset({*FUNCTIONS, "invoke", "select", "stackReference"})
"""The names that `fn::` may call, apart from functions of packages."""

ALONE: Final = frozenset(name for name, (_, least, most) in _PARAMETERS.items() if least == most == 1)
"""Functions with a single argument, which needs no list."""

ARITY: Final[Mapping[str, tuple[int, int | None]]] = MappingProxyType(
    {"select": (2, 2), **{name: (least, most) for name, (_, least, most) in _PARAMETERS.items() if name not in ALONE}}
)
"""Number of arguments of the other functions; None for any number."""

LISTED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"select": ("index", "list"), **{name: names for name, (names, _, _) in _PARAMETERS.items()}}
)
"""The names of their parameters."""

_FOLDED: Final[Mapping[str, str]] = MappingProxyType({name.lower(): name for name in NAMES})


def canonical_name(written: str) -> str:
    """Return the name of a function in the case of `NAMES`, for a name in any case."""
    return _FOLDED.get(written.lower(), written)
