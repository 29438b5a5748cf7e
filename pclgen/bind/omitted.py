"""Omission of null members in maps of inputs (language.md, Null).

If the program text shows when a member is null, the member gets this condition; else a loop removes the nulls:

    { Owner = anonymous ? null : owner }    {Owner = owner if !anonymous}
    { Owner = owner }                       {Owner = owner if owner != null}
    { Owner = lookup(owners, "a", null) }   {for key, value in {Owner = lookup(…)} : key => value if value != null}
    tags                                    {Owner = tags.Owner if tags.Owner != null}
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind.coerce import fit, untyped_null
from pclgen.bind.context import Context, Want
from pclgen.bind.presence import path_key
from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import (
    Attr,
    Binary,
    Conditional,
    Convert,
    Expr,
    For,
    Literal,
    ObjectExpr,
    ObjectItem,
    Ref,
    Symbol,
    SymbolKind,
    Unary,
)
from pclgen.types.model import (
    BOOL,
    NONE,
    STRING,
    InputType,
    MapType,
    ObjectType,
    Type,
    input_of,
    is_optional,
    map_of,
    optional_of,
    output_of,
    resolve,
    without_none,
)
from pclgen.types.traverse import Eventuality, iteration
from pclgen.types.unify import unify


class Decided(Struct, frozen=True):
    """A member with the plain condition under which it is present; `when` is None if it is always present."""

    when: Expr | None
    value: Expr


def fit_map(cx: Context, value: Expr, want: Want) -> Expr:
    """Fit `value` to `want` and omit the members of a map of inputs that the program may set to null."""
    target = _map_of_inputs(want.type)
    have = resolve(value.type)
    if target is None or not _holds_null(have):
        return fit(cx, value, want)
    if isinstance(have, ObjectType) and not is_eventual(value.type) and path_key(value) is not None:
        return without_nulls(cx, _as_literal(cx, value, target, want), want)
    return fit(cx, _filtered(value), want)


def _map_of_inputs(expected: Type) -> MapType | None:
    inner = without_none(expected)
    inner = without_none(inner.element) if isinstance(inner, InputType) else inner
    return inner if isinstance(inner, MapType) and Want(inner).member(inner.element).omits else None


def _holds_null(t: Type) -> bool:
    if isinstance(t, ObjectType):
        return not t.lacking and any(is_optional(member) for member in t.members.values())
    return isinstance(t, MapType) and is_optional(t.element)


def _as_literal(cx: Context, value: Expr, target: MapType, want: Want) -> ObjectExpr:
    """Rewrite the path `value` as an object literal of its members."""
    span, have = value.span, without_none(value.type)
    assert isinstance(have, ObjectType)
    items: list[ObjectItem] = []
    for name, t in have.members.items():
        member = Attr(source=value, name=name, field=None, type=t, span=span)
        inner = want.member(target.element)
        if is_optional(t):
            inner = want.inner(input_of(optional_of(resolve(target.element))))
        key = Literal(value=name, type=STRING, span=span)
        items.append(ObjectItem(key=key, value=fit(cx, member, inner), span=span))
    return ObjectExpr(items=tuple(items), type=map_of(resolve(target.element)), span=span)


def without_nulls(cx: Context, literal: ObjectExpr, want: Want) -> Expr:
    """Omit the null members of `literal`, a map of inputs."""
    if not any(is_optional(item.value.type) for item in literal.items):
        return literal
    decided_items = [_decided_item(cx, item) for item in literal.items]
    items = tuple([item for item in decided_items if item is not None])
    if len(items) < len(decided_items):
        as_map = replace(literal, type=map_of(unify(item.value.type for item in literal.items)))
        return fit(cx, _filtered(as_map), want)
    present = tuple([item for item in items if resolve(item.value.type) is not NONE])
    plain = resolve(unify(item.value.type for item in present))
    eventual = any(item.value.type.eventual for item in present)
    return replace(literal, items=present, type=map_of(output_of(plain) if eventual else plain))


def _decided_item(cx: Context, item: ObjectItem) -> ObjectItem | None:
    if not is_optional(item.value.type):
        return item
    decision = decided(cx, item.value) if isinstance(item.key, Literal) else None
    return None if decision is None else replace(item, value=decision.value, when=decision.when)


def filtered_result(cx: Context, condition: Expr | None, result: Expr) -> tuple[Expr | None, Expr]:
    """The condition and the result of a loop over a map of inputs that omits null results."""
    decision = decided(cx, result)
    if decision is None or decision.when is None or resolve(decision.value.type) is NONE:
        return condition, result
    return (decision.when if condition is None else _both(condition, decision.when)), decision.value


def decided(cx: Context, value: Expr) -> Decided | None:
    """Return the plain condition under which `value` is not null, or None if the program text does not show it.

    A value that is always null has the type NONE.
    """
    value = untyped_null(value)
    if not is_optional(value.type) or resolve(value.type) is NONE:
        return Decided(None, value)
    if isinstance(value, Conditional):
        return None if value.condition.type.eventual else _decided_choice(cx, value)
    if value.type.eventual or path_key(value) is None:
        return None
    path: Expr = value
    while isinstance(path, Convert):
        path = path.value
    when = _is_set(path)
    want = Want(input_of(without_none(value.type)))
    return Decided(when, fit(cx.where(when, True), path, want))


def _decided_choice(cx: Context, value: Conditional) -> Decided | None:
    then = decided(cx.where(value.condition, True), value.then)
    otherwise = decided(cx.where(value.condition, False), value.otherwise)
    if then is None or otherwise is None:
        return None
    if resolve(then.value.type) is NONE:
        return Decided(_both(_not(value.condition), otherwise.when), otherwise.value)
    if resolve(otherwise.value.type) is NONE:
        return Decided(_both(value.condition, then.when), then.value)
    chosen = replace(value, then=then.value, otherwise=otherwise.value, type=unify((then.value.type, otherwise.value.type)))
    return Decided(_either(value, then.when, otherwise.when), chosen)


def _is_set(path: Expr) -> Expr:
    null = Literal(value=None, type=NONE, span=path.span)
    kind = output_of(BOOL) if path.type.eventual else BOOL
    return Binary(operator="!=", left=path, right=null, type=kind, span=path.span)


_OPPOSITES: Final = {"==": "!=", "!=": "=="}


def _not(condition: Expr) -> Expr:
    if isinstance(condition, Unary) and condition.operator == "!":
        return condition.operand
    if isinstance(condition, Binary) and condition.operator in _OPPOSITES:
        return replace(condition, operator=_OPPOSITES[condition.operator])
    return Unary(operator="!", operand=condition, type=BOOL, span=condition.span)


def _both(first: Expr, second: Expr | None) -> Expr:
    return first if second is None else _joined("&&", first, second)


def _joined(operator: str, left: Expr, right: Expr) -> Expr:
    kind = output_of(BOOL) if left.type.eventual or right.type.eventual else BOOL
    return Binary(operator=operator, left=left, right=right, type=kind, span=left.span)


def _either(choice: Conditional, then: Expr | None, otherwise: Expr | None) -> Expr | None:
    """The condition under which the branch that `choice` takes is present."""
    if then is not None and otherwise is not None:
        return replace(choice, then=then, otherwise=otherwise, type=BOOL)
    if then is not None:
        return _joined("||", _not(choice.condition), then)
    return None if otherwise is None else _joined("||", choice.condition, otherwise)


def _filtered(value: Expr) -> Expr:
    """`{ for key, value in collection : key => value if value != null }`."""
    way = iteration(value.type)
    assert way is not None and way.keyed, "a map or an object"
    key = Symbol(name="key", kind=SymbolKind.LOOP, type=way.key, span=value.span)
    item = Symbol(name="value", kind=SymbolKind.LOOP, type=way.element, span=value.span)
    there = Ref(symbol=item, type=item.type, span=value.span)
    result = Convert(value=there, type=without_none(item.type), span=value.span, narrowed=True)
    condition = _is_set(there)
    result_type = map_of(result.type)
    eventual = way.layer is not Eventuality.PLAIN or condition.type.eventual
    return For(
        collection=value,
        key=key,
        value=item,
        result_key=Ref(symbol=key, type=key.type, span=value.span),
        result=result,
        condition=condition,
        group=False,
        splat=False,
        type=output_of(result_type) if eventual else result_type,
        span=value.span,
    )
