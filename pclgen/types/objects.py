"""Objects in the values of a type: those of packages, maps inside of other values, and members that must be set.

`holds_objects` and `holds_inner_map` do not search declared objects. `required_paths` lists the members that must be set:

    object({name = string, sub = optional(object({on = bool}))})  ->  "name", "sub/on"
    map(object({name = string}))                                  ->  "*/name"

`*` is each element of a list or a map; a `/` inside of a name is written `~1`, as in a JSON pointer.  A path whose beginning
is optional counts only where that is set.  An object's own members precede their members.
"""

from __future__ import annotations

from collections.abc import Iterator

from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind


def holds_objects(t: ty.Type) -> bool:
    """Return whether values of type `t` contain objects of packages; memoized, as types share parts."""
    plain = ty.resolve(t)
    result = plain.memo.get("holds objects")
    if result is None:
        result = plain.memo["holds objects"] = _look(plain)
    return result is True


def _look(plain: ty.Type) -> bool:
    if isinstance(plain, ty.NominalType):
        return plain.declaration.kind in (DeclarationKind.OBJECT, DeclarationKind.FUNCTION_RESULT)
    return any(map(holds_objects, ty.parts(plain)))


def holds_inner_map(t: ty.Type) -> bool:
    """Return whether a list, an object or a map of `t` holds a map, at any depth."""
    plain = ty.without_none(ty.resolve(t))
    if isinstance(plain, ty.UnionType):
        return any(map(holds_inner_map, plain.members))
    inner = ty.parts(plain)
    return any(isinstance(ty.without_none(ty.resolve(part)), ty.MapType) or holds_inner_map(part) for part in inner)


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
