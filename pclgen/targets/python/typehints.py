"""Type annotations: PCL types as Python types.

An annotation is needed where a checker would infer no useful type.
"""

from __future__ import annotations

from typing import assert_never

from pclgen.targets.python import modules, packages
from pclgen.targets.python.tree import Builtin, Constant, Expr, index
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind

_PRIMITIVES = {
    ty.Primitive.BOOL: "bool",
    ty.Primitive.INT: "int",
    ty.Primitive.NUMBER: "float",
    ty.Primitive.STRING: "str",
    ty.Primitive.ID: "str",
}


def annotation(t: ty.Type) -> Expr:
    """The annotation for a resolved value of type `t`, with read-only collections, so that outputs of SDKs fit."""
    plain = ty.without_const(ty.resolve(t))
    if ty.is_optional(plain) and not isinstance(plain, ty.PrimitiveType):
        return modules.optional(annotation(ty.without_none(plain)))
    match plain:
        case ty.PrimitiveType():
            return _primitive(plain)
        case ty.ConstType():
            return annotation(plain.base)
        case ty.EnumType():
            return packages.enum_class(plain.declaration)
        case ty.ListType():
            return index(modules.abstract("Sequence"), annotation(plain.element))
        case ty.TupleType():
            return index(modules.abstract("Sequence"), _common(plain.elements))
        case ty.MapType():
            return index(modules.abstract("Mapping"), Builtin(name="str"), annotation(plain.element))
        case ty.ObjectType():
            return index(modules.abstract("Mapping"), Builtin(name="str"), _common(tuple(plain.members.values())))
        case ty.NominalType():
            return _nominal(plain)
        case ty.UnionType():
            return modules.any_type()
        case ty.OutputType() | ty.PromiseType() | ty.InputType():
            raise AssertionError("resolved types hold no eventuals")
    assert_never(plain)


def _primitive(t: ty.PrimitiveType) -> Expr:
    name = _PRIMITIVES.get(t.kind)
    if name is not None:
        return Builtin(name=name)
    if t.kind is ty.Primitive.ASSET:
        return index(modules.typing("Union"), modules.pulumi("Asset"), modules.pulumi("Archive"))
    if t.kind is ty.Primitive.ARCHIVE:
        return modules.pulumi("Archive")
    return Constant(value=None) if t.kind is ty.Primitive.NONE else modules.any_type()


def _common(elements: tuple[ty.Type, ...]) -> Expr:
    distinct = dict.fromkeys(ty.without_const(e) for e in elements)
    if len(distinct) == 1 and not is_mixed(next(iter(distinct))):
        return annotation(next(iter(distinct)))
    return modules.any_type()


def _nominal(t: ty.NominalType) -> Expr:
    if t.declaration.kind is DeclarationKind.RESOURCE and t.resource is not None:
        return packages.resource_class(t.resource)
    return modules.any_type()


def is_mixed(t: ty.Type) -> bool:
    """Return whether a checker infers too little from a literal of type `t`.

    Such a literal is empty, or holds values of several types in one collection (a plain type and its output are two types).
    """
    match t:
        case ty.OutputType() | ty.PromiseType() | ty.InputType():
            return is_mixed(t.element)
        case ty.TupleType():
            return _mixed_members(t.elements)
        case ty.ObjectType():
            return _mixed_members(tuple(t.members.values()))
        case ty.ListType() | ty.MapType():
            return isinstance(ty.without_none(t.element), ty.UnionType) or is_mixed(t.element)
        case _:
            return False


def _mixed_members(members: tuple[ty.Type, ...]) -> bool:
    if not members or any(is_mixed(member) for member in members):
        return True
    shapes = {_shape(ty.without_none(ty.without_const(member))) for member in members if member is not ty.NONE}
    return len(shapes) > 1


def _shape(t: ty.Type) -> ty.Type:
    """Return the type that a checker infers for a literal, without the lengths of lists and the keys of objects."""
    match t:
        case ty.TupleType(elements=elements) if elements:
            return ty.list_of(_shape(ty.without_const(elements[0])))
        case ty.ObjectType(members=members) if members:
            return ty.map_of(_shape(ty.without_const(next(iter(members.values())))))
        case _:
            return t


def container(t: ty.Type) -> Expr:
    """`list[Any]` or `dict[str, Any]` for a literal whose type a checker cannot infer (see `is_mixed`)."""
    plain = ty.resolve(t)
    if isinstance(plain, ty.ObjectType | ty.MapType | ty.NominalType):
        return index(Builtin(name="dict"), Builtin(name="str"), modules.any_type())
    return index(Builtin(name="list"), modules.any_type())
