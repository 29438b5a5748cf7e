"""The option `customTimeouts`: an object with durations, from a literal or another value.

Binding always produces an object literal with the possible members, so that every target renders it alike:

    customTimeouts = { create = "5m" }                     ->  { create = "5m" }
    customTimeouts = slow ? { create = "1h" } : null       ->  { create = slow ? "1h" : null }
    limits = { create = "5m" }: customTimeouts = limits    ->  { create = limits.create }
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pclgen.bind.collections import named_items
from pclgen.bind.context import Context, Want, because
from pclgen.core.expr import Expr, Literal, ObjectExpr, ObjectItem
from pclgen.core.options import TIMEOUT_KEYS
from pclgen.diagnostics import resources as say
from pclgen.diagnostics import values
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.convert import is_resource, members_of
from pclgen.types.show import with_article

_OPTION = "customTimeouts"


class _Member(Struct, frozen=True):
    """A duration, and the span of its name (or of the value that contains it)."""

    value: ast.Expr
    key: Span


def check_timeouts(cx: Context, e: ast.Expr) -> Expr | None:
    """An object literal with durations, where null means no timeout; None after a report."""
    members = _members(cx, e)
    if members is None:
        return None
    why = because('a timeout is a duration such as "5m" or "1h30m"')
    items: list[ObjectItem] = []
    for name, member in members.items():
        value = cx.check(member.value, Want(ty.optional_of(ty.STRING), why))
        if value.type is ty.ERROR:
            return None
        if value.type is not ty.NONE:
            key = Literal(value=name, type=ty.STRING, span=member.key)
            items.append(ObjectItem(key=key, value=value, span=member.value.span))
    return ObjectExpr(
        items=tuple(items), type=ty.object_of(dict.fromkeys(TIMEOUT_KEYS, ty.optional_of(ty.STRING))), span=e.span
    )


def _members(cx: Context, e: ast.Expr) -> Mapping[str, _Member] | None:
    match e:
        case ast.Parens():
            return _members(cx, e.inner)
        case ast.NullLit():
            return {}
        case ast.ObjectExpr():
            named = named_items(cx, e)
            members = {name or "…": _Member(item.value, item.key.span) for name, item in named}
            return members if _are_known(cx, [(name, member.key) for name, member in members.items()]) else None
        case ast.Conditional():
            return _chosen(cx, e)
        case _:
            return _taken(cx, e)


def _are_known(cx: Context, names: Iterable[tuple[str, Span]]) -> bool:
    wrong = next(((name, span) for name, span in names if name not in TIMEOUT_KEYS), None)
    if wrong is not None:
        cx.report(values.unknown_property(wrong[0], _OPTION, TIMEOUT_KEYS, wrong[1]))
    return wrong is None


def _chosen(cx: Context, e: ast.Conditional) -> Mapping[str, _Member] | None:
    """Choose each duration separately; a duration that a branch lacks is null there."""
    then, otherwise = _members(cx, e.then), _members(cx, e.otherwise)
    if then is None or otherwise is None:
        return None
    chosen: dict[str, _Member] = {}
    for name in {**then, **otherwise}:
        first = then.get(name, _Member(ast.NullLit(span=e.then.span), e.then.span))
        second = otherwise.get(name, _Member(ast.NullLit(span=e.otherwise.span), e.otherwise.span))
        value = ast.Conditional(condition=e.condition, then=first.value, otherwise=second.value, span=e.span)
        chosen[name] = _Member(value, first.key)
    return chosen


def _taken(cx: Context, e: ast.Expr) -> Mapping[str, _Member] | None:
    """The durations of a variable or of a part of a variable."""
    value = cx.synth(e)
    plain = ty.without_none(ty.resolve(value.type))
    names = None if is_resource(plain) else members_of(plain)
    if value.type is ty.ERROR:
        return None
    if names is None or not _is_path(e):
        hint = "write { create = … }" if names is None else "give the value a name, or write { create = … }"
        wants = "an object" if names is None else "an object that is written there, or a variable"
        cx.report(say.bad_option_value(_OPTION, wants, with_article(value.type), e.span, hint=hint))
        return None
    if value.type.eventual:
        cx.check(e, Want(ty.optional_of(plain), because(f"option `{_OPTION}` is needed before anything is deployed")))
        return None
    if not _are_known(cx, [(name, e.span) for name in names]):
        return None
    nullable = ty.is_optional(value.type)
    return {name: _Member(_part(e, name, nullable=nullable), e.span) for name in names}


def _is_path(e: ast.Expr) -> bool:
    """Return whether `e` may be repeated: a variable or a part of a variable."""
    while isinstance(e, ast.GetAttr | ast.Index | ast.Parens):
        e = e.inner if isinstance(e, ast.Parens) else e.source
    return isinstance(e, ast.Variable)


def _part(e: ast.Expr, name: str, *, nullable: bool) -> ast.Expr:
    """The member `name` of `e`, null if `e` is null."""
    at, null = e.span, ast.NullLit(span=e.span)
    member: ast.Expr = ast.GetAttr(source=e, name=ast.Name(text=name, span=at), span=at)
    if not nullable:
        return member
    absent = ast.Binary(operator="==", left=e, right=null, operator_span=at, span=at)
    return ast.Conditional(condition=absent, then=null, otherwise=member, span=at)
