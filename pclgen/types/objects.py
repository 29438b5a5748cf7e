"""Types whose values contain objects of packages, or maps.

Declared objects are not searched.
"""

from __future__ import annotations

from collections.abc import Iterable

from pclgen.types.declarations import DeclarationKind
from pclgen.types.model import ListType, MapType, NominalType, ObjectType, TupleType, Type, UnionType, resolve, without_none


def holds_objects(t: Type) -> bool:
    """Return whether values of type `t` contain objects of packages; memoized, as types share parts."""
    plain = resolve(t)
    result = plain.memo.get("holds objects")
    if result is None:
        result = plain.memo["holds objects"] = _look(plain)
    return result is True


def _look(plain: Type) -> bool:
    match plain:
        case NominalType():
            return plain.declaration.kind in (DeclarationKind.OBJECT, DeclarationKind.FUNCTION_RESULT)
        case ListType() | MapType():
            return holds_objects(plain.element)
        case TupleType():
            return any(holds_objects(element) for element in plain.elements)
        case ObjectType():
            return any(holds_objects(member) for member in plain.members.values())
        case UnionType():
            return any(holds_objects(member) for member in plain.members)
        case _:
            return False


def holds_inner_map(t: Type) -> bool:
    """Return whether a list, an object or a map of `t` holds a map, at any depth."""
    match without_none(resolve(t)):
        case ListType() | MapType() as collection:
            inner: Iterable[Type] = (collection.element,)
        case TupleType() as pair:
            inner = pair.elements
        case ObjectType() as record:
            inner = record.members.values()
        case UnionType() as union:
            return any(map(holds_inner_map, union.members))
        case _:
            return False
    return any(isinstance(without_none(resolve(part)), MapType) or holds_inner_map(part) for part in inner)
