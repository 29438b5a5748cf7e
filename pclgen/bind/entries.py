"""The origin of a wrong value of uncertain type: a second position to inspect.

A diagnostic about a partly untyped value, such as a list of any values, gets a note with the origin of the value.
"""

from __future__ import annotations

from msgspec.structs import replace

from pclgen.bind.context import Context
from pclgen.core.expr import Expr
from pclgen.core.origins import origin_of
from pclgen.diagnostics.make import note
from pclgen.diagnostics.model import Diagnostic
from pclgen.types import model as ty

_DEEPEST = 8


def with_entry(cx: Context, diagnostic: Diagnostic, value: Expr) -> Diagnostic:
    """`diagnostic` about `value`, with a note on the origin of `value` if its type is uncertain."""
    if not _is_uncertain(value.type, 0):
        return diagnostic
    origin = origin_of(value, cx.definitions)
    if origin is None or origin.span == diagnostic.primary:
        return diagnostic
    return replace(diagnostic, notes=(*diagnostic.notes, note(f"it came from {origin.what}{origin.path}", origin.span)))


def _is_uncertain(t: ty.Type, depth: int) -> bool:
    """Return whether `t` or a component of it has no type."""
    plain = ty.without_none(ty.resolve(t))
    if plain is ty.DYNAMIC or depth > _DEEPEST:
        return plain is ty.DYNAMIC
    match plain:
        case ty.ListType() | ty.MapType():
            return _is_uncertain(plain.element, depth + 1)
        case ty.TupleType():
            return any(_is_uncertain(element, depth + 1) for element in plain.elements[:_DEEPEST])
        case ty.ObjectType():
            return any(_is_uncertain(member, depth + 1) for member in list(plain.members.values())[:_DEEPEST])
        case _:
            return False
