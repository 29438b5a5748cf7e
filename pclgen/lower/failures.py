"""`try` and `can` over eventual values: the failure must happen where they can see it (spec 13.5, 6).

Comes in: calls of functions with lazy parameters.  Goes out: an apply around the whole call, in which paths are walked
again, so that a step that fails does so inside the call:

    try(r.list[0].s, "d")       ->  apply(r.list as list => try(list[0].s, "d"))

Where reaching the output may fail by itself (`rs[5]`, a ranged resource), that part cannot move into the apply; then the
call guards it where it stands, with the eventual value as its argument:

    try(rs[5].out, "d")         ->  try(rs[5].out, "d")
    try(rs[5].list[0].s, "d")   ->  can(rs[5].list) ? apply(rs[5].list as list => try(list[0].s, "d")) : "d"
"""

from __future__ import annotations

from dataclasses import replace

from pclgen.core.expr import Attr, Call, Conditional, Expr, Index, ListExpr, Literal
from pclgen.lower import applies
from pclgen.lower.facts import receiver_type
from pclgen.lower.region import Context, Place, Region, flat
from pclgen.lower.shapes import plain_type, step_type
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.types.model import BOOL, tuple_of


def eventual_lazy(cx: Context, expr: Call) -> Expr:
    """A call of `try` or `can`, for a place that takes outputs."""
    if not any(cx.facts.of(arg).risky for arg in expr.args):
        return applies.applied(cx, expr)
    if expr.function.name == "can":
        return _can(cx, expr)
    if all(not cx.facts.of(arg).waits or _fails_at_once(arg) for arg in expr.args):
        args = tuple([applies.eventual(cx, arg) for arg in expr.args])
        return expr if all(new is old for new, old in zip(args, expr.args, strict=True)) else replace(expr, args=args)
    return _try_from(cx, expr, 0)


def _fails_at_once(arg: Expr) -> bool:
    """Whether `arg`, if it fails, fails while it is evaluated and not when the output that it gives becomes known."""
    return isinstance(arg, Attr | Index) and step_type(receiver_type(arg), arg).eventual


def _can(cx: Context, expr: Call) -> Expr:
    arg = expr.args[0]
    if _fails_at_once(arg):
        return replace(expr, args=(applies.eventual(cx, arg),), type=BOOL)
    region = Region()
    inner = applies.plain(cx, arg, Place(region, lazy=True))
    known = region.close(replace(expr, args=(inner,), type=BOOL), expr.span)
    otherwise = Literal(value=False, type=BOOL, span=expr.span)
    return _if_reachable(region, known, otherwise, expr)


def _try_from(cx: Context, expr: Call, at: int) -> Expr:
    """`try` of the arguments from `at` on."""
    arg = expr.args[at]
    if at == len(expr.args) - 1:
        return applies.eventual(cx, arg)
    rest = _try_from(cx, expr, at + 1)
    region = Region()
    first = applies.plain(cx, arg, Place(region, lazy=True))
    attempt = replace(expr, args=(first, flat(rest)), type=applies.joined_type(plain_type(expr.type), [rest]))
    known = region.close(attempt, expr.span)
    return _if_reachable(region, known, rest, expr) if cx.facts.of(arg).risky else known


def _if_reachable(region: Region, known: Expr, otherwise: Expr, expr: Call) -> Expr:
    """`known` if the values that it waits for can be reached, else `otherwise`."""
    reached = region.args[0]
    if len(region.args) > 1:
        types = tuple_of(arg.type for arg in region.args)
        reached = ListExpr(elements=tuple(region.args), type=types, span=expr.span)
    test = Call(function=FUNCTIONS["can"], args=(reached,), expand=False, type=BOOL, span=expr.span)
    kind = applies.joined_type(plain_type(expr.type), [known, otherwise])
    return Conditional(condition=test, then=known, otherwise=otherwise, type=kind, span=expr.span)
