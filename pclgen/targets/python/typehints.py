"""Type annotations: PCL types as Python types.

An annotation is needed where a checker would infer no useful type.
"""

from __future__ import annotations

from typing import assert_never

from pclgen.targets.python import modules, packages
from pclgen.targets.python.tree import Builtin, Constant, Expr, index
from pclgen.types.declarations import DeclarationKind
from pclgen.types.model import (
    NONE,
    ConstType,
    EnumType,
    InputType,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    OutputType,
    Primitive,
    PrimitiveType,
    PromiseType,
    TupleType,
    Type,
    UnionType,
    is_optional,
    list_of,
    map_of,
    resolve,
    without_const,
    without_none,
)

_PRIMITIVES = {
    Primitive.BOOL: "bool",
    Primitive.INT: "int",
    Primitive.NUMBER: "float",
    Primitive.STRING: "str",
    Primitive.ID: "str",
}


def annotation(t: Type) -> Expr:
    """The annotation for a resolved value of type `t`, with read-only collections, so that outputs of SDKs fit."""
    plain = without_const(resolve(t))
    if is_optional(plain) and not isinstance(plain, PrimitiveType):
        return modules.optional(annotation(without_none(plain)))
    match plain:
        case PrimitiveType():
            return _primitive(plain)
        case ConstType():
            return annotation(plain.base)
        case EnumType():
            return packages.enum_class(plain.declaration)
        case ListType():
            return index(modules.abstract("Sequence"), annotation(plain.element))
        case TupleType():
            return index(modules.abstract("Sequence"), _common(plain.elements))
        case MapType():
            return index(modules.abstract("Mapping"), Builtin(name="str"), annotation(plain.element))
        case ObjectType():
            return index(modules.abstract("Mapping"), Builtin(name="str"), _common(tuple(plain.members.values())))
        case NominalType():
            return _nominal(plain)
        case UnionType():
            return modules.any_type()
        case OutputType() | PromiseType() | InputType():
            raise AssertionError("resolved types hold no eventuals")
    assert_never(plain)


def _primitive(t: PrimitiveType) -> Expr:
    name = _PRIMITIVES.get(t.kind)
    if name is not None:
        return Builtin(name=name)
    if t.kind is Primitive.ASSET:
        return index(modules.typing("Union"), modules.pulumi("Asset"), modules.pulumi("Archive"))
    if t.kind is Primitive.ARCHIVE:
        return modules.pulumi("Archive")
    return Constant(value=None) if t.kind is Primitive.NONE else modules.any_type()


def _common(elements: tuple[Type, ...]) -> Expr:
    distinct = dict.fromkeys(without_const(e) for e in elements)
    if len(distinct) == 1 and not is_mixed(next(iter(distinct))):
        return annotation(next(iter(distinct)))
    return modules.any_type()


def _nominal(t: NominalType) -> Expr:
    if t.declaration.kind is DeclarationKind.RESOURCE and t.resource is not None:
        return packages.resource_class(t.resource)
    return modules.any_type()


def is_mixed(t: Type) -> bool:
    """Return whether a checker infers too little from a literal of type `t`.

    Such a literal is empty, or holds values of several types in one collection (a plain type and its output are two types).
    """
    match t:
        case OutputType() | PromiseType() | InputType():
            return is_mixed(t.element)
        case TupleType():
            return _mixed_members(t.elements)
        case ObjectType():
            return _mixed_members(tuple(t.members.values()))
        case ListType() | MapType():
            return isinstance(without_none(t.element), UnionType) or is_mixed(t.element)
        case _:
            return False


def _mixed_members(members: tuple[Type, ...]) -> bool:
    if not members or any(is_mixed(member) for member in members):
        return True
    shapes = {_shape(without_none(without_const(member))) for member in members if member is not NONE}
    return len(shapes) > 1


def _shape(t: Type) -> Type:
    """Return the type that a checker infers for a literal, without the lengths of lists and the keys of objects."""
    match t:
        case TupleType(elements=elements) if elements:
            return list_of(_shape(without_const(elements[0])))
        case ObjectType(members=members) if members:
            return map_of(_shape(without_const(next(iter(members.values())))))
        case _:
            return t


def container(t: Type) -> Expr:
    """`list[Any]` or `dict[str, Any]` for a literal whose type a checker cannot infer (see `is_mixed`)."""
    plain = resolve(t)
    if isinstance(plain, ObjectType | MapType | NominalType):
        return index(Builtin(name="dict"), Builtin(name="str"), modules.any_type())
    return index(Builtin(name="list"), modules.any_type())
