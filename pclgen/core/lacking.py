"""Paths that need no attempt in `try` and `can`, since a test for null shows whether they exist (language.md, Null).

    try(rule.days, 0)        the object may lack `days`
    can(item.spec.size)      `spec` may be null
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual, is_lacking
from pclgen.core.walk import children
from pclgen.types import model as ty
from pclgen.types.convert import SAFE, conversion


def is_open_path(expr: core.Expr) -> bool:
    """Return whether `expr` is a path into plain objects that fails only where an object is null or lacks the member.

    The last member may be null only if its object may also lack it.
    """
    if not isinstance(expr, core.Attr) or (ty.is_optional(ty.resolve(expr.type)) and not is_lacking(expr)):
        return False
    while isinstance(expr, core.Attr):
        plain = ty.without_none(ty.resolve(expr.source.type))
        if is_eventual(expr.source.type) or not isinstance(plain, ty.ObjectType) or expr.name not in plain.members:
            return False
        expr = expr.source
    return isinstance(expr, core.Ref)


def may_lead_nowhere(expr: core.Expr) -> bool:
    """Return whether `expr`, an object on an open path, may be null or missing."""
    if ty.is_optional(ty.resolve(expr.type)):
        return True
    return isinstance(expr, core.Attr) and (is_lacking(expr) or may_lead_nowhere(expr.source))


def doubts(attempt: core.Call) -> Sequence[Sequence[core.Attr]] | None:
    """Return, for each attempt of `try` or `can`, the open paths that decide whether it fails.

    None if an attempt may fail for another reason, or cannot fail.

    The last argument of `try` is not an attempt.
    """
    attempts = attempt.args[:-1] if attempt.function.name == "try" else attempt.args
    attempt_doubts = [_doubts(arg) for arg in attempts]
    if attempt.expand or not attempt_doubts or not all(attempt_doubts):
        return None
    return [tuple(paths) for paths in attempt_doubts if paths]


def found_by(condition: core.Expr) -> Sequence[core.Attr]:
    """Return the open paths that exist wherever `condition` holds, by its calls of `can`."""
    match condition:
        case core.Binary(operator="&&"):
            return [*found_by(condition.left), *found_by(condition.right)]
        case core.Call() if condition.function.name == "can":
            return (doubts(condition) or [[]])[0]
        case _:
            return []


def _doubts(arg: core.Expr) -> list[core.Attr] | None:
    match arg:
        case core.Attr() if is_open_path(arg) and may_lead_nowhere(arg):
            return [arg]
        case core.Convert():
            is_sure = arg.unset is None and not ty.is_optional(ty.resolve(arg.value.type))
            return _doubts(arg.value) if is_sure and conversion(arg.type, arg.value.type) is SAFE else None
        case core.Template() | core.Unary() | core.Binary() if not isinstance(arg, core.Binary) or arg.operator not in (
            "/",
            "%",
        ):
            part_doubts = [_doubts(part) for part in children(arg)]
            return None if None in part_doubts else [path for paths in part_doubts if paths for path in paths]
        case _:
            return [] if is_at_hand(arg) else None


def is_at_hand(expr: core.Expr) -> bool:
    """Return whether evaluating `expr` early costs nothing and cannot fail."""
    match expr:
        case core.Literal() | core.Ref():
            return True
        case core.ListExpr() | core.ObjectExpr() | core.Template():
            return all(is_at_hand(part) for part in children(expr))
        case core.Attr():
            plain = ty.resolve(expr.source.type)
            is_present = isinstance(plain, ty.ObjectType) and expr.name in plain.members and not is_lacking(expr)
            return is_present and is_at_hand(expr.source)
        case _:
            return False


def is_untyped_by_default(call: core.Call) -> bool:
    """Return whether the result of a `lookup` among elements of known type is of type `any` because of its default."""
    if ty.resolve(call.type) is not ty.DYNAMIC:
        return False
    match ty.without_none(ty.resolve(call.args[0].type)):
        case ty.MapType(element=element):
            return ty.resolve(element) is not ty.DYNAMIC
        case ty.ObjectType(members=members):
            return all(ty.resolve(member) is not ty.DYNAMIC for member in members.values())
        case _:
            return False


def has_no_member(call: core.Call) -> bool:
    """Return whether a `lookup` with a default names a member that the type of its cheap first argument lacks."""
    if len(call.args) != 3 or not isinstance(call.args[1], core.Literal) or not is_at_hand(call.args[0]):
        return False
    t = ty.without_none(ty.resolve(call.args[0].type))
    return isinstance(t, ty.ObjectType) and call.args[1].value not in t.members
