"""The members that values of a declared type must have.

    object({name = string, sub = optional(object({on = bool}))})  ->  "name", "sub/on"
    map(object({name = string}))                                  ->  "*/name"

`*` is each element of a list or a map; a `/` inside of a name is written `~1`, as in a JSON pointer.  A path whose beginning
is optional counts only where that is set.  An object's own members precede their members.
"""

from __future__ import annotations

from collections.abc import Iterator

from pclgen.types import model as ty

EACH = "*"
"""The step to every element of a list or a map."""


def required_paths(declared: ty.Type) -> tuple[str, ...]:
    """Return the paths of all members that must be set."""
    return tuple("/".join(path) for path in _paths(ty.without_none(ty.resolve(declared))))


def required_names(declared: ty.ObjectType) -> tuple[str, ...]:
    """Return the required members of an object of the type itself."""
    members = declared.members.items()
    return tuple(name for name, t in members if not ty.is_optional(t) and t is not ty.DYNAMIC and name != EACH)


def _paths(t: ty.Type) -> Iterator[tuple[str, ...]]:
    match t:
        case ty.ObjectType():
            yield from ((_step(name),) for name in required_names(t))
            for name, member in t.members.items():
                yield from ((_step(name), *path) for path in _paths(ty.without_none(member)))
        case ty.ListType() | ty.MapType():
            yield from ((EACH, *path) for path in _paths(ty.without_none(t.element)))
        case _:
            return


def _step(name: str) -> str:
    return name.replace("/", "~1")
