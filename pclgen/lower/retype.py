"""Types of expressions with parts replaced by parameters.

An expression with new parts has the type that the binder would assign now: it is plain if the parts it waited for are
plain now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import (
    Attr,
    Binary,
    Call,
    Conditional,
    Convert,
    Expr,
    For,
    Index,
    ListExpr,
    Literal,
    ObjectExpr,
    Ref,
    Symbol,
    Template,
    Unary,
)
from pclgen.core.walk import children, rewrite, with_children
from pclgen.lower.shapes import plain_type, step_type
from pclgen.stdlib.model import Lifting
from pclgen.types.model import (
    ListType,
    MapType,
    ObjectType,
    TupleType,
    Type,
    list_of,
    map_of,
    object_of,
    output_of,
    tuple_of,
)
from pclgen.types.unify import unify


def with_type(expr: Expr, t: Type) -> Expr:
    """Return `expr` as an expression of type `t`."""
    return expr if expr.type is t else replace(expr, type=t)


def type_of_loop(expr: For) -> Type:
    """Return the type of a loop over a plain collection."""
    element: Type = list_of(expr.result.type) if expr.group else expr.result.type
    return list_of(element) if expr.result_key is None else map_of(element)


def replaced(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """Return `expr` with references to the keys of `values` replaced by the values."""

    def change(node: Expr) -> Expr:
        if isinstance(node, Ref):
            return values.get(node.symbol, node)
        return retyped(node, children(node)) if node.type.eventual else node

    return rewrite(expr, change)


def retyped(expr: Expr, parts: Sequence[Expr]) -> Expr:
    """Return `expr` with `parts`, and the type that the binder assigns to it with them."""
    rebuilt = with_children(expr, parts)
    return with_type(rebuilt, _type_with(rebuilt, parts))


def _type_with(expr: Expr, parts: Sequence[Expr]) -> Type:
    waits = any(part.type.eventual for part in parts)
    match expr:
        case Unary() | Binary() | Template():
            return _lifted(plain_type(expr.type), waits)
        case Convert():
            return _lifted(plain_type(expr.type), is_eventual(expr.value.type))
        case Conditional():
            return _lifted(unify((expr.then.type, expr.otherwise.type)), is_eventual(expr.condition.type))
        case Call():
            lifts = expr.function.lifting in (Lifting.LIFT, Lifting.KEEP)
            return _lifted(plain_type(expr.type), waits) if lifts else expr.type
        case ListExpr():
            if isinstance(expr.type, TupleType):
                return tuple_of(part.type for part in parts)
            return list_of(unify(part.type for part in parts)) if isinstance(expr.type, ListType) else expr.type
        case ObjectExpr():
            return _object_type(expr)
        case Attr():
            return step_type(expr.source.type, expr)
        case Index():
            return _lifted(step_type(expr.source.type, expr), expr.key.type.eventual)
        case For():
            deciding = [part for part in (expr.result_key, expr.condition) if part is not None]
            waits = is_eventual(expr.collection.type) or any(part.type.eventual for part in deciding)
            return _lifted(type_of_loop(expr), waits)
        case _:
            return expr.type


def _lifted(t: Type, waits: bool) -> Type:
    return output_of(t) if waits else t


def _object_type(expr: ObjectExpr) -> Type:
    kind = plain_type(expr.type) if is_eventual(expr.type) else expr.type
    if isinstance(kind, ObjectType):
        return object_of({**kind.members, **{str(_key(item.key)): item.value.type for item in expr.items}})
    if isinstance(kind, MapType):
        keys_wait = any(item.key.type.eventual for item in expr.items)
        return _lifted(map_of(unify(item.value.type for item in expr.items)), keys_wait)
    return expr.type


def _key(key: Expr) -> object:
    return key.value if isinstance(key, Literal) else None
