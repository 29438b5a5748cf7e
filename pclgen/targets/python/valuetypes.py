"""Types of values in Python: annotations, and what Python, its SDK and its type checkers make of an expression's value.

An annotation (a PCL type as a Python type) is needed where a checker would infer no useful type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.walk import chosen_values
from pclgen.targets.names import lifted_result
from pclgen.targets.python import modules, names, packages, tree
from pclgen.targets.python.context import Context
from pclgen.targets.python.tree import Builtin, Constant, Expr, index
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, DeclarationKind, Shape
from pclgen.types.traverse import holds_dynamic

_PACKAGE: Final = "std"


def unreadable_result(expr: core.Invoke) -> str | None:
    """The only member of the result, when the SDK refuses values of it that are not objects."""
    function = expr.function
    if function is None or function.package is None or function.package.name != _PACKAGE:
        return None
    if not isinstance(function.result, ty.NominalType):
        return None
    fields = function.result.declaration.fields(Shape.OUTPUT)
    return next((name for name, f in fields.items() if len(fields) == 1 and ty.resolve(f.type) is ty.DYNAMIC), None)


def outputs_of(component: Declaration) -> Mapping[str, str]:
    """The attributes of a component's outputs, by logical name."""
    return names.component_members(tuple(component.fields(Shape.OUTPUT)))


def empty(t: ty.Type) -> tree.Expr:
    """The empty collection of type `t`."""
    return tree.DictDisplay(entries=()) if is_mapping(t) else tree.items(())


def is_untyped(cx: Context, expr: core.Expr) -> bool:
    """Return whether a type checker takes `expr` for `Any` or an output of `Any`, so that it fits everywhere."""
    match expr:
        case core.Ref():
            return expr.symbol in cx.untyped
        case core.Attr() if lifted_member(cx, expr.source) is not None:
            return is_untyped(cx, expr.source)
        case core.Invoke():
            return unreadable_result(expr) is not None
        case core.Attr() | core.Index():
            # Steps on an output go through `Output.__getattr__` and `__getitem__`.
            return is_eventual(expr.source.type) or is_untyped(cx, expr.source)
        case core.Apply():
            return is_untyped(cx, expr.body) or all(is_untyped(cx, arg) for arg in expr.args)
        case core.Convert():
            return is_untyped(cx, expr.value)
        case core.Conditional():
            return is_untyped(cx, expr.then) and is_untyped(cx, expr.otherwise)
        case core.Call():
            return expr.function.untyped or is_mixed_secret(expr)
        case _:
            return False


def definite(expr: core.Expr, node: tree.Expr) -> tree.Expr:
    """`node`, the Python for `expr`, as the operand of a step: cast where a checker would infer the type of a branch."""
    hides_type = not is_eventual(expr.type) and (chooses_typed(expr) or holds_typed_choice(expr) or _has_other_default(expr))
    return modules.cast(modules.any_type(), node) if hides_type else node


def chooses_typed(expr: core.Expr) -> bool:
    """Return whether `expr` has parts of unknown type, but a branch where a checker knows their type: null, a list."""
    branches, common = list(chosen_values(expr)), ty.resolve(expr.type)
    return len(branches) > 1 and holds_dynamic(common) and any(ty.resolve(branch.type) is not common for branch in branches)


def _has_other_default(expr: core.Expr) -> bool:
    """Return whether `expr` is a call of `lookup` whose default has another type than the result."""
    if not isinstance(expr, core.Call) or expr.function.name != "lookup" or len(expr.args) < 3:
        return False
    return ty.resolve(expr.args[2].type) is not ty.resolve(expr.type)


def holds_typed_choice(expr: core.Expr) -> bool:
    """Return whether an element of a literal or loop is, or holds, a choice as in `chooses_typed`."""
    match expr:
        case core.ListExpr():
            values: Sequence[core.Expr] = expr.elements
        case core.ObjectExpr():
            values = [item.value for item in expr.items]
        case core.For():
            values = [expr.result]
        case core.Convert():
            return holds_typed_choice(expr.value)
        case _:
            return False
    return any(chooses_typed(value) or holds_typed_choice(value) for value in values)


def chooses_mixed_literals(expr: core.Expr) -> bool:
    """Return whether a conditional chooses literals, of which a checker infers too little (see `is_mixed`)."""
    if not isinstance(expr, core.Conditional) or is_eventual(expr.type) or not is_mixed(ty.without_none(expr.type)):
        return False
    return any(isinstance(value, core.ListExpr | core.ObjectExpr | core.For) for value in chosen_values(expr))


def is_mapping(t: ty.Type) -> bool:
    """Return whether values of resolved type `t` are dicts."""
    return isinstance(t, ty.MapType | ty.ObjectType | ty.NominalType)


def lifted_member(cx: Context, expr: core.Expr) -> str | None:
    """The only member of the result of a method or function, when the SDK returns its value in place of the result."""
    match expr:
        case core.Invoke():
            return unreadable_result(expr)
        case core.MethodCall():
            return lifted_result(expr.method, "python")
        case core.Ref():
            return cx.singles.get(expr.symbol)
        case _:
            return None


def is_mixed_secret(expr: core.Call) -> bool:
    """Return whether `expr` is a secret literal for which a type checker infers too little (see `is_mixed`)."""
    value = expr.args[0] if expr.function.name == "secret" else None
    return isinstance(value, core.ListExpr | core.ObjectExpr) and not is_eventual(value.type) and is_mixed(value.type)


# -- annotations ------------------------------------------------------------------------------------------------------------

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
