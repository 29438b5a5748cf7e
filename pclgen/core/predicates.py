"""Predicates on single expressions: numbers, conditions and their consequences, paths that may lead nowhere, keys.

Some paths need no attempt in `try` and `can`, since a test for null shows whether they exist (language.md, Null):

    try(rule.days, 0)        the object may lack `days`
    can(item.spec.size)      `spec` may be null

Two iterations of a loop with the same key are an error, since one result would be lost: `keys_may_collide` tells whether
that is possible.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual, is_lacking
from pclgen.core.walk import children
from pclgen.stdlib.model import Derivation
from pclgen.types import model as ty
from pclgen.types.convert import SAFE, conversion

_OPPOSITES = {"==": "!=", "!=": "=="}


def is_natural(expr: core.Expr, naturals: Container[core.Symbol]) -> bool:
    """Return whether a number is surely not negative; `naturals` are symbols that never are, such as list positions."""
    match expr:
        case core.Literal(value=int() | Decimal() as value):
            return value >= 0
        case core.Ref():
            return expr.symbol in naturals
        case core.Call():
            return expr.function.name == "length"
        case core.Binary(operator="+" | "*" | "%"):
            return is_natural(expr.left, naturals) and is_natural(expr.right, naturals)
        case _:
            return False


def is_null(expr: core.Expr | None) -> bool:
    """Return whether an expression is the literal null."""
    return isinstance(expr, core.Literal) and expr.value is None


def unconverted(expr: core.Expr) -> core.Expr:
    """Return the expression behind the conversions of `expr`."""
    while isinstance(expr, core.Convert):
        expr = expr.value
    return expr


def as_condition(expr: core.Conditional) -> core.Expr | None:
    """`c` for `c ? true : false`, and its opposite for `c ? false : true`; None for other conditionals."""
    match expr.then, expr.otherwise:
        case core.Literal(value=True), core.Literal(value=False):
            return expr.condition
        case core.Literal(value=False), core.Literal(value=True):
            return opposite(expr.condition)
        case _:
            return None


def opposite(condition: core.Expr) -> core.Expr:
    """Return the negation of `condition`; an equality becomes an inequality, and vice versa."""
    if isinstance(condition, core.Binary) and condition.operator in _OPPOSITES:
        return replace(condition, operator=_OPPOSITES[condition.operator])
    if isinstance(condition, core.Unary) and condition.operator == "!":
        return condition.operand
    return core.Unary(operator="!", operand=condition, type=condition.type, span=condition.span)


def not_null_where(condition: core.Expr, *, holds: bool) -> Iterator[core.Expr]:
    """Yield the expressions that `condition` compares with null and proves not null if it holds (or does not)."""
    match condition:
        case core.Unary(operator="!"):
            yield from not_null_where(condition.operand, holds=not holds)
        case core.Binary(operator="&&" | "||") if (condition.operator == "&&") == holds:
            yield from not_null_where(condition.left, holds=holds)
            yield from not_null_where(condition.right, holds=holds)
        case core.Binary(operator="==" | "!=") if (condition.operator == "!=") == holds:
            for operand, other in ((condition.left, condition.right), (condition.right, condition.left)):
                if is_null(other):
                    yield operand


def symbols_not_null(condition: core.Expr, *, holds: bool) -> frozenset[core.Symbol]:
    """Return the symbols that are not null where `condition` holds (or does not)."""
    return frozenset([e.symbol for e in not_null_where(condition, holds=holds) if isinstance(e, core.Ref)])


# -- paths that may lead nowhere --------------------------------------------------------------------------------------------

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


# -- keys of loops ----------------------------------------------------------------------------------------------------------

_WITH_KEYS = ty.ListType | ty.TupleType | ty.MapType | ty.ObjectType | ty.NominalType


def keys_may_collide(expr: core.For, distinct: AbstractSet[core.Symbol]) -> bool:
    """Return whether two keys of a comprehension may be equal at run time.

    `distinct` are the symbols of lists without equal elements.
    """
    key = expr.result_key
    return key is not None and not expr.group and not _is_unique(key, expr, frozenset(_unique_symbols(expr, distinct)))


def is_distinct(source: core.Expr, distinct: AbstractSet[core.Symbol]) -> bool:
    """Return whether no two elements of a collection are equal."""
    match source:
        case core.Ref():
            return source.symbol in distinct
        case core.ListExpr():
            constants = [e.value for e in source.elements if isinstance(e, core.Literal)]
            classes = set(map(type, constants))  # the texts of 1, "1" and 1.0 are equal
            return len(set(constants)) == len(source.elements) and (classes <= {str} or classes <= {int})
        case core.Call():
            return source.function.distinct
        case _:
            return False


def _unique_symbols(expr: core.For, distinct: AbstractSet[core.Symbol]) -> Iterator[core.Symbol]:
    """Yield the loop variables that have a different value in every iteration."""
    source = expr.collection
    plain = ty.without_none(ty.resolve(source.type))
    if expr.key is not None and (plain is ty.DYNAMIC or isinstance(plain, _WITH_KEYS)):
        yield expr.key
    if is_distinct(source, distinct):
        yield expr.value


def _is_unique(key: core.Expr, loop: core.For, symbols: Container[core.Symbol]) -> bool:
    """Return whether `key` has a different value in every iteration."""
    match key:
        case core.Ref():
            return key.symbol in symbols
        case core.Convert():
            return _is_unique(key.value, loop, symbols)
        case core.Template():
            values = [part for part in key.parts if not isinstance(part, core.Literal)]
            return len(values) == 1 and _is_unique(values[0], loop, symbols)
        case core.Attr(name="key", source=core.Ref(symbol=symbol)) if symbol is loop.value:
            return isinstance(loop.collection, core.Call) and loop.collection.function.derives is Derivation.ENTRIES
        case _:
            return False
