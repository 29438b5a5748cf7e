"""Where the value of a mistake entered the program: a second place to look at, when it is of uncertain type.

A diagnostic about a value without a type in part, such as a list of anything, gets a note with that place.
"""

from __future__ import annotations

from msgspec.structs import replace

from pclgen.bind.context import Context
from pclgen.core.expr import Expr
from pclgen.core.origins import origin_of
from pclgen.diagnostics.make import note
from pclgen.diagnostics.model import Diagnostic
from pclgen.types.model import DYNAMIC, ListType, MapType, ObjectType, TupleType, Type, resolve, without_none

_DEEPEST = 8


def with_entry(cx: Context, diagnostic: Diagnostic, value: Expr) -> Diagnostic:
    """`diagnostic`, which is about `value`, with the place where that came from."""
    if not _is_uncertain(value.type, 0):
        return diagnostic
    origin = origin_of(value, cx.definitions)
    if origin is None or origin.span == diagnostic.primary:
        return diagnostic
    return replace(diagnostic, notes=(*diagnostic.notes, note(f"it came from {origin.what}{origin.path}", origin.span)))


def _is_uncertain(t: Type, depth: int) -> bool:
    """Return whether a part of a `t` has no type."""
    plain = without_none(resolve(t))
    if plain is DYNAMIC or depth > _DEEPEST:
        return plain is DYNAMIC
    match plain:
        case ListType() | MapType():
            return _is_uncertain(plain.element, depth + 1)
        case TupleType():
            return any(_is_uncertain(element, depth + 1) for element in plain.elements[:_DEEPEST])
        case ObjectType():
            return any(_is_uncertain(member, depth + 1) for member in list(plain.members.values())[:_DEEPEST])
        case _:
            return False
