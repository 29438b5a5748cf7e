"""Operators and conditionals (language.md, Types of expressions).

Differences from the reference: whole-number literals are ints, so `n + 1` is an int; division is never an int; a loop, not
recursion, binds the operands of a long chain.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias

from msgspec.structs import replace

from pclgen.bind.coerce import fit, invalid, literal_number, narrowed
from pclgen.bind.context import Context, Want
from pclgen.core import expr as core
from pclgen.core.origins import with_origin
from pclgen.diagnostics import expressions, habits
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.convert import Conversion, conversion, unify
from pclgen.types.show import with_article
from pclgen.types.traverse import iteration

_ARITHMETIC = frozenset("+-*/%")
_ORDER = frozenset(("<", "<=", ">", ">="))
_LOGIC = frozenset(("&&", "||"))


def synth_unary(cx: Context, e: ast.Unary) -> core.Expr:
    """`-x` and `!x`; minus of a number literal is a literal."""
    operand = cx.synth(e.operand)
    if e.operator == "-" and isinstance(operand, core.Literal) and operand.type in (ty.INT, ty.NUMBER):
        assert isinstance(operand.value, int | Decimal)
        return core.Literal(value=-operand.value, type=operand.type, span=e.span)
    if e.operator == "!":
        operand = _operand(cx, operand, "!", ty.BOOL)
        return _lifted_unary(e, operand, ty.BOOL)
    operand = _operand(cx, operand, "-", ty.NUMBER)
    return _lifted_unary(e, operand, ty.INT if _plain(operand) is ty.INT else ty.NUMBER)


def _lifted_unary(e: ast.Unary, operand: core.Expr, result: ty.Type) -> core.Expr:
    if operand.type is ty.ERROR:
        return invalid(e.span)
    kind = ty.output_of(result) if operand.type.eventual else result
    return core.Unary(operator=e.operator, operand=operand, type=kind, span=e.span)


def synth_binary(cx: Context, e: ast.Binary) -> core.Expr:
    """A binary operator; the left spine of a chain is walked iteratively."""
    spine: list[ast.Binary] = []
    left: ast.Expr = e
    while isinstance(left, ast.Binary):
        spine.append(left)
        left = left.left
    result = cx.synth(left)
    while spine:
        node = spine.pop()
        inner = cx if node.operator not in _LOGIC else cx.where(result, node.operator == "&&")
        result = _binary(inner, node, result, inner.synth(node.right))
    return result


def _binary(cx: Context, e: ast.Binary, left: core.Expr, right: core.Expr) -> core.Expr:
    if e.operator in ("==", "!="):
        result: ty.Type = ty.BOOL
    elif e.operator in _LOGIC:
        left, right = _operands(cx, e.operator, (left, right), ty.BOOL)
        result = ty.BOOL
    elif e.operator == "+" and _joins_texts(cx, left, right):
        return invalid(e.span)
    else:
        left, right = _operands(cx, e.operator, (left, right), ty.NUMBER)
        result = ty.BOOL if e.operator in _ORDER else _number_type(e.operator, left, right)
    if left.type is ty.ERROR or right.type is ty.ERROR:
        return invalid(e.span)
    if e.operator in _LOGIC and isinstance(left, core.Literal) and left.value is (e.operator == "||"):
        return replace(left, span=e.span)  # the left operand decides; the right one is unreachable
    eventual = left.type.eventual or right.type.eventual
    return core.Binary(
        operator=e.operator,
        left=left,
        right=right,
        type=ty.output_of(result) if eventual else result,
        span=e.span,
    )


def _joins_texts(cx: Context, left: core.Expr, right: core.Expr) -> bool:
    """Report `+` between texts, once for the whole sum; the left operand may be reported already."""
    for operand in (left, right):
        parts = operand.parts if isinstance(operand, core.Template) else (operand,)
        texts = [part.value for part in parts if isinstance(part, core.Literal) and isinstance(part.value, str)]
        if any(literal_number(text) is None for text in texts):
            if left.type is not ty.ERROR:
                hint = 'texts are put together in a template: "${a}${b}"'
                cx.report(expressions.bad_operand("+", "numbers", "a string", operand.span, hint=hint))
            return True
    return False


def _number_type(operator: str, left: core.Expr, right: core.Expr) -> ty.Type:
    are_whole = _plain(left) is ty.INT and _plain(right) is ty.INT
    return ty.INT if are_whole and operator != "/" else ty.NUMBER


def _plain(operand: core.Expr) -> ty.Type:
    """The type of an operand, also of one whose value is known, such as the length of a literal."""
    return ty.without_const(ty.resolve(operand.type))


def _operands(
    cx: Context, operator: str, both: tuple[core.Expr, core.Expr], expected: ty.Type
) -> tuple[core.Expr, core.Expr]:
    """Both operands as numbers or bools. A mismatch with the operator is reported once, at the left operand."""
    left, right = both
    first = _operand(cx, left, operator, expected)
    if first.type is ty.ERROR and left.type is not ty.ERROR:
        return first, right
    return first, _operand(cx, right, operator, expected)


def _operand(cx: Context, operand: core.Expr, operator: str, expected: ty.Type) -> core.Expr:
    """`operand` as a number or bool; whole numbers are unchanged."""
    actual = _plain(operand)
    if actual is ty.ERROR or actual is expected or (expected is ty.NUMBER and actual is ty.INT):
        return operand
    if conversion(expected, actual) is Conversion.NONE:
        joined = iteration(actual) if operator == "+" else None
        hint = habits.joined_help(keyed=joined.keyed) if joined is not None else None
        diagnostic = expressions.bad_operand(operator, _plural(expected), with_article(actual), operand.span, hint=hint)
        cx.report(with_origin(diagnostic, operand, cx.definitions))
        return invalid(operand.span)
    return fit(cx, operand, Want(ty.input_of(expected), used=True))


def _plural(expected: ty.Type) -> str:
    return "numbers" if expected is ty.NUMBER else "bools"


def bind_condition(cx: Context, e: ast.Expr) -> core.Expr:
    """The condition of a conditional, a loop or a directive."""
    value = cx.synth(e)
    actual = ty.resolve(value.type)
    if actual is ty.BOOL or actual is ty.ERROR:
        return value
    if conversion(ty.BOOL, actual) is Conversion.NONE:
        hint = None if actual is not ty.DYNAMIC else "compare it with something"
        cx.report(with_origin(expressions.condition_not_bool(with_article(actual), value.span, hint), value, cx.definitions))
        return invalid(value.span)
    return fit(cx, value, Want(ty.input_of(ty.BOOL), used=True))


def synth_conditional(cx: Context, e: ast.Conditional) -> core.Expr:
    """`c ? a : b`: the branches agree on a common type."""

    def branch(value: ast.Expr) -> Callable[[Context], core.Expr]:
        return lambda inner: narrowed(inner, inner.synth(value))

    return make_conditional(cx, e.condition, branch(e.then), branch(e.otherwise), span=e.span)


_Branch: TypeAlias = Callable[[Context], core.Expr]


def make_conditional(cx: Context, condition: ast.Expr, if_true: _Branch, if_false: _Branch, *, span: Span) -> core.Expr:
    """A conditional of branches that are bound knowing the condition; each is converted to their common type."""
    test = bind_condition(cx, condition)
    then, otherwise = if_true(cx.where(test, True)), if_false(cx.where(test, False))
    common = unify((then.type, otherwise.type))
    if common is not ty.ERROR:
        want = Want(_accepting(common))
        then, otherwise = fit(cx.where(test, True), then, want), fit(cx.where(test, False), otherwise, want)
    return _conditional(test, then, otherwise, common, span=span)


def _accepting(common: ty.Type) -> ty.Type:
    """The type that accepts each branch: an output accepts plain values, too."""
    return ty.input_of(ty.resolve(common)) if common.eventual else common


def _conditional(test: core.Expr, then: core.Expr, otherwise: core.Expr, common: ty.Type, *, span: Span) -> core.Expr:
    if test.type is ty.ERROR or common is ty.ERROR:
        return invalid(span)
    decided = _decided(test)
    if decided is not None:
        return then if decided else otherwise  # as for operators, the other branch is unreachable
    kind = ty.output_of(common) if test.type.eventual else common
    return core.Conditional(condition=test, then=then, otherwise=otherwise, type=kind, span=span)


def _decided(test: core.Expr) -> bool | None:
    """Return the constant value of a condition, or None.

    The condition is a literal, or compares a variable that is never null with null. Values of providers have no constant
    result, since a provider may send null against its schema.
    """
    match test:
        case core.Literal(value=bool() as value):
            return value
        case core.Binary(operator="==" | "!=", left=core.Ref(symbol=symbol), right=core.Literal(value=None)):
            is_variable = symbol.kind in (core.SymbolKind.LOCAL, core.SymbolKind.CONFIG) and not symbol.type.eventual
            declared = ty.resolve(symbol.type)
            is_never_null = is_variable and declared is not ty.DYNAMIC and not ty.is_optional(declared)
            return test.operator == "!=" if is_never_null else None
        case _:
            return None


def check_conditional(cx: Context, e: ast.Conditional, want: Want) -> core.Expr:
    """Check both branches against the expected type, so that the diagnostic points at the wrong branch."""
    test = bind_condition(cx, e.condition)
    then, otherwise = cx.where(test, True).check(e.then, want), cx.where(test, False).check(e.otherwise, want)
    value = _conditional(test, then, otherwise, _either(then.type, otherwise.type), span=e.span)
    comes_late = test.type.eventual and conversion(want.type, value.type) is Conversion.NONE
    return fit(cx, value, want) if comes_late else value


def _either(a: ty.Type, b: ty.Type) -> ty.Type:
    """The type of a choice between two unconverted values: a number beside a string stays a number."""
    common = unify((a, b))
    if not any(_is_changed(ty.without_none(ty.resolve(common)), ty.without_none(ty.resolve(t))) for t in (a, b)):
        return common
    union = ty.union_of((ty.resolve(a), ty.resolve(b)))
    return ty.output_of(union) if common.eventual else union


def _is_changed(common: ty.Type, t: ty.Type) -> bool:
    """Return whether the conversion from `t` to `common` changes values: `1` and `"1"`, but not `1` and `1.0`."""
    return common in (ty.STRING, ty.BOOL) and t in (ty.INT, ty.NUMBER, ty.BOOL, ty.STRING) and t is not common
