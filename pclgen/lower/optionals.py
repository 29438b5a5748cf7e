"""Resources that may not have been made: `options { range = flag }` (spec 11.5).

Comes in: expressions that read attributes of such a resource.  Goes out: the same, guarded, so that null is what comes out
when there is no resource:

    pet.id                          ->  (pet != null) ? pet.id : null
    pet != null ? pet.id : "none"   ->  the same: the program guards it already

The guard is around the whole path and nothing more.  This runs before applies are made, so that they land inside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeGuard

from pclgen.core.eventuals import is_resource_like
from pclgen.core.expr import Attr, Binary, Conditional, Expr, Index, Literal, Ref, Symbol
from pclgen.core.walk import rewrite
from pclgen.lower.shapes import step_type
from pclgen.types.model import BOOL, NONE, OutputType, PromiseType, Type, UnionType, is_optional, union_of, without_none


def guard_optionals(expr: Expr) -> Expr:
    """`expr` with a guard around every path that starts at a resource that may be missing."""
    guards: dict[int, Conditional] = {}

    def change(node: Expr) -> Expr:
        if isinstance(node, Attr | Index):
            return _change_step(node, guards)
        if isinstance(node, Conditional):
            return _without_needless_guards(node, guards)
        return node

    return rewrite(expr, change)


def _change_step(node: Attr | Index, guards: dict[int, Conditional]) -> Expr:
    source = node.source
    if isinstance(source, Ref) and may_be_missing(source.type):
        made = guarded(source, lambda present: _on(present, node))
    elif id(source) in guards:
        guard = guards[id(source)]
        made = replace(guard, then=_on(guard.then, node), type=node.type, span=node.span)
    else:
        return node
    assert isinstance(made, Conditional)
    guards[id(made)] = made
    return made


def may_be_missing(t: Type) -> bool:
    """Whether `t` is the type of a resource that may not have been made."""
    return isinstance(t, UnionType) and is_optional(t) and is_resource_like(without_none(t))


def _on(source: Expr, step: Attr | Index) -> Expr:
    return replace(step, source=source, type=_present(step_type(source.type, step)))


def _present(t: Type) -> Type:
    """Of "an output, or nothing because there is no resource": the output."""
    if isinstance(t, UnionType) and any(isinstance(member, OutputType | PromiseType) for member in t.members):
        return union_of(member for member in t.members if member is not NONE)
    return t


def guarded(resource: Ref, use: Callable[[Ref], Expr]) -> Expr:
    """`use` of `resource` if there is one, else null."""
    null = Literal(value=None, type=NONE, span=resource.span)
    test = Binary(operator="!=", left=resource, right=null, type=BOOL, span=resource.span)
    then = use(replace(resource, type=without_none(resource.type)))
    return Conditional(condition=test, then=then, otherwise=null, type=_or_null(then.type), span=then.span)


def is_guard(expr: Expr) -> TypeGuard[Conditional]:
    """Whether `expr` has the form that `guarded` makes."""
    if not isinstance(expr, Conditional) or not isinstance(expr.otherwise, Literal) or expr.otherwise.value is not None:
        return False
    test = expr.condition
    return isinstance(test, Binary) and isinstance(test.left, Ref) and test.right is expr.otherwise


def inside_guard(guard: Conditional, then: Expr) -> Conditional:
    """`guard` around `then`."""
    return replace(guard, then=then, type=_or_null(then.type), span=then.span)


def _or_null(t: Type) -> Type:
    return union_of((t, NONE))


def _without_needless_guards(node: Conditional, guards: dict[int, Conditional]) -> Expr:
    """`x != null ? … : …` guards `x` in its first branch, `x == null ? … : …` in its second."""
    tested = _tested_for_null(node.condition)
    if tested is None or id(node) in guards:
        return node
    symbol, is_present = tested
    if is_present:
        return _replaced(node, then=_unguarded(node.then, symbol, guards))
    return _replaced(node, otherwise=_unguarded(node.otherwise, symbol, guards))


def _replaced(node: Conditional, *, then: Expr | None = None, otherwise: Expr | None = None) -> Expr:
    then, otherwise = then or node.then, otherwise or node.otherwise
    if then is node.then and otherwise is node.otherwise:
        return node
    return replace(node, then=then, otherwise=otherwise)


def _tested_for_null(condition: Expr) -> tuple[Symbol, bool] | None:
    """The symbol that `condition` compares with null, and whether it holds when there is something."""
    if not isinstance(condition, Binary) or condition.operator not in ("==", "!="):
        return None
    sides = (condition.left, condition.right)
    symbols = [side.symbol for side in sides if isinstance(side, Ref)]
    nulls = [side for side in sides if isinstance(side, Literal) and side.value is None]
    if len(symbols) != 1 or len(nulls) != 1:
        return None
    return symbols[0], condition.operator == "!="


def _unguarded(expr: Expr, symbol: Symbol, guards: dict[int, Conditional]) -> Expr:
    def change(node: Expr) -> Expr:
        if id(node) in guards and isinstance(node, Conditional):
            tested = _tested_for_null(node.condition)
            if tested is not None and tested[0] is symbol:
                return node.then
        return node

    return rewrite(expr, change)
