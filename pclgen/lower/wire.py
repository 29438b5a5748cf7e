"""Objects of packages in places without their type: JSON, properties of any type.

For a target whose SDK renames the members of objects (`node_count`), a conversion to `any` wraps each of these objects.
There they have the names of the schema (`nodeCount`), as in the engine and in the other languages.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.jsontext import is_json
from pclgen.core.program import ComponentUse, Input, Node, Resource
from pclgen.core.walk import rewrite, unless_same, updated, walk, with_expressions
from pclgen.lower.retype import with_items, with_type
from pclgen.types import model as ty
from pclgen.types.objects import holds_objects
from pclgen.types.unify import unify

P = TypeVar("P", Input, core.ObjectItem)


def with_wire_names(node: Node) -> Node:
    """Return `node` with conversions of objects in places of unknown type."""
    changed = with_expressions(node, lambda expr: rewrite(expr, _inside) if any(map(_has_place, walk(expr))) else expr)
    if isinstance(changed, Resource | ComponentUse):
        return updated(changed, inputs=unless_same(changed.inputs, [_placed(item) for item in changed.inputs]))
    return changed


def _placed(part: P) -> P:
    """Return an input, or a member of an object, with its value converted to its type."""
    is_open = part.field is not None and _is_open(part.field.type)
    return updated(part, value=_untyped(part.value)) if is_open else part


def _has_place(expr: core.Expr) -> bool:
    """Return whether a part of `expr` stands in a place of unknown type."""
    if type(expr) is core.ObjectExpr:
        return any(item.field is not None and _is_open(item.field.type) for item in expr.items)
    return is_json(expr)


def _inside(expr: core.Expr) -> core.Expr:
    """Convert the members of an expression whose parts are converted."""
    match expr:
        case core.Call() if is_json(expr):
            return updated(expr, args=unless_same(expr.args, [_untyped(expr.args[0])]))
        case core.ObjectExpr() if any(item.field is not None for item in expr.items):
            return updated(expr, items=unless_same(expr.items, [_placed(item) for item in expr.items]))
        case _:
            return expr


def _is_open(t: ty.Type) -> bool:
    """Return whether a place of type `t` takes any value, or a collection of any values."""
    plain = ty.without_none(ty.resolve(t))
    while isinstance(plain, ty.ListType | ty.MapType):
        plain = ty.without_none(ty.resolve(plain.element))
    return plain is ty.DYNAMIC


def _untyped(expr: core.Expr) -> core.Expr:
    """Return `expr` with all objects of packages converted; literals stay literals."""
    match expr:
        case core.ListExpr():
            elements = unless_same(expr.elements, [_untyped(element) for element in expr.elements])
            if elements is expr.elements:
                return expr
            types = [element.type for element in elements]
            kind = ty.tuple_of(types) if isinstance(expr.type, ty.TupleType) else ty.list_of(unify(types))
            return replace(expr, elements=elements, type=kind)
        case core.ObjectExpr() if not isinstance(expr.type, ty.NominalType):
            return _untyped_object(expr)
        case core.Conditional():
            then, otherwise = _untyped(expr.then), _untyped(expr.otherwise)
            if then is expr.then and otherwise is expr.otherwise:
                return expr
            return with_type(replace(expr, then=then, otherwise=otherwise), unify((then.type, otherwise.type)))
        case _ if not holds_objects(expr.type):
            return expr
        case _:
            return core.Convert(
                value=expr, type=ty.output_of(ty.DYNAMIC) if expr.type.eventual else ty.DYNAMIC, span=expr.span
            )


def _untyped_object(expr: core.ObjectExpr) -> core.Expr:
    items = unless_same(expr.items, [updated(item, value=_untyped(item.value)) for item in expr.items])
    if items is expr.items:
        return expr
    if not isinstance(expr.type, ty.ObjectType):
        return replace(expr, items=items, type=ty.map_of(unify([item.value.type for item in items])))
    return replace(expr, items=items, type=with_items(expr.type, items))
