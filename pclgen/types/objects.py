"""The contents of the values of a type: objects of packages, inner maps, members that must be set, and the number of parts.

`holds_objects` and `holds_inner_map` do not search declared objects. `required_paths` lists the members that must be set:

    object({name = string, sub = optional(object({on = bool}))})  ->  "name", "sub/on"
    map(object({name = string}))                                  ->  "*/name"

`*` is each element of a list or a map; a `/` inside of a name is written `~1`, as in a JSON pointer.  A path whose beginning
is optional counts only where that is set.  An object's own members precede their members.

Types are shared, so a program of a few lines can make a type whose values exceed the memory: binding checks the number of
parts before it continues.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

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


# -- number of parts --------------------------------------------------------------------------------------------------------

MAX_PARTS: Final = 100_000
"""Maximum number of parts of a list or an object, including parts of parts."""

MAX_SHARED_PARTS: Final = 2_000
"""The maximum when the parts include the same values many times."""

_FEW_TIMES: Final = 50


def parts_of(t: ty.Type) -> int:
    """Return the number of parts of `t`, including parts of parts; declared objects count as one.  Memoized on the type.

    A value has the type of one member of a union.  Of members that may be null, such as those of only one branch of a
    conditional, the largest counts.
    """
    cached = t.memo.get("parts")
    if isinstance(cached, int):
        return cached
    count = max(map(parts_of, ty.parts(t)), default=1) if isinstance(t, ty.UnionType) else 1 + _together(t)
    t.memo["parts"] = count
    return count


def shared_limit(t: ty.Type, written: int) -> int:
    """Return the maximum number of parts of a value of type `t` in a program of `written` characters.

    A literal value has at most as many parts as its text.  A value has more when it uses another value twice, which does the
    same in turn: languages without types of that shape write each of these parts.
    """
    if parts_of(t) <= MAX_SHARED_PARTS or parts_of(t) <= _FEW_TIMES * _distinct(t):
        return MAX_PARTS
    return min(MAX_PARTS, max(MAX_SHARED_PARTS, written))


def _distinct(t: ty.Type) -> int:
    """Return the parts of `t`, counting those of each type in it once."""
    seen = {t}
    pending = [t]
    count = 1
    while pending:
        parts = ty.parts(pending.pop())
        count += len(parts)
        fresh = set(parts) - seen
        seen |= fresh
        pending += fresh
    return count


def is_writable(t: ty.Type) -> bool:
    """Return whether a language can write `t` out, with all of its parts.

    The parts may exclude each other in a value: all branches of a conditional are parts of its type.
    """
    return _written_parts(t) <= MAX_SHARED_PARTS


def _written_parts(t: ty.Type) -> int:
    count = t.memo.get("written parts")
    if not isinstance(count, int):
        count = t.memo["written parts"] = 1 + sum(map(_written_parts, ty.parts(t)))
    return count


def _together(t: ty.Type) -> int:
    if not isinstance(t, ty.ObjectType):
        return sum(map(parts_of, ty.parts(t)))
    optional = [member for member in t.members.values() if ty.is_optional(member)]
    certain = [member for member in t.members.values() if not ty.is_optional(member)]
    return sum(map(parts_of, certain)) + max(map(parts_of, optional), default=0)


def holds_error(t: ty.Type) -> bool:
    """Return whether an error in a part of `t` was reported.  Memoized on the type."""
    return _holds(ty.ERROR, t)


def holds_dynamic(t: ty.Type) -> bool:
    """Return whether the type of a part of `t` is unknown.  Memoized on the type."""
    return _holds(ty.DYNAMIC, t)


def _holds(sought: ty.Type, t: ty.Type) -> bool:
    key = ("holds", sought)
    result = t.memo.get(key)
    if not isinstance(result, bool):
        result = t is sought or any(_holds(sought, part) for part in ty.parts(t))
        t.memo[key] = result
    return result
