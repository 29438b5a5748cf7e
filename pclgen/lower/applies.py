"""Eventual values: from "outputs are allowed anywhere" to explicit applies.

There are two kinds of places.

    eventual   the place takes outputs: a resource input, a local
    plain      the place needs the value: an operand, a condition, an argument of `split`

An operation that needs values opens a *region* and takes every eventual value inside it as an argument:

    "x${r.out}"                        ->  i"x${r.out}"                                      an interpolation
    r.int + 1                          ->  apply(r.int as int => int + 1)
    r.out == "q" ? r2.out : "n"        ->  apply(r.out as out => (out == "q") ? r2.out : "n")
    flag ? r.out : "z"                 ->  the same
    join("-", [r.out, r2.out])         ->  apply(r.out as rOut, r2.out as r2Out => join("-", [rOut, r2Out]))

A region is as large as possible, so that there are few; but a value is not moved out of a branch if only that branch
waits for it, nor out of a branch or a loop that guards its evaluation (`lower.facts`: chooses, risky).
Then the whole expression is awaited, and a function passed to `apply` may return an output itself:

    "${length(rs) > 0 ? rs[0].out : "-"}!"  ->  i"${(length(rs) > 0) ? rs[0].out : "-"}!"
    (flag ? r.int : 2) + 1                  ->  apply(flag ? r.int : 2 as int => int + 1)

This module has the two dispatchers; paths, loops, failures and conversions have separate modules, which call back
through the context (`Lowering.eventual`, `Lowering.plain`).
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_lazy
from pclgen.core.promises import is_given
from pclgen.core.walk import children, with_children
from pclgen.lower import conversions, failures, loops, paths
from pclgen.lower.facts import key_of
from pclgen.lower.region import Lowering, PlainPlace, Region, applied, as_output, fitted, flat, plain_parts, take
from pclgen.lower.retype import joined_type, plain_type, retyped, settled, with_items, with_type
from pclgen.stdlib.model import Lifting
from pclgen.types import model as ty
from pclgen.types.declarations import Shape


def eventual(cx: Lowering, expr: core.Expr) -> core.Expr:
    """Lower `expr` for a place that takes outputs: eventual parts stay unless an operation needs their value."""
    if not cx.facts.of(expr).waits:
        return expr
    match expr:
        case core.Literal() | core.PropertyPath() | core.Invalid() | core.Apply() | core.All():
            return expr
        case core.Ref():
            return cx.at_hand.get(key_of(expr), expr)
        case core.Attr() | core.Index():
            return paths.eventual_path(cx, expr)
        case core.ListExpr():
            return _eventual_list(cx, expr)
        case core.ObjectExpr():
            return _eventual_object(cx, expr)
        case core.Template():
            return _eventual_template(cx, expr)
        case core.Unary():
            return applied(cx, expr)
        case core.Binary():
            return _eventual_binary(cx, expr)
        case core.Conditional():
            return _eventual_conditional(cx, expr)
        case core.For():
            return loops.eventual_for(cx, expr)
        case core.Call():
            return _eventual_call(cx, expr)
        case core.Invoke() | core.MethodCall():
            return _eventual_remote(cx, expr)
        case core.Convert():
            return conversions.eventual_convert(cx, expr)
        case _:
            assert_never(expr)


def plain(cx: Lowering, expr: core.Expr, place: PlainPlace) -> core.Expr:
    """Lower `expr` for a place that needs its value: eventual parts become arguments of the region."""
    if not cx.facts.of(expr).waits and plain_type(expr.type) is expr.type:
        return expr
    match expr:
        case core.Literal() | core.PropertyPath() | core.Invalid():
            return expr
        case core.Attr() | core.Index():
            return paths.plain_path(cx, expr, place)
        case core.ObjectExpr():
            return _plain_object(cx, expr, place)
        case core.Ref() if key_of(expr) in cx.at_hand:
            return cx.at_hand[key_of(expr)]
        case core.Ref() | core.Apply() | core.All():
            return take(cx, expr, place) if expr.type.eventual else expr
        case core.ListExpr() | core.Template() | core.Unary() | core.Convert():
            return plain_parts(cx, expr, place)
        case core.Binary() | core.Conditional() | core.For() | core.Call() | core.Invoke() | core.MethodCall():
            return take(cx, expr, place) if _is_unit(cx, expr) else plain_parts(cx, expr, place)
        case _:
            assert_never(expr)


def _is_unit(
    cx: Lowering, expr: core.Binary | core.Conditional | core.For | core.Call | core.Invoke | core.MethodCall
) -> bool:
    """Return whether `expr` is a unit (see `lower.facts`)."""
    match expr:
        case core.Conditional():
            return cx.facts.chooses(expr)
        case core.Binary():
            return cx.facts.guards(expr)
        case core.For():
            return cx.facts.is_blocked(expr)
        case core.Call():
            return expr.function.lifting is Lifting.OUTPUT or cx.facts.attempts(expr)
        case core.Invoke() | core.MethodCall():
            return expr.type.eventual
        case _:
            assert_never(expr)


def _eventual_list(cx: Lowering, expr: core.ListExpr) -> core.Expr:
    lowered = settled(with_children(expr, [cx.eventual(element) for element in expr.elements]))
    if lowered is expr or not isinstance(lowered.type, ty.TupleType):
        return lowered
    return with_type(lowered, ty.tuple_of(element.type for element in lowered.elements))


def _eventual_object(cx: Lowering, expr: core.ObjectExpr) -> core.Expr:
    if cx.facts.is_strict_object(expr):
        region = Region()
        return region.close(_plain_object(cx, expr, PlainPlace(region)), expr.span)
    parts = [part for item in expr.items for part in core.item_parts(replace(item, value=_eventual_member(cx, item)))]
    lowered = settled(with_children(expr, parts))
    if lowered is expr or not isinstance(expr.type, ty.ObjectType):
        return lowered
    return with_type(lowered, with_items(expr.type, lowered.items))


def _eventual_member(cx: Lowering, item: core.ObjectItem) -> core.Expr:
    value = cx.eventual(item.value)
    return value if item.field is None else fitted(value, item.field.type)


def _plain_object(cx: Lowering, expr: core.ObjectExpr, place: PlainPlace) -> core.Expr:
    """Return an object of plain values, in plain shape."""
    lowered = plain_parts(cx, expr, place)
    if not isinstance(lowered, core.ObjectExpr) or not isinstance(lowered.type, ty.NominalType) or lowered.type is expr.type:
        return lowered
    fields = lowered.type.declaration.fields(Shape.PLAIN)
    items = tuple(
        item if item.field is None else replace(item, field=fields.get(item.field.name, item.field))
        for item in lowered.items
    )
    return replace(lowered, items=items)


def _eventual_template(cx: Lowering, expr: core.Template) -> core.Expr:
    if len(expr.parts) == 1 and plain_type(expr.parts[0].type) in (ty.STRING, ty.ID):
        return cx.eventual(expr.parts[0])
    if not cx.facts.of(expr).direct:
        return applied(cx, with_children(expr, [_unchecked(cx, part) for part in expr.parts]))
    return settled(with_children(expr, [cx.eventual(part) for part in expr.parts]))


def _unchecked(cx: Lowering, part: core.Expr) -> core.Expr:
    """Return a part of an interpolation without the null check if null is possible only by the schema."""
    if not isinstance(part, core.Convert) or part.unset is None or not is_given(part.value):
        return part
    return replace(part, unset=None) if cx.capabilities.is_free(part) else part


def _eventual_binary(cx: Lowering, expr: core.Binary) -> core.Expr:
    return _eventual_conditional(cx, _as_choices(cx, expr)) if cx.facts.guards(expr) else applied(cx, expr)


def _as_choices(cx: Lowering, expr: core.Binary) -> core.Conditional:
    """Return a chain of `&&` or `||` as conditionals; operands without new units stay together.

    r.a > 0 && r.b > 0 && r.b < 9  ->  (r.a > 0) ? ((r.b > 0) && (r.b < 9)) : false
    """
    operands: list[core.Expr] = []
    left: core.Expr = expr
    while isinstance(left, core.Binary) and left.operator == expr.operator:
        operands.append(left.right)
        left = left.left
    groups = [left]
    for operand in reversed(operands):
        joined = core.Binary(operator=expr.operator, left=groups[-1], right=operand, type=expr.type, span=expr.span)
        if cx.facts.guards(joined):
            groups.append(operand)
        else:
            groups[-1] = retyped(joined, children(joined))
    constant = core.Literal(value=expr.operator == "||", type=ty.BOOL, span=expr.span)
    choice = groups.pop()
    for group in reversed(groups):
        then, otherwise = (constant, choice) if expr.operator == "||" else (choice, constant)
        choice = core.Conditional(condition=group, then=then, otherwise=otherwise, type=expr.type, span=expr.span)
    assert isinstance(choice, core.Conditional)
    return choice


def _eventual_conditional(cx: Lowering, expr: core.Conditional) -> core.Expr:
    if not cx.facts.of(expr.condition).waits:
        parts = [expr.condition, cx.eventual(expr.then), cx.eventual(expr.otherwise)]
        return with_type(with_children(expr, parts), joined_type(expr.type, parts[1:]))
    if not _is_unit(cx, expr):
        return applied(cx, expr)
    region = Region()
    condition = cx.plain(expr.condition, PlainPlace(region))
    with cx.inside(region):
        branches = [flat(cx, cx.eventual(branch)) for branch in (expr.then, expr.otherwise)]
    body = with_children(expr, [condition, *branches])
    return region.close(with_type(body, joined_type(plain_type(expr.type), branches)), expr.span)


def _eventual_call(cx: Lowering, expr: core.Call) -> core.Expr:
    if is_lazy(expr):
        return failures.eventual_lazy(cx, expr)
    lifting = expr.function.lifting
    keeps = lifting is Lifting.KEEP and cx.capabilities.json_over_outputs
    if not keeps and lifting not in (Lifting.OUTPUT, Lifting.NEVER):
        return applied(cx, expr)
    args = [cx.eventual(arg) for arg in expr.args]
    if expr.failure is not None:
        args[0] = as_output(args[0])
    return with_children(expr, args)


def _eventual_remote(cx: Lowering, expr: core.Invoke | core.MethodCall) -> core.Expr:
    """Lower a provider function or method: its input-shaped arguments take outputs, everything else needs values.

        invoke(t, {a = r.out})      ->  the same, when it is the Output form
        invoke(t, r.settings)       ->  apply(r.settings as settings => invoke(t, settings))
    """
    if _needs_values(cx, expr):
        return applied(cx, expr)
    return with_children(expr, [cx.eventual(part) for part in children(expr)])


def _needs_values(cx: Lowering, expr: core.Invoke | core.MethodCall) -> bool:
    if isinstance(expr, core.MethodCall) and cx.facts.of(expr.receiver).waits:
        return True
    if isinstance(expr, core.Invoke) and not expr.output_form and any(cx.facts.of(part).waits for part in children(expr)):
        return True
    args = expr.args
    if args is None:
        return False
    if isinstance(args, core.ObjectExpr):
        return cx.facts.is_strict_object(args)
    return cx.facts.of(args).waits
