"""Types of expressions with parts replaced by parameters.

An expression with new parts has the type that the binder would assign now: it is plain if the parts it waited for are
plain now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.walk import children, rewrite, with_children
from pclgen.lower.shapes import plain_type, step_type
from pclgen.stdlib.model import Lifting
from pclgen.types import model as ty
from pclgen.types.unify import unify


def with_type(expr: core.Expr, t: ty.Type) -> core.Expr:
    """Return `expr` as an expression of type `t`."""
    return expr if expr.type is t else replace(expr, type=t)


def type_of_loop(expr: core.For) -> ty.Type:
    """Return the type of a loop over a plain collection."""
    element: ty.Type = ty.list_of(expr.result.type) if expr.group else expr.result.type
    return ty.list_of(element) if expr.result_key is None else ty.map_of(element)


def replaced(expr: core.Expr, values: Mapping[core.Symbol, core.Expr]) -> core.Expr:
    """Return `expr` with references to the keys of `values` replaced by the values."""

    def change(node: core.Expr) -> core.Expr:
        if isinstance(node, core.Ref):
            return values.get(node.symbol, node)
        return retyped(node, children(node)) if node.type.eventual else node

    return rewrite(expr, change)


def retyped(expr: core.Expr, parts: Sequence[core.Expr]) -> core.Expr:
    """Return `expr` with `parts`, and the type that the binder assigns to it with them."""
    rebuilt = with_children(expr, parts)
    return with_type(rebuilt, _type_with(rebuilt, parts))


def _type_with(expr: core.Expr, parts: Sequence[core.Expr]) -> ty.Type:
    waits = any(part.type.eventual for part in parts)
    match expr:
        case core.Unary() | core.Binary() | core.Template():
            return _lifted(plain_type(expr.type), waits)
        case core.Convert():
            return _lifted(plain_type(expr.type), is_eventual(expr.value.type))
        case core.Conditional():
            return _lifted(unify((expr.then.type, expr.otherwise.type)), is_eventual(expr.condition.type))
        case core.Call():
            lifts = expr.function.lifting in (Lifting.LIFT, Lifting.KEEP)
            return _lifted(plain_type(expr.type), waits) if lifts else expr.type
        case core.ListExpr():
            if isinstance(expr.type, ty.TupleType):
                return ty.tuple_of(part.type for part in parts)
            return ty.list_of(unify(part.type for part in parts)) if isinstance(expr.type, ty.ListType) else expr.type
        case core.ObjectExpr():
            return _object_type(expr)
        case core.Attr():
            return step_type(expr.source.type, expr)
        case core.Index():
            return _lifted(step_type(expr.source.type, expr), expr.key.type.eventual)
        case core.For():
            deciding = [part for part in (expr.result_key, expr.condition) if part is not None]
            waits = is_eventual(expr.collection.type) or any(part.type.eventual for part in deciding)
            return _lifted(type_of_loop(expr), waits)
        case _:
            return expr.type


def _lifted(t: ty.Type, waits: bool) -> ty.Type:
    return ty.output_of(t) if waits else t


def _object_type(expr: core.ObjectExpr) -> ty.Type:
    kind = plain_type(expr.type) if is_eventual(expr.type) else expr.type
    if isinstance(kind, ty.ObjectType):
        return ty.object_of({**kind.members, **{str(_key(item.key)): item.value.type for item in expr.items}})
    if isinstance(kind, ty.MapType):
        keys_wait = any(item.key.type.eventual for item in expr.items)
        return _lifted(ty.map_of(unify(item.value.type for item in expr.items)), keys_wait)
    return expr.type


def _key(key: core.Expr) -> object:
    return key.value if isinstance(key, core.Literal) else None
