"""Which types have objects of packages in their values.

Nothing is searched for inside of declared objects.
"""

from __future__ import annotations

from pclgen.types.declarations import DeclarationKind
from pclgen.types.model import ListType, MapType, NominalType, ObjectType, TupleType, Type, UnionType, resolve


def holds_objects(t: Type) -> bool:
    """Whether objects of packages stand in values of type `t`; memoised, as types share parts."""
    plain = resolve(t)
    known = plain.memo.get("holds objects")
    if known is None:
        known = plain.memo["holds objects"] = _look(plain)
    return known is True


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
