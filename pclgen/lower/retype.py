"""Types of lowered expressions, whose values are resolved.

A plain type has no eventuals, and its declared objects have the PLAIN shape, since an object created inside an apply has no
eventual members. An expression with new parts has the type that the binder would assign now: it is plain if the parts it
waited for are plain now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TypeVar

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.walk import children, rewrite, with_children
from pclgen.stdlib.model import Lifting
from pclgen.types import model as ty
from pclgen.types.convert import unify, unify_elements
from pclgen.types.declarations import DeclarationKind, Shape
from pclgen.types.traverse import Step, attribute, index, iteration

E = TypeVar("E", bound=core.Expr)

_MEMO = "lower.plain_type"


def plain_type(t: ty.Type) -> ty.Type:
    """Return the resolved type of `t`, with input-shaped objects in plain shape; memoised on the type."""
    shape = t.memo.get(_MEMO)
    if shape is None:
        shape = t.memo[_MEMO] = _in_plain_shape(ty.resolve(t))
    return shape  # type: ignore[return-value]  # the memo holds the result of _in_plain_shape


def _in_plain_shape(t: ty.Type) -> ty.Type:
    match t:
        case ty.NominalType():
            is_input = t.shape is Shape.INPUT and t.declaration.kind is DeclarationKind.OBJECT
            return ty.nominal_of(t.declaration, Shape.PLAIN) if is_input else t
        case ty.ListType():
            return ty.list_of(plain_type(t.element))
        case ty.MapType():
            return ty.map_of(plain_type(t.element))
        case ty.TupleType():
            return ty.tuple_of(plain_type(element) for element in t.elements)
        case ty.ObjectType():
            return ty.with_members(t, plain_type)
        case ty.UnionType():
            return ty.union_of((plain_type(member) for member in t.members), t.discriminator)
        case _:
            return t


def takes(expected: ty.Type, actual: ty.Type) -> bool:
    """Return whether a place of type `expected` accepts the eventuals in `actual` unchanged; compares nothing else."""
    if not actual.eventual:
        return True
    if is_eventual(actual):
        return isinstance(expected, ty.InputType) or expected is ty.DYNAMIC
    inner = ty.without_none(expected.element if isinstance(expected, ty.InputType) else expected)
    if isinstance(inner, ty.UnionType):
        return any(takes(member, actual) for member in inner.members)
    places, values = _elements(inner), _elements(actual)
    if places is None or values is None:
        return True
    return all(takes(places.get(name, places.get(None, ty.DYNAMIC)), t) for name, t in values.items())


def _elements(t: ty.Type) -> Mapping[str | int | None, ty.Type] | None:
    """Return the types inside a collection by name or index; None is the key of a type for all elements."""
    match t:
        case ty.ListType() | ty.MapType():
            return {None: t.element}
        case ty.TupleType():
            return dict(enumerate(t.elements))
        case ty.ObjectType():
            return dict(t.members.items())
        case ty.NominalType():
            return {name: member.type for name, member in t.declaration.fields(t.shape).items()}
        case _:
            return None


def step_type(source: ty.Type, step: core.Attr | core.Index) -> ty.Type:
    """Return the type of `step` on a value of type `source`; its own type if it does not apply to `source`."""
    if isinstance(step, core.Attr):
        step_result = attribute(source, step.name)
        return step_result.type if isinstance(step_result, Step) else step.type
    if isinstance(step.key, core.Literal) and isinstance(step.key.value, str | int | Decimal):
        step_result = index(source, step.key.value)
        return step_result.type if isinstance(step_result, Step) else step.type
    way = iteration(source)
    return way.wrap(way.element) if way is not None else step.type


def cannot_fail(source: ty.Type, step: core.Attr | core.Index) -> bool:
    """Return whether `step` on a value of type `source` always succeeds: it reads a declared member of a value that is not
    null."""
    if not isinstance(step, core.Attr) or source is ty.DYNAMIC:
        return False
    if isinstance(source, ty.OutputType | ty.PromiseType):
        return cannot_fail(source.element, step)
    if isinstance(source, ty.NominalType):
        return step.name in source.declaration.fields(source.shape)
    return isinstance(source, ty.ObjectType) and step.name in source.members and step.name not in source.lacking


def with_type(expr: E, t: ty.Type) -> E:
    """Return `expr` as an expression of type `t`."""
    return expr if expr.type is t else replace(expr, type=t)


def settled(expr: E) -> E:
    """Give `expr` a plain type if none of its parts is eventual."""
    if not expr.type.eventual or any(part.type.eventual for part in children(expr)):
        return expr
    return with_type(expr, plain_type(expr.type))


def type_of_loop(expr: core.For) -> ty.Type:
    """Return the type of a loop over a plain collection."""
    element: ty.Type = ty.list_of(expr.result.type) if expr.group else expr.result.type
    return ty.list_of(element) if expr.result_key is None else ty.map_of(element)


def joined_type(whole: ty.Type, parts: list[core.Expr]) -> ty.Type:
    """Return the type of a choice between `parts`: an output if any of them is an output."""
    if is_eventual(whole) or not any(is_eventual(part.type) for part in parts):
        return whole
    return ty.output_of(plain_type(whole))


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
        return with_items(kind, expr.items)
    if isinstance(kind, ty.MapType):
        keys_wait = any(item.key.type.eventual for item in expr.items)
        return _lifted(ty.map_of(unify_elements(item.value.type for item in expr.items)), keys_wait)
    return expr.type


def with_items(t: ty.ObjectType, items: Iterable[core.ObjectItem]) -> ty.Type:
    """Return `t` with the types of `items`; the keys of such an object are literals."""
    own = {str(item.key.value): item.value.type for item in items if isinstance(item.key, core.Literal)}
    return ty.object_of({**t.members, **own})
