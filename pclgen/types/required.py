"""The members that values of a declared type must have.

    object({name = string, sub = optional(object({on = bool}))})  ->  "name", "sub/on"
    map(object({name = string}))                                  ->  "*/name"

`*` is each element of a list or a map; a `/` inside of a name is written `~1`, as in a JSON pointer.  A path whose beginning
is optional counts only where that is set.  Parents stand before what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator

from pclgen.types.model import DYNAMIC, ListType, MapType, ObjectType, SetType, Type, is_optional, resolve, without_none

EACH = "*"
"""The step to every element of a list or a map."""


def required_paths(declared: Type) -> tuple[str, ...]:
    """The paths of all members that must be set."""
    return tuple("/".join(path) for path in _paths(without_none(resolve(declared))))


def steps_of(path: str) -> list[str]:
    """The names in a path."""
    return [step.replace("~1", "/") for step in path.split("/")]


def _paths(t: Type) -> Iterator[tuple[str, ...]]:
    match t:
        case ObjectType():
            for name, member in t.members.items():
                step = name.replace("/", "~1")
                if not is_optional(member) and member is not DYNAMIC and name != EACH:
                    yield (step,)
                for path in _paths(without_none(member)):
                    yield (step, *path)
        case ListType() | SetType() | MapType():
            for path in _paths(without_none(t.element)):
                yield (EACH, *path)
        case _:
            return
