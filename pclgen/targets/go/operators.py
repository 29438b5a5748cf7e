"""Operators and conditionals (targets.md, Operators and loops).

Operators are arithmetic on int and float64, comparisons and logic. Operands are plain. Numbers of PCL are real: `/` of
integers is done in floating point.

A conditional becomes a variable, which replaces it, and an `if` before the statement that uses it.

    size := "s-1vcpu-1gb"
    if isProduction {
        size = "s-4vcpu-8gb"
    }

Only the chosen branch is evaluated: a branch that needs statements or may fail goes inside its own block.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.predicates import as_condition, is_null
from pclgen.core.walk import walk
from pclgen.source.text import Span
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.build import Constant, computed, constant_value, fractional, is_int64, joined, negated, number_text
from pclgen.targets.go.coerce import coerce
from pclgen.targets.go.context import Block, CannotWriteError, Place, Value
from pclgen.targets.go.natives import alternative, convert_native
from pclgen.targets.go.spelling import natural_choice, type_expr
from pclgen.types import model as ty

# -- operators --------------------------------------------------------------------------------------------------------------

_ARITHMETIC = frozenset("+-*/%")
_GREATEST = 2**63 - 1
_ORDERING = frozenset(("<", "<=", ">", ">="))


def natural_unary(b: Block, e: core.Unary) -> Value:
    """Return `-x` or `!x`."""
    if e.operator == "!":
        return Value(make.negate(b.into(e.operand, gt.plain(gt.BOOL), "condition")), gt.plain(gt.BOOL))
    value = _number(b, e.operand)
    constant = _constant(value)
    negative = None if constant is None else negated(constant)
    return Value(go.Unary(operator="-", operand=value.node), value.type, negative, value.most)


def natural_binary(b: Block, e: core.Binary) -> Value:
    """Return `left operator right`."""
    operator = e.operator
    if operator in ("&&", "||"):
        return Value(_logic(b, operator, _row(e)), gt.plain(gt.BOOL))
    if operator in ("==", "!="):
        return Value(_equality(b, e), gt.plain(gt.BOOL))
    if operator in _ORDERING:
        left_number, right_number = _alike(b, e, _number(b, e.left), _number(b, e.right))
        return Value(go.Binary(left_number.node, operator, right_number.node), gt.plain(gt.BOOL))
    assert operator in _ARITHMETIC, operator
    return _arithmetic(b, e)


def _logic(b: Block, operator: str, row: Sequence[core.Expr]) -> go.Expr:
    """Return a chain of `&&` or `||`; statements of an operand that may fail go into an `if`, to run only on demand."""
    first, *others = row
    operands = [b.into(first, gt.plain(gt.BOOL), "condition")]
    decided: go.Expr | None = None
    for other in others:
        inner = b.inner()
        operand = inner.into(other, gt.plain(gt.BOOL), "condition")
        so_far = joined(operator, operands)
        if so_far in (make.TRUE, make.FALSE) or all(map(_is_harmless, inner.statements)):
            operands.append(b.into(other, gt.plain(gt.BOOL), "condition"))
            continue
        if so_far is not decided:
            decided = b.declare("condition", so_far)
        inner.emit(make.assign(decided, operand))
        needed = decided if operator == "&&" else make.negate(decided)
        b.emit(go.If(condition=needed, body=tuple(inner.statements)))
        operands = [decided]
    return joined(operator, operands)


def _is_harmless(statement: go.Statement) -> bool:
    """Return whether a statement only checks for a member of a map, which never fails."""
    match statement:
        case go.Assign(targets=(_, _), values=(go.TypeAssertion(operand=go.Index(operand=go.Name(), key=go.Text())),)):
            return True
        case _:
            return False


def _row(e: core.Binary) -> list[core.Expr]:
    """Return the operands of a chain of one operator."""
    operands: list[core.Expr] = []
    left: core.Expr = e
    while isinstance(left, core.Binary) and left.operator == e.operator:
        operands.append(left.right)
        left = left.left
    return [left, *reversed(operands)]


def _number(b: Block, e: core.Expr) -> Value:
    value = b.plain_value(e, "number")
    native = value.type.native
    if native in gt.NUMBERS:
        return value
    target = gt.INT if isinstance(native, gt.Pointer) and native.element == gt.INT else gt.FLOAT
    return Value(coerce(b, value, gt.plain(target), Place(e.span, "number")), gt.plain(target))


def _alike(b: Block, e: core.Binary, left: Value, right: Value) -> tuple[Value, Value]:
    """Return both operands in a common number type: int if both are ints, else float64; constants follow the other side."""
    if left.type == right.type:
        return left, right
    return _as_float(b, left, e.span), _as_float(b, right, e.span)


def _as_float(b: Block, value: Value, at: Span) -> Value:
    if value.type.native == gt.FLOAT:
        return value
    return Value(convert_native(b, value, gt.FLOAT, Place(at)), gt.plain(gt.FLOAT), value.constant)


def _arithmetic(b: Block, e: core.Binary) -> Value:
    left, right = _number(b, e.left), _number(b, e.right)
    divisor = _constant(right)
    if e.operator in ("/", "%") and divisor is not None and divisor.exact == 0:
        raise CannotWriteError("a division by zero", e.right.span, why="Go refuses it when it compiles")
    if e.operator == "/":
        dividend = _constant(left)
        left, right = _as_float(b, left, e.span), _as_float(b, right, e.span)
        if isinstance(left.node, go.Number) and isinstance(right.node, go.Number):
            left = Value(fractional(left.node), left.type)
        by = right.node if divisor is not None else _non_zero(b, right.node)
        return _folded(e, Value(go.Binary(left.node, "/", by), gt.plain(gt.FLOAT)), dividend, divisor)
    left, right = _alike(b, e, left, right)
    if e.operator == "%" and left.type.native == gt.FLOAT:
        by = right.node if divisor is not None else _non_zero(b, right.node)
        return Value(make.call(b.file.qualified("math", "Mod"), left.node, by), gt.plain(gt.FLOAT))
    most = 0
    if left.type.native == gt.INT and e.operator != "%" and (_constant(left) is None or divisor is None):
        most = _most(left) * _most(right) if e.operator == "*" else _most(left) + _most(right)
    if e.operator == "*" and most > _GREATEST:
        at = go.Text(b.file.place(e.span))
        product = b.attempt("product", make.call(b.file.session.helper("product"), left.node, right.node, at))
        return Value(product, left.type, most=_GREATEST)
    if most > _GREATEST:  # products are added as doubles, as in HCL
        left, right = _as_float(b, left, e.span), _as_float(b, right, e.span)
    value = Value(go.Binary(left.node, e.operator, right.node), left.type)
    return _folded(e, replace(value, most=most) if most else value, _constant(left), divisor)


def _non_zero(b: Block, divisor: go.Expr) -> go.Expr:
    """Return a float divisor with a check for zero, where Go would compute an infinity."""
    return b.attempt("divisor", make.call(b.file.session.helper("nonZero"), divisor))


def _most(value: Value) -> int:
    """Return the greatest possible magnitude of an integer value."""
    constant = _constant(value)
    return value.most if constant is None else math.ceil(abs(constant.exact))


def _constant(value: Value) -> Constant | None:
    return value.constant or constant_value(value.node)


def _folded(e: core.Binary, value: Value, left: Constant | None, right: Constant | None) -> Value:
    """Return `value`, folded with doubles if Go's exact constant arithmetic gives another result: `0.1 + 0.2`."""
    constant = computed(left, e.operator, right) if left is not None and right is not None else None
    if constant is None:
        return value
    value = replace(value, constant=constant)
    if value.type.native == gt.INT:
        if not is_int64(constant.exact):
            raise CannotWriteError("a whole number of more than 64 bits", e.span, why="Go computes it when it compiles")
        return value
    if math.isinf(constant.double):
        raise CannotWriteError("a number that is too large", e.span, why="Go computes it when it compiles")
    if float(constant.exact) == constant.double:
        return value
    return Value(make.number(number_text(Decimal(repr(constant.double)))), value.type)


# -------------------------------------------------------------------------------------------------- equality


def _equality(b: Block, e: core.Binary) -> go.Expr:
    if is_null(e.left) or is_null(e.right):
        return _null_test(b, e)
    empty = _beside_nothing(b, e)
    if empty is not None:
        return empty
    left, right = b.plain_value(e.left, "left"), b.plain_value(e.right, "right")
    if isinstance(left.type.native, gt.Pointer) or isinstance(right.type.native, gt.Pointer):
        return _pointer_equality(b, e, left, right)
    return _plain_equality(b, e, left, right)


def _beside_nothing(b: Block, e: core.Binary) -> go.Expr | None:
    """Return `len(xs) == 0` for a comparison with an empty list or map, as both may be nil in Go; else None."""
    for side, other in ((e.left, e.right), (e.right, e.left)):
        empty = (isinstance(other, core.ListExpr) and not other.elements) or (
            isinstance(other, core.ObjectExpr) and not other.items
        )
        native = b.file.session.natives.native(side.type)
        if (
            empty
            and not ty.is_optional(side.type)
            and isinstance(native, gt.Slice if isinstance(other, core.ListExpr) else gt.Map)
        ):
            value = b.plain_value(side, "value")
            return go.Binary(make.length(value.node), e.operator, make.number("0"))
    return None


def _null_test(b: Block, e: core.Binary) -> go.Expr:
    other = e.right if is_null(e.left) else e.left
    if is_null(other):
        return make.TRUE if e.operator == "==" else make.FALSE
    value = b.natural(other, "value")
    if isinstance(value.type.native, gt.Nil):
        return make.TRUE if e.operator == "==" else make.FALSE
    if not value.type.is_plain or not gt.can_be_nil(value.type.native):
        is_element = isinstance(other, core.Index) and isinstance(ty.resolve(other.source.type), ty.ListType)
        return _never_equal(b, e.operator, (other, value), fails=is_element)  # past the end
    return go.Binary(value.node, e.operator, make.NIL)


def _never_equal(b: Block, operator: str, *sides: tuple[core.Expr, Value], fails: bool = False) -> go.Expr:
    """Return the result of a comparison that the types decide; steps of an attempt are still taken, as they may fail."""
    for e, value in sides:
        if fails or (b.frame.checked and any(isinstance(part, core.Attr | core.Index) for part in walk(e))):
            b.emit(go.Assign(targets=(make.BLANK,), values=(value.node,)))
    return make.FALSE if operator == "==" else make.TRUE


def _pointer_equality(b: Block, e: core.Binary, left: Value, right: Value) -> go.Expr:
    """Return `p != nil && *p == x`; two pointers are also equal if both are nil."""
    both = isinstance(left.type.native, gt.Pointer) and isinstance(right.type.native, gt.Pointer)
    pointer, other = (left, right) if isinstance(left.type.native, gt.Pointer) else (right, left)
    native = pointer.type.native
    assert isinstance(native, gt.Pointer)
    reusable = b.reusable(pointer, "value")
    if both:
        call = make.call(b.file.qualified("reflect", "DeepEqual"), reusable.node, other.node)
        return call if e.operator == "==" else make.negate(call)
    if isinstance(other.type.native, gt.AnyNative) and not b.knows(reusable.node):
        return _equality_of_values(b, e.operator, Value(reusable.node, pointer.type), other)  # both may be nil
    inside = Value(go.Star(reusable.node), gt.plain(native.element))
    test = _plain_equality(b, e, inside, other)
    if b.knows(reusable.node):
        return test
    missing = go.Binary(reusable.node, "!=" if e.operator == "==" else "==", make.NIL)
    return go.Binary(missing, "&&" if e.operator == "==" else "||", test)


def _plain_equality(b: Block, e: core.Binary, left: Value, right: Value) -> go.Expr:
    truth = _against_bool(left, right, e.operator) or _against_bool(right, left, e.operator)
    if truth is not None:
        return truth
    first, second = left.type.native, right.type.native
    if first in gt.NUMBERS and second in gt.NUMBERS:
        left, right = _alike(b, e, left, right)
    elif _may_be_structure(first) and _may_be_structure(second):
        return _equality_of_values(b, e.operator, left, right)
    elif isinstance(first, gt.AnyNative) != isinstance(second, gt.AnyNative):
        is_literal = isinstance(left.node, go.Composite) or isinstance(right.node, go.Composite)
        is_number = first in gt.NUMBERS or second in gt.NUMBERS
        if is_literal or is_number or _is_mixed_member(e.left) or _is_mixed_member(e.right):
            return _equality_of_values(b, e.operator, left, right)
        left, right = _without_enum(b, left, e.span), _without_enum(b, right, e.span)
    elif _may_be_structure(first) or _may_be_structure(second):
        return _never_equal(b, e.operator, (e.left, left), (e.right, right))
    elif isinstance(first, gt.EnumNative) and isinstance(second, gt.Scalar):
        right = right if isinstance(right.node, go.Text | go.Number) else _converted(b, right, first, e.span)
    elif isinstance(second, gt.EnumNative) and isinstance(first, gt.Scalar):
        left = left if isinstance(left.node, go.Text | go.Number) else _converted(b, left, second, e.span)
    elif first != second:
        if not _comparable(first, second):
            return _never_equal(b, e.operator, (e.left, left), (e.right, right))
        right = _converted(b, right, first, e.span)
    return go.Binary(left.node, e.operator, right.node)


def _is_mixed_member(e: core.Expr) -> bool:
    """Return whether `e` is a member or element among unlike types; in Go it may be a pointer or an enum member."""
    return isinstance(e, core.Attr | core.Index) and isinstance(ty.without_none(ty.resolve(e.type)), ty.UnionType)


def _without_enum(b: Block, value: Value, at: Span) -> Value:
    native = value.type.native
    return _converted(b, value, gt.enum_base(native), at) if isinstance(native, gt.EnumNative) else value


def _may_be_structure(native: gt.Native) -> bool:
    return isinstance(native, gt.Slice | gt.Map | gt.PackageStruct | gt.LocalStruct | gt.Nil | gt.AnyNative)


def _equality_of_values(b: Block, operator: str, left: Value, right: Value) -> go.Expr:
    """Return `slices.Equal(xs, ys)` or `maps.Equal(m, n)`, or compare as JSON if equal values may differ in Go type."""
    first, second = left.type.native, right.type.native
    arguments = (left.node, right.node)
    if first == second and isinstance(first, gt.Slice | gt.Map) and isinstance(first.element, gt.Scalar):
        call = make.call(b.file.qualified("slices" if isinstance(first, gt.Slice) else "maps", "Equal"), *arguments)
    else:
        call = make.call(b.file.session.helper("isEqual"), *arguments)
    return call if operator == "==" else make.negate(call)


def _converted(b: Block, value: Value, native: gt.Native, at: Span) -> Value:
    return Value(convert_native(b, value, native, Place(at)), gt.plain(native))


def _comparable(first: gt.Native, second: gt.Native) -> bool:
    """Return whether both types are texts, IDs or URNs; otherwise PCL values of different types are never equal."""
    return all((gt.enum_base(n) if isinstance(n, gt.EnumNative) else n) in gt.TEXTS for n in (first, second))


def _against_bool(value: Value, constant: Value, operator: str) -> go.Expr | None:
    """Return `x` for `x == true`, and so on; None if there is no comparison with a bool constant."""
    if value.type.native != gt.BOOL or constant.node not in (make.TRUE, make.FALSE):
        return None
    same = (constant.node is make.TRUE) == (operator == "==")
    return value.node if same else make.negate(value.node)


# -- conditionals -----------------------------------------------------------------------------------------------------------

def natural_conditional(b: Block, e: core.Conditional, hint: str) -> Value:
    """Return `condition ? then : otherwise` in a form that fits both branches."""
    conditional = as_condition(e)
    if conditional is not None:
        return Value(b.into(conditional, gt.plain(gt.BOOL), hint), gt.plain(gt.BOOL))
    want = natural_choice(b, e.type, (e.then, e.otherwise))
    if want.form is gt.Form.OUTPUT and not _is_later(e):
        want = gt.plain(want.native)
    return Value(_spill(b, e, want, hint), want)


def conditional_into(b: Block, e: core.Conditional, want: gt.GoType, hint: str) -> go.Expr:
    """Return a conditional as a `want`. Plain branches are chosen as plain values and converted once."""
    conditional = as_condition(e)
    if conditional is not None:
        return b.into(conditional, want, hint)
    native = _plain_choice(b, e, want.native) if want.form is gt.Form.INPUT else None
    if native is not None:
        chosen = gt.plain(native)
        return coerce(b, Value(_spill(b, e, chosen, hint), chosen), want, Place(e.span, hint))
    is_own_output = want.form is gt.Form.OUTPUT and not want.erased and _is_later(e)
    if want.form in (gt.Form.PLAIN, gt.Form.INPUT) or is_own_output:
        return _spill(b, e, want, hint)
    return coerce(b, natural_conditional(b, e, hint), want, Place(e.span, hint))


def _is_later(e: core.Conditional) -> bool:
    return e.then.type.eventual or e.otherwise.type.eventual


def _plain_choice(b: Block, e: core.Conditional, target: gt.Native) -> gt.Native | None:
    """Return the native type for choosing between plain branches, or None to choose between inputs."""
    if _is_later(e):
        return None
    if isinstance(target, gt.AnyNative):
        own = b.file.session.natives.native(e.type)
        is_simple = own in (gt.STRING, gt.INT, gt.FLOAT, gt.BOOL) or (isinstance(own, gt.Pointer) and gt.has_family(own))
        return own if is_simple else None
    inner = gt.definite(gt.without_pointer(target))
    if gt.innermost(inner) not in (gt.STRING, gt.INT, gt.FLOAT, gt.BOOL):
        return None
    return gt.optional(inner) if _may_be_null(e) else inner


def _may_be_null(e: core.Expr) -> bool:
    if isinstance(e, core.Conditional):
        checked = _checked(e)
        return any(branch is not checked and _may_be_null(branch) for branch in (e.then, e.otherwise))
    if isinstance(e, core.Literal):
        return e.value is None
    t = e.type.element if isinstance(e.type, ty.OutputType | ty.PromiseType) else e.type
    return isinstance(t, ty.UnionType)


def _checked(e: core.Conditional) -> core.Expr | None:
    """Return the branch that the condition proves not null: `x` in `x == null ? y : x`."""
    test = e.condition
    if not isinstance(test, core.Binary) or test.operator not in ("==", "!="):
        return None
    for subject, null in ((test.left, test.right), (test.right, test.left)):
        if is_null(null) and isinstance(subject, core.Ref):
            branch = e.otherwise if test.operator == "==" else e.then
            return branch if isinstance(branch, core.Ref) and branch.symbol is subject.symbol else None
    return None


def _spill(b: Block, e: core.Conditional, want: gt.GoType, hint: str) -> go.Expr:
    """Declare a variable that holds the chosen branch."""
    condition = b.into(e.condition, gt.plain(gt.BOOL), "condition")
    constant = _constant_truth(condition)
    if constant is not None:
        return alternative(b, e.then if constant else e.otherwise, want, hint)
    target = go.Name(make.variable(hint))
    then = b.where(condition, True)
    if _is_choice(e.then, want):
        _choose(then, e.then, want, target)
    else:
        then_node = alternative(then, e.then, want, hint)
        if then_node is make.NIL and not then.statements:
            return _unless(b, (condition, e.otherwise), want, target)
        then.emit(make.assign(target, then_node))
    chain, start = _branches(b.where(condition, False), e.otherwise, want, target)
    if start is None or start is make.NIL:
        b.emit(go.VariableStatement(variable=target.variable, type=type_expr(b.file, want)))
    else:
        b.emit(declaration(b, target.variable, want, start))
    b.emit(go.If(condition=condition, body=tuple(then.statements), otherwise=chain))
    return target


def _is_choice(e: core.Expr, want: gt.GoType) -> bool:
    """Return whether `e` chooses between values that need no conversion to `want`."""
    return isinstance(e, core.Conditional) and want.form is gt.Form.PLAIN and as_condition(e) is None


def _choose(b: Block, e: core.Expr, want: gt.GoType, target: go.Name) -> None:
    """Assign `e` to `target`; a conditional assigns in its branches."""
    if not isinstance(e, core.Conditional) or not _is_choice(e, want):
        b.emit(make.assign(target, alternative(b, e, want, _hint(target))))
        return
    condition = b.into(e.condition, gt.plain(gt.BOOL), "condition")
    constant = _constant_truth(condition)
    if constant is not None:
        _choose(b, e.then if constant else e.otherwise, want, target)
        return
    then, otherwise = b.where(condition, True), b.where(condition, False)
    _choose(then, e.then, want, target)
    _choose(otherwise, e.otherwise, want, target)
    b.emit_if(condition, then, otherwise)


def _branches(b: Block, e: core.Expr, want: gt.GoType, target: go.Name) -> tuple[tuple[go.Statement, ...], go.Expr | None]:
    """Return the else branch, and an initial value if it makes the last branch unnecessary.

    A conditional in the else branch becomes `else if`.
    """
    block = b.inner()
    if isinstance(e, core.Conditional):
        condition = block.into(e.condition, gt.plain(gt.BOOL), "condition")
        if not block.statements and _constant_truth(condition) is None:
            then = b.where(condition, True)
            _choose(then, e.then, want, target)
            rest, start = _branches(b.where(condition, False), e.otherwise, want, target)
            return (go.If(condition=condition, body=tuple(then.statements), otherwise=rest),), start
        block = b.inner()
    node = alternative(block, e, want, _hint(target))
    if not block.statements and (node is make.NIL or (_is_eager(node) and not _follows_null(e))):
        return (), node
    block.emit(make.assign(target, node))
    return tuple(block.statements), None


def _unless(b: Block, choice: tuple[go.Expr, core.Expr], want: gt.GoType, target: go.Name) -> go.Expr:
    """Return `condition ? null : value`: assign only if the condition is false."""
    condition, value = choice
    b.emit(go.VariableStatement(variable=target.variable, type=type_expr(b.file, want)))
    otherwise = b.where(condition, False)
    otherwise.emit(make.assign(target, alternative(otherwise, value, want, _hint(target))))
    b.emit_if(make.negate(condition), otherwise)
    return target


def _hint(target: go.Name) -> str:
    return target.variable.preferred_names[0]


def _constant_truth(condition: go.Expr) -> bool | None:
    return condition is make.TRUE if condition in (make.TRUE, make.FALSE) else None


def _follows_null(e: core.Expr) -> bool:
    """Return whether `e` accesses a member of a value that is known not to be null only in this branch.

    Elsewhere the access panics.
    """
    steps = (part.source for part in walk(e) if isinstance(part, core.Attr | core.Index))
    return any(
        (isinstance(source, core.Convert) and source.narrowed)
        or ty.is_optional(ty.resolve(source.type))
        or (isinstance(source, core.Ref) and ty.is_optional(ty.resolve(source.symbol.type)))
        for source in steps
    )


def _is_eager(node: go.Expr) -> bool:
    """Return whether a branch may be evaluated even if it is not chosen: it cannot fail and is cheap."""
    match node:
        case go.Name() | go.Builtin() | go.Declared() | go.Number() | go.Text() | go.Qualified():
            return True
        case go.Selector():
            return _is_eager(node.operand)
        case go.Composite():
            return not node.elements
        case go.Call():
            return isinstance(node.function, go.Qualified) and len(node.arguments) == 1 and _is_eager(node.arguments[0])
        case _:
            return False


def declaration(b: Block, target: go.Variable, want: gt.GoType, node: go.Expr) -> go.Statement:
    """Return `target := node`, with an explicit type if Go would infer another type (`size := 2` is not a float64)."""
    match node:
        case go.Text():
            is_exact = want.native == gt.STRING
        case go.Number():
            is_exact = want.native == gt.INT or (want.native == gt.FLOAT and "." in node.text)
        case go.Composite() | go.Name() | go.Builtin() | go.Declared() | go.Selector() | go.Call():
            is_exact = not isinstance(want.native, gt.AnyNative)
        case _:
            is_exact = False
    if want.is_plain and is_exact:
        return make.define([target], node)
    return go.VariableStatement(variable=target, type=type_expr(b.file, want), value=node)
