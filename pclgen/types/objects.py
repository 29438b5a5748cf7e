"""Types whose values contain objects of packages, or maps.

Declared objects are not searched.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    match plain:
        case ty.NominalType():
            return plain.declaration.kind in (DeclarationKind.OBJECT, DeclarationKind.FUNCTION_RESULT)
        case ty.ListType() | ty.MapType():
            return holds_objects(plain.element)
        case ty.TupleType():
            return any(holds_objects(element) for element in plain.elements)
        case ty.ObjectType():
            return any(holds_objects(member) for member in plain.members.values())
        case ty.UnionType():
            return any(holds_objects(member) for member in plain.members)
        case _:
            return False


def holds_inner_map(t: ty.Type) -> bool:
    """Return whether a list, an object or a map of `t` holds a map, at any depth."""
    match ty.without_none(ty.resolve(t)):
        case ty.ListType() | ty.MapType() as collection:
            inner: Iterable[ty.Type] = (collection.element,)
        case ty.TupleType() as pair:
            inner = pair.elements
        case ty.ObjectType() as record:
            inner = record.members.values()
        case ty.UnionType() as union:
            return any(map(holds_inner_map, union.members))
        case _:
            return False
    return any(isinstance(ty.without_none(ty.resolve(part)), ty.MapType) or holds_inner_map(part) for part in inner)
