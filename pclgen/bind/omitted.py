"""Omission of null members in maps of inputs (language.md, Null).

If the program text shows when a member is null, the member gets this condition; else a loop removes the nulls:

    { Owner = anonymous ? null : owner }    {Owner = owner if !anonymous}
    { Owner = owner }                       {Owner = owner if owner != null}
    { Owner = lookup(owners, "a", null) }   {for key, value in {Owner = lookup(…)} : key => value if value != null}
    tags                                    {Owner = tags.Owner if tags.Owner != null}
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind.coerce import fit, untyped_null
from pclgen.bind.context import Context, Want
from pclgen.bind.presence import path_key
from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.predicates import opposite, unconverted
from pclgen.types import model as ty
from pclgen.types.traverse import iteration
from pclgen.types.unify import unify


class Decided(Struct, frozen=True):
    """A member with the plain condition under which it is present; `when` is None if it is always present."""

    when: core.Expr | None
    value: core.Expr


def fit_map(cx: Context, value: core.Expr, want: Want) -> core.Expr:
    """Fit `value` to `want` and omit the members of a map of inputs that the program may set to null."""
    target = _map_of_inputs(want.type)
    have = ty.resolve(value.type)
    if target is None or not _holds_null(have):
        return fit(cx, value, want)
    if isinstance(have, ty.ObjectType) and not is_eventual(value.type) and path_key(value) is not None:
        return without_nulls(cx, _as_literal(cx, value, target, want), want)
    return fit(cx, _filtered(value), want)


def _map_of_inputs(expected: ty.Type) -> ty.MapType | None:
    inner = ty.without_none(expected)
    inner = ty.without_none(inner.element) if isinstance(inner, ty.InputType) else inner
    return inner if isinstance(inner, ty.MapType) and Want(inner).member(inner.element).omits else None


def _holds_null(t: ty.Type) -> bool:
    if isinstance(t, ty.ObjectType):
        return not t.lacking and any(ty.is_optional(member) for member in t.members.values())
    return isinstance(t, ty.MapType) and ty.is_optional(t.element)


def _as_literal(cx: Context, value: core.Expr, target: ty.MapType, want: Want) -> core.ObjectExpr:
    """Rewrite the path `value` as an object literal of its members."""
    span, have = value.span, ty.without_none(value.type)
    assert isinstance(have, ty.ObjectType)
    items: list[core.ObjectItem] = []
    for name, t in have.members.items():
        member = core.Attr(source=value, name=name, field=None, type=t, span=span)
        inner = want.member(target.element)
        if ty.is_optional(t):
            inner = want.inner(ty.input_of(ty.optional_of(ty.resolve(target.element))))
        key = core.Literal(value=name, type=ty.STRING, span=span)
        items.append(core.ObjectItem(key=key, value=fit(cx, member, inner), span=span))
    return core.ObjectExpr(items=tuple(items), type=ty.map_of(ty.resolve(target.element)), span=span)


def without_nulls(cx: Context, literal: core.ObjectExpr, want: Want) -> core.Expr:
    """Omit the null members of `literal`, a map of inputs."""
    if not any(ty.is_optional(item.value.type) for item in literal.items):
        return literal
    decided_items = [_decided_item(cx, item) for item in literal.items]
    items = tuple([item for item in decided_items if item is not None])
    if len(items) < len(decided_items):
        as_map = replace(literal, type=ty.map_of(unify(item.value.type for item in literal.items)))
        return fit(cx, _filtered(as_map), want)
    present = tuple([item for item in items if ty.resolve(item.value.type) is not ty.NONE])
    plain = ty.resolve(unify(item.value.type for item in present))
    eventual = any(item.value.type.eventual for item in present)
    return replace(literal, items=present, type=ty.map_of(ty.output_of(plain) if eventual else plain))


def _decided_item(cx: Context, item: core.ObjectItem) -> core.ObjectItem | None:
    if not ty.is_optional(item.value.type):
        return item
    decision = decided(cx, item.value) if isinstance(item.key, core.Literal) else None
    return None if decision is None else replace(item, value=decision.value, when=decision.when)


def filtered_result(cx: Context, condition: core.Expr | None, result: core.Expr) -> tuple[core.Expr | None, core.Expr]:
    """The condition and the result of a loop over a map of inputs that omits null results."""
    decision = decided(cx, result)
    if decision is None or decision.when is None or ty.resolve(decision.value.type) is ty.NONE:
        return condition, result
    return (decision.when if condition is None else _both(condition, decision.when)), decision.value


def decided(cx: Context, value: core.Expr) -> Decided | None:
    """Return the plain condition under which `value` is not null, or None if the program text does not show it.

    A value that is always null has the type NONE.
    """
    value = untyped_null(value)
    if not ty.is_optional(value.type) or ty.resolve(value.type) is ty.NONE:
        return Decided(None, value)
    if isinstance(value, core.Conditional):
        return None if value.condition.type.eventual else _decided_choice(cx, value)
    if value.type.eventual or path_key(value) is None:
        return None
    path = unconverted(value)
    when = _is_set(path)
    want = Want(ty.input_of(ty.without_none(value.type)))
    return Decided(when, fit(cx.where(when, True), path, want))


def _decided_choice(cx: Context, value: core.Conditional) -> Decided | None:
    then = decided(cx.where(value.condition, True), value.then)
    otherwise = decided(cx.where(value.condition, False), value.otherwise)
    if then is None or otherwise is None:
        return None
    if ty.resolve(then.value.type) is ty.NONE:
        return Decided(_both(opposite(value.condition), otherwise.when), otherwise.value)
    if ty.resolve(otherwise.value.type) is ty.NONE:
        return Decided(_both(value.condition, then.when), then.value)
    chosen = replace(value, then=then.value, otherwise=otherwise.value, type=unify((then.value.type, otherwise.value.type)))
    return Decided(_either(value, then.when, otherwise.when), chosen)


def _is_set(path: core.Expr) -> core.Expr:
    null = core.Literal(value=None, type=ty.NONE, span=path.span)
    kind = ty.output_of(ty.BOOL) if path.type.eventual else ty.BOOL
    return core.Binary(operator="!=", left=path, right=null, type=kind, span=path.span)


def _both(first: core.Expr, second: core.Expr | None) -> core.Expr:
    return first if second is None else _joined("&&", first, second)


def _joined(operator: str, left: core.Expr, right: core.Expr) -> core.Expr:
    kind = ty.output_of(ty.BOOL) if left.type.eventual or right.type.eventual else ty.BOOL
    return core.Binary(operator=operator, left=left, right=right, type=kind, span=left.span)


def _either(choice: core.Conditional, then: core.Expr | None, otherwise: core.Expr | None) -> core.Expr | None:
    """The condition under which the branch that `choice` takes is present."""
    if then is not None and otherwise is not None:
        return replace(choice, then=then, otherwise=otherwise, type=ty.BOOL)
    if then is not None:
        return _joined("||", opposite(choice.condition), then)
    return None if otherwise is None else _joined("||", choice.condition, otherwise)


def _filtered(value: core.Expr) -> core.Expr:
    """`{ for key, value in collection : key => value if value != null }`."""
    way = iteration(value.type)
    assert way is not None and way.keyed, "a map or an object"
    key = core.Symbol(name="key", kind=core.SymbolKind.LOOP, type=way.key, span=value.span)
    item = core.Symbol(name="value", kind=core.SymbolKind.LOOP, type=way.element, span=value.span)
    there = core.Ref(symbol=item, type=item.type, span=value.span)
    result = core.Convert(value=there, type=ty.without_none(item.type), span=value.span, narrowed=True)
    condition = _is_set(there)
    result_type = ty.map_of(result.type)
    eventual = way.is_eventual or condition.type.eventual
    return core.For(
        collection=value,
        key=key,
        value=item,
        result_key=core.Ref(symbol=key, type=key.type, span=value.span),
        result=result,
        condition=condition,
        type=ty.output_of(result_type) if eventual else result_type,
        span=value.span,
    )
