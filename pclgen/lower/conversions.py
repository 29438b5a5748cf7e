"""Conversions of eventual values.

Comes in: `Convert` nodes over something eventual.  Goes out: conversions that are no code in the target stay around the
output; the others run on the value:

    text = r.id                      ->  convert<output(string)>(r.id)         when an id is a string there
    text = r.int                     ->  apply(r.int as int => convert<string>(int))
    texts = [r.int, 5]               ->  [apply(r.int as int => convert<string>(int)), convert<string>(5)]

The last one matters for locals: a plain list of outputs stays one.
"""

from __future__ import annotations

from dataclasses import replace

from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.core.expr import Conditional, Convert, Expr, For, ListExpr, ObjectExpr, Ref, Symbol, SymbolKind
from pclgen.core.walk import with_children
from pclgen.lower import applies
from pclgen.lower.region import Context, Place
from pclgen.lower.retype import with_type
from pclgen.lower.shapes import plain_type
from pclgen.types.model import (
    ListType,
    MapType,
    SetType,
    Type,
    list_of,
    map_of,
    output_of,
    resolve,
    tuple_of,
    without_none,
)
from pclgen.types.traverse import iteration
from pclgen.types.unify import unify


def eventual_convert(cx: Context, expr: Convert) -> Expr:
    """A conversion for a place that takes outputs."""
    if cx.capabilities.converts_freely(resolve(expr.value.type), resolve(expr.type)):
        value = applies.eventual(cx, expr.value)
        kind = output_of(plain_type(expr.type)) if is_eventual(value.type) else expr.type
        return with_type(with_children(expr, [value]), kind)
    if holds_eventual(expr.value.type):
        spread = _spread(expr.value, without_none(expr.type))
        if spread is not None:
            return applies.eventual(cx, spread)
    return applies.applied(cx, expr)


def plain_convert(cx: Context, expr: Convert, place: Place) -> Expr:
    """A conversion for a place that needs the value."""
    return applies.plain_parts(cx, expr, place)


def _spread(value: Expr, target: Type) -> Expr | None:
    """The conversion of a plain structure to `target`, done on its elements; None where it has to be done as a whole."""
    if isinstance(value, Conditional):
        then, otherwise = _converted(value.then, target), _converted(value.otherwise, target)
        return replace(value, then=then, otherwise=otherwise, type=unify((then.type, otherwise.type)))
    if not isinstance(target, ListType | SetType | MapType):
        return None
    element = resolve(target.element)
    if isinstance(value, ListExpr) and isinstance(target, ListType):
        elements = tuple([_converted(e, element) for e in value.elements])
        return replace(value, elements=elements, type=tuple_of(e.type for e in elements))
    if isinstance(value, ObjectExpr) and isinstance(target, MapType):
        items = tuple([replace(item, value=_converted(item.value, element), field=None) for item in value.items])
        return replace(value, items=items, type=map_of(unify(item.value.type for item in items)))
    return _loop_over(value, element) if isinstance(target, ListType) else None


def _loop_over(value: Expr, element: Type) -> Expr | None:
    """`[for item in value : item converted]`."""
    way = iteration(value.type)
    if way is None or way.keyed:
        return None
    item = Symbol(name="item", kind=SymbolKind.LOOP, type=way.element, span=value.span)
    result = _converted(Ref(symbol=item, type=item.type, span=value.span), element)
    return For(
        collection=value,
        key=None,
        value=item,
        result_key=None,
        result=result,
        condition=None,
        group=False,
        splat=False,
        type=list_of(result.type),
        span=value.span,
    )


def _converted(value: Expr, target: Type) -> Expr:
    if resolve(value.type) is target:
        return value
    kind = output_of(target) if is_eventual(value.type) else target
    return Convert(value=value, type=kind, span=value.span)
