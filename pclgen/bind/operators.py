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
from pclgen.bind.entries import with_entry
from pclgen.core.expr import Binary, Conditional, Expr, Literal, Ref, SymbolKind, Template, Unary
from pclgen.diagnostics import values
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.convert import Conversion, conversion
from pclgen.types.model import (
    BOOL,
    DYNAMIC,
    ERROR,
    INT,
    NUMBER,
    STRING,
    Type,
    input_of,
    is_optional,
    output_of,
    resolve,
    union_of,
    without_none,
)
from pclgen.types.show import with_article
from pclgen.types.traverse import iteration
from pclgen.types.unify import unify

_ARITHMETIC = frozenset("+-*/%")
_ORDER = frozenset(("<", "<=", ">", ">="))
_LOGIC = frozenset(("&&", "||"))


def synth_unary(cx: Context, e: ast.Unary) -> Expr:
    """`-x` and `!x`; minus of a number literal is a literal."""
    operand = cx.synth(e.operand)
    if e.operator == "-" and isinstance(operand, Literal) and operand.type in (INT, NUMBER):
        assert isinstance(operand.value, int | Decimal)
        return Literal(value=-operand.value, type=operand.type, span=e.span)
    if e.operator == "!":
        operand = _operand(cx, operand, "!", BOOL)
        return _lifted_unary(e, operand, BOOL)
    operand = _operand(cx, operand, "-", NUMBER)
    return _lifted_unary(e, operand, INT if resolve(operand.type) is INT else NUMBER)


def _lifted_unary(e: ast.Unary, operand: Expr, result: Type) -> Expr:
    if operand.type is ERROR:
        return invalid(e.span)
    kind = output_of(result) if operand.type.eventual else result
    return Unary(operator=e.operator, operand=operand, type=kind, span=e.span)


def synth_binary(cx: Context, e: ast.Binary) -> Expr:
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


def _binary(cx: Context, e: ast.Binary, left: Expr, right: Expr) -> Expr:
    if e.operator in ("==", "!="):
        result: Type = BOOL
    elif e.operator in _LOGIC:
        left, right = _operands(cx, e.operator, (left, right), BOOL)
        result = BOOL
    elif e.operator == "+" and _joins_texts(cx, left, right):
        return invalid(e.span)
    else:
        left, right = _operands(cx, e.operator, (left, right), NUMBER)
        result = BOOL if e.operator in _ORDER else _number_type(e.operator, left, right)
    if left.type is ERROR or right.type is ERROR:
        return invalid(e.span)
    if e.operator in _LOGIC and isinstance(left, Literal) and left.value is (e.operator == "||"):
        return replace(left, span=e.span)  # the left operand decides; the right one is unreachable
    eventual = left.type.eventual or right.type.eventual
    return Binary(
        operator=e.operator,
        left=left,
        right=right,
        type=output_of(result) if eventual else result,
        span=e.span,
    )


def _joins_texts(cx: Context, left: Expr, right: Expr) -> bool:
    """Report `+` between texts, once for the whole sum; the left operand may be reported already."""
    for operand in (left, right):
        parts = operand.parts if isinstance(operand, Template) else (operand,)
        texts = [part.value for part in parts if isinstance(part, Literal) and isinstance(part.value, str)]
        if any(literal_number(text) is None for text in texts):
            if left.type is not ERROR:
                hint = 'texts are put together in a template: "${a}${b}"'
                cx.report(values.bad_operand("+", "numbers", "a string", operand.span, hint=hint))
            return True
    return False


def _number_type(operator: str, left: Expr, right: Expr) -> Type:
    are_whole = resolve(left.type) is INT and resolve(right.type) is INT
    return INT if are_whole and operator != "/" else NUMBER


def _operands(cx: Context, operator: str, both: tuple[Expr, Expr], expected: Type) -> tuple[Expr, Expr]:
    """Both operands as numbers or bools. A mismatch with the operator is reported once, at the left operand."""
    left, right = both
    first = _operand(cx, left, operator, expected)
    if first.type is ERROR and left.type is not ERROR:
        return first, right
    return first, _operand(cx, right, operator, expected)


def _operand(cx: Context, operand: Expr, operator: str, expected: Type) -> Expr:
    """`operand` as a number or bool; whole numbers are unchanged."""
    actual = resolve(operand.type)
    if actual is ERROR or actual is expected or (expected is NUMBER and actual is INT):
        return operand
    if conversion(expected, actual) is Conversion.NONE:
        hint = "lists are put together with a for-expression" if operator == "+" and iteration(actual) else None
        diagnostic = values.bad_operand(operator, _plural(expected), with_article(actual), operand.span, hint=hint)
        cx.report(with_entry(cx, diagnostic, operand))
        return invalid(operand.span)
    return fit(cx, operand, Want(input_of(expected), used=True))


def _plural(expected: Type) -> str:
    return "numbers" if expected is NUMBER else "bools"


def bind_condition(cx: Context, e: ast.Expr) -> Expr:
    """The condition of a conditional, a loop or a directive."""
    value = cx.synth(e)
    actual = resolve(value.type)
    if actual is BOOL or actual is ERROR:
        return value
    if conversion(BOOL, actual) is Conversion.NONE:
        hint = None if actual is not DYNAMIC else "compare it with something"
        cx.report(with_entry(cx, values.condition_not_bool(with_article(actual), value.span, hint), value))
        return invalid(value.span)
    return fit(cx, value, Want(input_of(BOOL), used=True))


def synth_conditional(cx: Context, e: ast.Conditional) -> Expr:
    """`c ? a : b`: the branches agree on a common type."""

    def branch(value: ast.Expr) -> Callable[[Context], Expr]:
        return lambda inner: narrowed(inner, inner.synth(value))

    return make_conditional(cx, e.condition, branch(e.then), branch(e.otherwise), span=e.span)


_Branch: TypeAlias = Callable[[Context], Expr]


def make_conditional(cx: Context, condition: ast.Expr, if_true: _Branch, if_false: _Branch, *, span: Span) -> Expr:
    """A conditional of branches that are bound knowing the condition; each is converted to their common type."""
    test = bind_condition(cx, condition)
    then, otherwise = if_true(cx.where(test, True)), if_false(cx.where(test, False))
    common = unify((then.type, otherwise.type))
    if common is not ERROR:
        want = Want(_accepting(common))
        then, otherwise = fit(cx.where(test, True), then, want), fit(cx.where(test, False), otherwise, want)
    return _conditional(test, then, otherwise, common, span=span)


def _accepting(common: Type) -> Type:
    """The type that accepts each branch: an output accepts plain values, too."""
    return input_of(resolve(common)) if common.eventual else common


def _conditional(test: Expr, then: Expr, otherwise: Expr, common: Type, *, span: Span) -> Expr:
    if test.type is ERROR or common is ERROR:
        return invalid(span)
    decided = _decided(test)
    if decided is not None:
        return then if decided else otherwise  # as for operators, the other branch is unreachable
    kind = output_of(common) if test.type.eventual else common
    return Conditional(condition=test, then=then, otherwise=otherwise, type=kind, span=span)


def _decided(test: Expr) -> bool | None:
    """Return the constant value of a condition, or None.

    The condition is a literal, or compares a variable that is never null with null. Values of providers have no constant
    result, since a provider may send null against its schema.
    """
    match test:
        case Literal(value=bool() as value):
            return value
        case Binary(operator="==" | "!=", left=Ref(symbol=symbol), right=Literal(value=None)):
            is_variable = symbol.kind in (SymbolKind.LOCAL, SymbolKind.CONFIG) and not symbol.type.eventual
            declared = resolve(symbol.type)
            is_never_null = is_variable and declared is not DYNAMIC and not is_optional(declared)
            return test.operator == "!=" if is_never_null else None
        case _:
            return None


def check_conditional(cx: Context, e: ast.Conditional, want: Want) -> Expr:
    """Check both branches against the expected type, so that the diagnostic points at the wrong branch."""
    test = bind_condition(cx, e.condition)
    then, otherwise = cx.where(test, True).check(e.then, want), cx.where(test, False).check(e.otherwise, want)
    value = _conditional(test, then, otherwise, _either(then.type, otherwise.type), span=e.span)
    comes_late = test.type.eventual and conversion(want.type, value.type) is Conversion.NONE
    return fit(cx, value, want) if comes_late else value


def _either(a: Type, b: Type) -> Type:
    """The type of a choice between two unconverted values: a number beside a string stays a number."""
    common = unify((a, b))
    if not any(_is_changed(without_none(resolve(common)), without_none(resolve(t))) for t in (a, b)):
        return common
    union = union_of((resolve(a), resolve(b)))
    return output_of(union) if common.eventual else union


def _is_changed(common: Type, t: Type) -> bool:
    """Return whether the conversion from `t` to `common` changes values: `1` and `"1"`, but not `1` and `1.0`."""
    return common in (STRING, BOOL) and t in (INT, NUMBER, BOOL, STRING) and t is not common
