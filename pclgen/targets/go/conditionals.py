"""Conditionals: a variable and an `if` before the statement that uses it.

The variable replaces the `Conditional`.

    size := "s-1vcpu-1gb"
    if isProduction {
        size = "s-4vcpu-8gb"
    }

Only the chosen branch is evaluated: a branch that needs statements or may fail goes inside its own block.
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core.predicates import as_condition, is_null
from pclgen.core.walk import walk
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import coerce
from pclgen.targets.go.context import Block, Place, Value
from pclgen.targets.go.natives import alternative
from pclgen.targets.go.spelling import natural_choice, type_expr
from pclgen.types.model import OutputType, PromiseType, UnionType, is_optional, resolve


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
    t = e.type.element if isinstance(e.type, OutputType | PromiseType) else e.type
    return isinstance(t, UnionType)


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
    constant = _constant(condition)
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
    constant = _constant(condition)
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
        if not block.statements and _constant(condition) is None:
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


def _constant(condition: go.Expr) -> bool | None:
    return condition is make.TRUE if condition in (make.TRUE, make.FALSE) else None


def _follows_null(e: core.Expr) -> bool:
    """Return whether `e` accesses a member of a value that is known not to be null only in this branch.

    Elsewhere the access panics.
    """
    steps = (part.source for part in walk(e) if isinstance(part, core.Attr | core.Index))
    return any(
        (isinstance(source, core.Convert) and source.narrowed) or is_optional(resolve(source.type)) for source in steps
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
