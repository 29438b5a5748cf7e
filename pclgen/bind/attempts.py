"""`try` and `can`: failures inside them are not errors (language.md, Functions).

An expression that always fails becomes a call that fails at run time (`failing`). The code around it decides whether it
runs: an empty loop and a conditional with another branch still have values. Binding drops arguments that surely fail, and
all arguments after one that surely has a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from pclgen.bind.coerce import failing, invalid
from pclgen.bind.context import Context
from pclgen.core import expr as core
from pclgen.core.eventuals import is_lazy
from pclgen.core.walk import children
from pclgen.diagnostics import expressions as say
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.source.text import Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.types import model as ty

_CAUGHT: Final = frozenset(
    f"PCL{number:04}"
    for number in (401, 402, 405, 406, 407, 408, 409, 411, 412, 413, 414, 415, 502, 503, 504, 505, 506, 508, 604, 609)
)
"""Errors about values and their types. Errors about names, functions and syntax are never caught."""


def is_failing(e: core.Expr) -> bool:
    """Return whether `e` is a call of `failing`."""
    return isinstance(e, core.Call) and e.function is FUNCTIONS["notImplemented"]


def guarded(cx: Context, bind: Callable[[Context], core.Expr], span: Span) -> core.Expr:
    """Call `bind` where failures are caught: an error about values becomes an expression that fails."""
    trial = replace(cx, bag=DiagnosticBag())
    result = bind(trial)
    problem = _caught(trial.bag)
    if problem is not None:
        return failing(problem.message, span)
    cx.bag.extend(trial.bag)
    return result


def _caught(bag: DiagnosticBag) -> Diagnostic | None:
    """The first error, if a running program would fail with every error in `bag`."""
    errors = [error for error in bag if error.severity is Severity.ERROR]
    return errors[0] if errors and all(error.code in _CAUGHT for error in errors) else None


def bind_attempts(cx: Context, e: ast.Call) -> list[core.Expr]:
    """The arguments of `try` or `can` that may have a value."""
    attempts: list[core.Expr] = []
    decided_by_now = False
    for index, arg in enumerate(e.args):
        inner = cx if index == 0 else cx.perhaps()
        last = index == len(e.args) - 1 and e.name.text == "try"
        attempt = _last(inner, arg) if last else inner.attempting().synth(arg)
        if (surely_fails(attempt) and not _is_surplus(e)) or decided_by_now:
            continue
        attempts.append(attempt)
        # Null is skipped where a value is required.
        sure = surely_works(attempt) and not ty.is_optional(ty.resolve(attempt.type))
        decided_by_now = attempt.type is ty.ERROR or (sure and not e.expand and not _is_surplus(e))
    return attempts


def _is_surplus(e: ast.Call) -> bool:
    """Return whether there are more arguments than the function takes; the general check of calls reports them."""
    return e.name.text == "can" and len(e.args) > 1


def _last(cx: Context, arg: ast.Expr) -> core.Expr:
    """The last argument of `try`; if it fails, the call fails in the same way.

    It is bound as an ordinary expression, so that it fails with its own message, and as an attempt only if it has an error.
    """
    if cx.attempted:
        return cx.synth(arg)
    trial = replace(cx, bag=DiagnosticBag())
    result = trial.synth(arg)
    if _caught(trial.bag) is not None:
        return cx.attempting().synth(arg)
    cx.bag.extend(trial.bag)
    return result


def nothing_works(cx: Context, e: ast.Call) -> core.Expr:
    """The replacement of a call of `try` whose arguments all fail."""
    if not cx.attempted:
        cx.report(say.no_attempt_works(e.span))
    return failing("no argument of `try` can be evaluated", e.span)


def decided(cx: Context, e: ast.Call, args: Sequence[core.Expr]) -> core.Expr | None:
    """The result of the call if its arguments decide it now; `args` are the arguments that may have a value."""
    if e.expand:
        return None
    if any(arg.type is ty.ERROR for arg in args):
        return invalid(e.span)
    if e.name.text == "can" and len(e.args) == 1:
        sure = not args or surely_works(args[0])
        return core.Literal(value=bool(args), type=ty.BOOL, span=e.span) if sure else None
    if e.name.text == "try" and e.args:
        if not args:
            return nothing_works(cx, e)
        if surely_works(args[0]) and (len(args) == 1 or not ty.is_optional(ty.resolve(args[0].type))):
            return args[0]
        # Where an argument may be null, one that does not fit is skipped, so the place decides.
        if surely_works(args[0], steps=True) and not any(ty.is_optional(ty.resolve(arg.type)) for arg in args):
            return args[0]
    return None


def surely_fails(e: core.Expr) -> bool:
    """Return whether evaluating `e` always fails, independent of other values."""
    pending = [e]
    while pending:
        node = pending.pop()
        if is_failing(node):
            return True
        match node:
            case core.Conditional():
                pending.append(node.condition)
            case core.For():
                pending.append(node.collection)
            case core.Binary(operator="&&" | "||"):
                pending.append(node.left)
            case core.Call() if is_lazy(node) or node.function.name == "recover":
                pass
            case _:
                pending += children(node)
    return False


def _members(source: core.Expr) -> frozenset[str]:
    """Return the members that an object of this program always has; a provider may omit one against its schema."""
    type_ = ty.resolve(source.type)
    if source.type.eventual or not isinstance(type_, ty.ObjectType):
        return frozenset()
    return frozenset(
        name for name, member in type_.members.items() if not ty.is_optional(member) and member is not ty.DYNAMIC
    )


def surely_works(e: core.Expr, *, steps: bool = False) -> bool:
    """Return whether evaluating `e` always succeeds, independent of other values; False if that is unknown.

    With `steps`, also steps to members that objects always have.
    """
    pending = [e]
    while pending:
        node = pending.pop()
        match node:
            case core.Literal() | core.Ref():
                continue
            case core.Attr(source=source, name=name) if steps and name in _members(source):
                pending.append(source)
            case core.ListExpr() | core.ObjectExpr():
                if isinstance(node, core.ObjectExpr) and not all(isinstance(item.key, core.Literal) for item in node.items):
                    return False
                pending += children(node)
            case _:
                return False
    return True
