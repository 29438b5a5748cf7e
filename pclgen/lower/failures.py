"""`try` and `can` over eventual values: failures must happen inside of the call.

An apply wraps the whole call of a function with lazy parameters, and paths are evaluated again inside, so that a failing
step fails inside the call:

    try(r.list[0].s, "d")       ->  apply(r.list as list => try(list[0].s, "d"))

If reaching an output may fail by itself (`rs[5]`, of a ranged resource), that part cannot move into the arguments of an
apply unguarded. The call guards it in place:

    try(rs[5].out, "d")         ->  try(rs[5].out, "d")
    try(rs[5].list[0].s, "d")   ->  can(rs[5].list) ? apply(rs[5].list as list => try(list[0].s, "d")) : "d"
    try(rs[r.int].out, "d")     ->  apply(r.int as int => try(rs[int].out, "d"))

A resource that may be missing (`range = flag`) is compared with null:

    try(r.list[0].s, "d")       ->  r != null ? apply(r.list as list => try(list[0].s, "d")) : "d"

In general this proceeds in stages (`lower.stages`): wait for the outputs that can be reached now, then lower the rest.
An outer call sees only failures in the evaluation of an inner call, not failures of all its arguments within an apply.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.walk import rewrite
from pclgen.lower import stages
from pclgen.lower.optionals import not_null
from pclgen.lower.region import Lowering, Region, applied, flat
from pclgen.lower.retype import cannot_fail, joined_type, plain_type
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.types.model import BOOL, tuple_of, without_none


def eventual_lazy(cx: Lowering, expr: core.Call) -> core.Expr:
    """Lower a call of `try` or `can` for a place that takes outputs."""
    if expr.expand or not cx.facts.attempts(expr):
        return applied(cx, expr)
    with cx.attempting(expr):
        return _attempted(cx, expr)


def _attempted(cx: Lowering, expr: core.Call) -> core.Expr:
    if expr.function.name == "can":
        if cx.facts.of(expr.args[0]).safe:
            return core.Literal(value=True, type=BOOL, span=expr.span)
        otherwise = core.Literal(value=False, type=BOOL, span=expr.span)
        return _staged(cx, expr.args[0], lambda arg: replace(expr, args=(arg,), type=BOOL), otherwise)
    return _first_that_works(cx, expr, 0)


def _first_that_works(cx: Lowering, expr: core.Call, at: int) -> core.Expr:
    """Return `try` of the arguments from `at` on."""
    if at == len(expr.args) - 1 or cx.facts.of(expr.args[at]).safe:
        return cx.eventual(expr.args[at])
    rest = _first_that_works(cx, expr, at + 1)

    def attempt(arg: core.Expr) -> core.Expr:
        others = rest.args if isinstance(rest, core.Call) and rest.function is expr.function else (rest,)
        kind = joined_type(plain_type(expr.type), [arg, rest])
        return replace(expr, args=(flat(cx, arg), *(flat(cx, other) for other in others)), type=kind)

    return _staged(cx, expr.args[at], attempt, rest)


def _staged(cx: Lowering, arg: core.Expr, attempt: Callable[[core.Expr], core.Expr], otherwise: core.Expr) -> core.Expr:
    """Return `attempt(arg)` after the outputs that `arg` waits for; `otherwise` if they cannot be reached."""
    if not cx.facts.of(arg).waits or stages.is_ready(cx, arg):
        return attempt(cx.eventual(arg))
    stage = stages.Stage(cx=cx, region=Region(), risks=[])
    left = stages.settle(stage, arg)
    if not stage.region.args:
        return attempt(cx.eventual(left))
    value = stage.region.close(_staged(cx, left, attempt, otherwise), arg.span)
    return _if_reached(stage.risks, value, otherwise) if stage.risks else value


def _if_reached(risks: list[core.Expr], value: core.Expr, otherwise: core.Expr) -> core.Expr:
    missing = _missing_resource(risks)
    test: core.Expr
    if missing is not None:
        test, value, otherwise = not_null(missing), _with(value, missing), _without(otherwise, missing)
    else:
        reached = risks[0]
        if len(risks) > 1:
            reached = core.ListExpr(elements=tuple(risks), type=tuple_of(risk.type for risk in risks), span=value.span)
        test = core.Call(function=FUNCTIONS["can"], args=(reached,), expand=False, type=BOOL, span=value.span)
    kind = joined_type(plain_type(value.type), [value, otherwise])
    return core.Conditional(condition=test, then=value, otherwise=otherwise, type=kind, span=value.span)


def _missing_resource(risks: list[core.Expr]) -> core.Ref | None:
    """Return the resource whose absence makes any of `risks` fail, if nothing else can make them fail."""
    resources = [_demanded_resource(risk) for risk in risks]
    first = resources[0]
    return first if first is not None and all(r is not None and r.symbol is first.symbol for r in resources) else None


def _demanded_resource(risk: core.Expr) -> core.Ref | None:
    """Return the possibly missing resource of an attribute that each such resource has."""
    if not isinstance(risk, core.Attr) or not isinstance(risk.source, core.Convert) or risk.source.unset is None:
        return None
    resource = risk.source.value
    return resource if isinstance(resource, core.Ref) and cannot_fail(without_none(resource.type), risk) else None


def _with(value: core.Expr, resource: core.Ref) -> core.Expr:
    """Return `value` without the checks that `resource` is present; inside functions, type checkers require them."""

    def change(part: core.Expr) -> core.Expr:
        match part:
            case core.Convert(value=core.Ref(symbol=symbol)) if part.unset is not None and symbol is resource.symbol:
                return replace(resource, type=part.type)
            case _:
                return part

    assert isinstance(value, core.Apply), "the region waits for what may be missing"
    return replace(value, args=tuple([rewrite(arg, change) for arg in value.args]))


def _without(value: core.Expr, resource: core.Ref) -> core.Expr:
    """Return `value` where `resource` is missing."""

    def change(part: core.Expr) -> core.Expr:
        match part:
            case core.Conditional(
                condition=core.Binary(operator="!=", left=core.Ref(symbol=symbol), right=core.Literal(value=None))
            ):
                return part.otherwise if symbol is resource.symbol else part
            case _:
                return part

    return rewrite(value, change)
