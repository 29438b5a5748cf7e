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

In general this proceeds in stages: wait for the outputs that can be reached now, then lower the rest. An outer call sees
only failures in the evaluation of an inner call, not failures of all its arguments within an apply.

In a stage, an argument of `try` or `can` gets parameters in place of the outputs that can be reached without waiting for
another, and matching types. It may wait for further outputs: those reached through the values of this stage, or guarded by
conditions.

    rs[r.int].list[0].s              ->  rs[int].list[0].s        with int = r.int
    rs[int].list[0].s                ->  list[0].s                with list = rs[int].list
    flag ? rs[0].list[5].s : "n"     ->  flag ? list[5].s : "n"   with list = flag ? rs[0].list : null
    [for p in rs : p.list[5].s]      ->  [for v in values : v.list[5].s]   with values = all([for p in rs : {list = p.list}])

An output is never moved out of a condition that guards it: the argument includes the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_at_hand, is_eventual, is_lazy
from pclgen.core.walk import children, rewrite
from pclgen.lower import loops, paths
from pclgen.lower.facts import is_access, key_of
from pclgen.lower.optionals import may_be_missing, not_null
from pclgen.lower.region import Lowering, Region, applied, as_output, flat
from pclgen.lower.retype import cannot_fail, joined_type, plain_type, retyped, step_type
from pclgen.stdlib.model import Lifting
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.types.convert import unify
from pclgen.types.model import BOOL, NONE, tuple_of, without_none

# -- attempts ---------------------------------------------------------------------------------------------------------------

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
        succeeds, otherwise = (core.Literal(value=value, type=BOOL, span=expr.span) for value in (True, False))

        def test(arg: core.Expr) -> core.Expr:
            return succeeds if cx.facts.of(arg).safe else replace(expr, args=(arg,), type=BOOL)

        return _staged(cx, expr.args[0], test, otherwise, until_known=not is_at_hand(expr.args[0]))
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


def _staged(
    cx: Lowering,
    arg: core.Expr,
    attempt: Callable[[core.Expr], core.Expr],
    otherwise: core.Expr,
    *,
    until_known: bool = False,
) -> core.Expr:
    """Return `attempt(arg)` after the outputs that `arg` waits for; `otherwise` if they cannot be reached.

    With `until_known`, an `arg` that is itself an output is waited for, too.
    """
    if not cx.facts.of(arg).waits or (is_ready(cx, arg) and not until_known):
        return attempt(cx.eventual(arg))
    stage = Stage(cx=cx, region=Region(), risks=[])
    left = settle(stage, arg)
    if not stage.region.args:
        return attempt(cx.eventual(left))
    value = stage.region.close(_staged(cx, left, attempt, otherwise, until_known=until_known), arg.span)
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


# -- stages of waiting ------------------------------------------------------------------------------------------------------

class Stage(Struct, frozen=True, kw_only=True):
    """The state of a stage: `risks` are arguments whose evaluation may fail, `guards` the enclosing conditions."""

    cx: Lowering
    region: Region
    risks: list[core.Expr]
    guards: tuple[tuple[core.Expr, bool], ...] = ()

    def under(self, condition: core.Expr, holds: bool) -> Stage:
        """Return the stage inside a branch that runs if `condition` holds (or does not hold)."""
        return replace(self, guards=(*self.guards, (condition, holds)))

    def take(self, unit: core.Expr) -> core.Expr:
        """Return the parameter for `unit`."""
        arg = self.cx.eventual(unit)
        if not arg.type.eventual:
            return arg  # an enclosing function has it as a parameter
        return self.take_lowered(arg, key_of(unit), safe=self.cx.facts.of(unit).safe)

    def take_lowered(self, arg: core.Expr, key: Hashable, *, safe: bool) -> core.Expr:
        """Return the parameter for the lowered `arg`; `safe`: its evaluation cannot fail."""
        guards = () if safe else self.guards
        for condition, holds in reversed(guards):
            arg = _guarded(condition, holds, arg)
        arg = as_output(arg)
        before = len(self.region.args)
        parameter = self.region.take(arg, (key, *guards), arg.span)
        if len(self.region.args) > before and not safe:
            self.risks.append(arg)
        return parameter


def _guarded(condition: core.Expr, holds: bool, value: core.Expr) -> core.Expr:
    null = core.Literal(value=None, type=NONE, span=value.span)
    then, otherwise = (value, null) if holds else (null, value)
    kind = unify((value.type, NONE))
    return core.Conditional(condition=condition, then=then, otherwise=otherwise, type=kind, span=value.span)


def is_ready(cx: Lowering, expr: core.Expr) -> bool:
    """Return whether `expr` is an output that can be reached without waiting for another; if that fails, it fails at once.
    """
    waits = cx.facts.of
    match expr:
        case core.Ref():
            return expr.type.eventual
        case core.Attr() | core.Index():
            return _is_ready_step(cx, expr)
        case core.Call():
            if expr.function.lifting is not Lifting.OUTPUT or expr.failure is not None:
                return False
            ready = ((waits(arg).safe and waits(arg).direct) or is_ready(cx, arg) for arg in expr.args if waits(arg).waits)
            return all(ready)
        case core.Invoke() | core.MethodCall():
            return expr.type.eventual and not any(waits(part).waits for part in children(expr))
        case _:
            return False


def _is_ready_step(cx: Lowering, step: core.Attr | core.Index) -> bool:
    source = step.source
    if is_eventual(source.type) or not step_type(source.type, step).eventual:
        return False
    node: core.Expr = step
    while isinstance(node, core.Attr | core.Index):
        if isinstance(node, core.Index) and cx.facts.of(node.key).waits:
            return False
        node = node.source
    return is_access(source) or not cx.facts.of(source).waits


def settle(stage: Stage, expr: core.Expr) -> core.Expr:
    """Return `expr` with parameters in place of all outputs that are ready."""
    cx = stage.cx
    if not cx.facts.of(expr).waits:
        return expr
    if is_ready(cx, expr):
        return stage.take(expr)
    match expr:
        case core.Attr() | core.Index():
            return _settle_path(stage, expr)
        case core.Conditional():
            return _settle_conditional(stage, expr)
        case core.Binary() if cx.facts.guards(expr):
            return _settle_guarding(stage, expr)
        case core.For() if cx.facts.is_blocked(expr):
            return _settle_loop(stage, expr)
        case core.Call() if expr.failure is not None or (is_lazy(expr) and cx.facts.of(expr).risky):
            return stage.take(expr)
        case _:
            return retyped(expr, [settle(stage, part) for part in children(expr)])


def _settle_path(stage: Stage, expr: core.Attr | core.Index) -> core.Expr:
    root, steps = paths.steps_of(expr)
    value = settle(stage, root) if not isinstance(root, core.Ref) or is_eventual(root.type) else root
    if isinstance(root, core.Ref) and value is not root and may_be_missing(value.type):
        unset = f"{root.symbol.name} is not set"
        value = core.Convert(value=value, type=without_none(value.type), span=root.span, unset=unset)
    for step in steps:
        if value is step.source and is_ready(stage.cx, step):
            value = stage.take(step)
            continue
        key = settle(stage, step.key) if isinstance(step, core.Index) else None
        value = paths.take_step(value, key, step)
    return value


def _settle_conditional(stage: Stage, expr: core.Conditional) -> core.Expr:
    if stage.cx.facts.of(expr.condition).waits:
        # The branches wait for the next stage, when the condition is known.
        return retyped(expr, [settle(stage, expr.condition), expr.then, expr.otherwise])
    then = settle(stage.under(expr.condition, True), expr.then)
    otherwise = settle(stage.under(expr.condition, False), expr.otherwise)
    return retyped(expr, [expr.condition, then, otherwise])


def _settle_guarding(stage: Stage, expr: core.Binary) -> core.Expr:
    if stage.cx.facts.of(expr.left).waits:
        return retyped(expr, [settle(stage, expr.left), expr.right])
    return retyped(expr, [expr.left, settle(stage.under(expr.left, expr.operator == "&&"), expr.right)])


def _settle_loop(stage: Stage, expr: core.For) -> core.Expr:
    if is_eventual(expr.collection.type):
        return retyped(expr, [settle(stage, expr.collection), *children(expr)[1:]])
    record = replace(stage, region=Region(), risks=[], guards=())
    key, result, condition = expr.result_key, expr.result, expr.condition
    inner = record
    if condition is not None and not stage.cx.facts.of(condition).waits:
        inner = record.under(condition, True)
    elif condition is not None:
        condition = settle(record, condition)
    if condition is expr.condition:
        key = None if key is None else settle(inner, key)
        result = settle(inner, result)
    if not record.region.args:
        return expr
    second = replace(expr, result_key=key, result=result, condition=condition)
    collecting = Region()
    loop = loops.split_loop(stage.cx, expr, second, record=record.region, region=collecting)
    safe = not record.risks and stage.cx.facts.of(expr.collection).safe
    parameter = stage.take_lowered(collecting.args[0], key_of(expr), safe=safe)
    return retyped(loop, [parameter, *children(loop)[1:]])
