"""Paths into eventual values: steps that the SDK lifts stay, other steps go into an apply.

With a target that lifts only declared attributes:

    r.status.url                 ->  the same
    r.list[0].s                  ->  apply(r.list as list => list[0].s)
    "${r.list[0].s}-${r.list[1].s}"  ->  apply(r.list as list => "${list[0].s}-${list[1].s}")
    rs[r.int].out                ->  apply(r.int as int => rs[int].out)          an output inside is flattened

Inside a region, a path is cut after the last step that returns an output (on a resource) and the declared attributes
after it; further steps may fail or cannot be lifted, and apply to the parameter.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.lower.facts import key_of, receiver_type
from pclgen.lower.optionals import guarded, inside_guard, is_guard, may_be_missing
from pclgen.lower.region import Lowering, PlainPlace, Region, as_output, take
from pclgen.lower.retype import cannot_fail, plain_type, step_type, with_type
from pclgen.stdlib.model import Lifting


def steps_of(expr: core.Expr) -> tuple[core.Expr, list[core.Attr | core.Index]]:
    """Return the root of a path, and its steps from the root outwards."""
    steps: list[core.Attr | core.Index] = []
    while isinstance(expr, core.Attr | core.Index):
        steps.append(expr)
        expr = expr.source
    steps.reverse()
    return expr, steps


def eventual_path(cx: Lowering, expr: core.Attr | core.Index) -> core.Expr:
    """Lower a path for a place that takes outputs."""
    root, steps = steps_of(expr)
    at_hand, done = _at_hand(cx, root, steps)
    return _follow(cx, cx.eventual(root) if at_hand is None else at_hand, steps[done:], None)


def _at_hand(cx: Lowering, root: core.Expr, steps: Sequence[core.Attr | core.Index]) -> tuple[core.Ref | None, int]:
    """Return the parameter of an enclosing function that holds a prefix of this path, and the number of its steps."""
    for done in range(len(steps) if cx.at_hand else 0, -1, -1):
        at_hand = cx.at_hand.get(key_of(steps[done - 1] if done else root)) if cx.at_hand else None
        if at_hand is not None:
            return at_hand, done
    return None, 0


def _follow(cx: Lowering, value: core.Expr, steps: Sequence[core.Attr | core.Index], place: PlainPlace | None) -> core.Expr:
    """Apply `steps` to `value`; with a region, keys become plain in it, and the result may be eventual."""
    for at, step in enumerate(steps):
        if is_guard(value):
            return inside_guard(value, _follow(cx, value.then, steps[at:], place))
        waiting_key = isinstance(step, core.Index) and cx.facts.of(step.key).waits
        lifted = is_eventual(value.type)
        if (lifted and not cx.facts.can_lift(step)) or (waiting_key and (lifted or place is None)):
            return _rest_applied(cx, value, steps[at:])
        key = None
        if isinstance(step, core.Index):
            key = step.key if place is None else cx.plain(step.key, place)
        value = take_step(as_output(value) if lifted else value, key, step)
    return value


def _rest_applied(cx: Lowering, value: core.Expr, steps: Sequence[core.Attr | core.Index]) -> core.Expr:
    region = Region()
    if is_eventual(value.type):
        value = region.take(as_output(value), key_of(value), value.span)
    return region.close(_follow(cx, value, steps, PlainPlace(region)), steps[-1].span)


def take_step(value: core.Expr, key: core.Expr | None, step: core.Attr | core.Index) -> core.Expr:
    """Return `step` on `value`, which may be the resolved form of its original source."""
    if value is step.source and (key is None or (isinstance(step, core.Index) and key is step.key)):
        return step
    if isinstance(value, core.Ref) and may_be_missing(value.type):
        return guarded(value, lambda present: take_step(present, key, step))
    taken = step_type(value.type, step)
    if isinstance(step, core.Attr):
        return replace(step, source=value, type=taken)
    assert key is not None
    return replace(step, source=value, key=key, type=taken)


def plain_path(cx: Lowering, expr: core.Attr | core.Index, place: PlainPlace) -> core.Expr:
    """Lower a path for a place that needs its value."""
    root, steps = steps_of(expr)
    value: core.Expr
    at_hand, reached = _at_hand(cx, root, steps)
    done = _unit_length(cx, root, steps, place)
    if at_hand is not None:
        value, done = at_hand, reached
    elif done is None:
        value = root if isinstance(root, core.Ref) and holds_eventual(root.type) else cx.plain(root, place)
        done = 0
    else:
        value = take(cx, steps[done - 1] if done else root, place)
    for step in steps[done:]:
        key = cx.plain(step.key, place) if isinstance(step, core.Index) else None
        value = take_step(value, key, step)
    return with_type(value, plain_type(value.type))


def _unit_length(cx: Lowering, root: core.Expr, steps: Sequence[core.Attr | core.Index], place: PlainPlace) -> int | None:
    """Return the number of steps of the unit at the start of the path; None without such a unit."""
    length = None
    for at in range(len(steps), 0, -1):
        step = steps[at - 1]
        if step_type(receiver_type(step), step).eventual:
            length = at
            break
    if length is None:
        if not _is_unit_root(root):
            return None
        length = 0
    if place.lazy:
        return length
    while length < len(steps) and _may_extend(cx, steps[length]):
        length += 1
    return length


def _may_extend(cx: Lowering, step: core.Attr | core.Index) -> bool:
    lifts = is_eventual(step.source.type) and cx.facts.can_lift(step)
    return lifts and cannot_fail(receiver_type(step), step)


def _is_unit_root(root: core.Expr) -> bool:
    if not is_eventual(root.type):
        return False
    if isinstance(root, core.Call):
        return root.function.lifting is Lifting.OUTPUT
    return isinstance(root, core.Ref | core.Invoke | core.MethodCall)
