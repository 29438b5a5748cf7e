"""`try` and `can`: what fails inside of them is no mistake (language.md, Functions).

An expression that fails whatever other values come to becomes a call that fails when it runs (`failing`), so that the parts
around it decide whether it does run: a loop over nothing and a branch that is not taken have values. An argument that surely
fails is dropped, and so are those behind one that surely has a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from pclgen.bind.coerce import failing, invalid
from pclgen.bind.context import Context
from pclgen.core.eventuals import is_lazy
from pclgen.core.expr import (
    Binary,
    Call,
    Conditional,
    Expr,
    For,
    ListExpr,
    Literal,
    ObjectExpr,
    Ref,
)
from pclgen.core.walk import children
from pclgen.diagnostics import expressions as say
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.source.text import Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.types.model import BOOL, ERROR, is_optional, resolve

_CAUGHT: Final = frozenset(
    f"PCL{number:04}"
    for number in (401, 402, 405, 406, 407, 408, 409, 411, 412, 413, 414, 415, 502, 503, 504, 505, 506, 508, 604, 609)
)
"""What is wrong with values and their types; names, functions and syntax stay mistakes."""


def is_failing(e: Expr) -> bool:
    """Whether `e` is a call of `failing`."""
    return isinstance(e, Call) and e.function is FUNCTIONS["notImplemented"]


def guarded(cx: Context, bind: Callable[[Context], Expr], span: Span) -> Expr:
    """`bind` where a failure is caught: in place of a mistake about values, an expression that fails."""
    trial = replace(cx, bag=DiagnosticBag())
    made = bind(trial)
    problem = _caught(trial.bag)
    if problem is not None:
        return failing(problem.message, span)
    cx.bag.extend(trial.bag)
    return made


def _caught(bag: DiagnosticBag) -> Diagnostic | None:
    """The first mistake, when all are such as running programs fail with."""
    errors = [found for found in bag if found.severity is Severity.ERROR]
    return errors[0] if errors and all(found.code in _CAUGHT for found in errors) else None


def bind_attempts(cx: Context, e: ast.Call) -> list[Expr]:
    """The arguments of `try` or `can` that may have a value; empty when none has."""
    found: list[Expr] = []
    decided_by_now = False
    for index, arg in enumerate(e.args):
        inner = cx if index == 0 else cx.perhaps()
        last = index == len(e.args) - 1 and e.name.text == "try"
        made = _last(inner, arg) if last else inner.attempting().synth(arg)
        if (surely_fails(made) and not _is_surplus(e)) or decided_by_now:
            continue
        found.append(made)
        sure = surely_works(made) and not is_optional(resolve(made.type))  # a null is passed over where none is wanted
        decided_by_now = made.type is ERROR or (sure and not e.expand and not _is_surplus(e))
    return found


def _is_surplus(e: ast.Call) -> bool:
    """Whether there are more arguments than the function takes, which is for the check of all calls to report."""
    return e.name.text == "can" and len(e.args) > 1


def _last(cx: Context, arg: ast.Expr) -> Expr:
    """The last argument of `try`, whose failure is that of the call. It is bound as any other expression, so that it says
    what is wrong when it runs, and as an attempt only when something is."""
    if cx.attempted:
        return cx.synth(arg)
    trial = replace(cx, bag=DiagnosticBag())
    made = trial.synth(arg)
    if _caught(trial.bag) is not None:
        return cx.attempting().synth(arg)
    cx.bag.extend(trial.bag)
    return made


def nothing_works(cx: Context, e: ast.Call) -> Expr:
    """What a call of `try` is all of whose arguments fail."""
    if not cx.attempted:
        cx.report(say.no_attempt_works(e.span))
    return failing("no argument of `try` can be evaluated", e.span)


def decided(cx: Context, e: ast.Call, args: Sequence[Expr]) -> Expr | None:
    """The call, as far as its arguments decide it now: `args` are those that may have a value."""
    if e.expand:
        return None
    if any(arg.type is ERROR for arg in args):
        return invalid(e.span)
    if e.name.text == "can" and len(e.args) == 1:
        sure = not args or surely_works(args[0])
        return Literal(value=bool(args), type=BOOL, span=e.span) if sure else None
    if e.name.text == "try" and e.args:
        if not args:
            return nothing_works(cx, e)
        if surely_works(args[0]) and (len(args) == 1 or not is_optional(resolve(args[0].type))):
            return args[0]
    return None


def surely_fails(e: Expr) -> bool:
    """Whether evaluating `e` fails whatever other values come to."""
    pending = [e]
    while pending:
        node = pending.pop()
        if is_failing(node):
            return True
        match node:
            case Conditional():
                pending.append(node.condition)
            case For():
                pending.append(node.collection)
            case Binary(operator="&&" | "||"):
                pending.append(node.left)
            case Call() if is_lazy(node) or node.function.name == "recover":
                pass
            case _:
                pending += children(node)
    return False


def surely_works(e: Expr) -> bool:
    """Whether evaluating `e` has a value whatever other values come to; of most expressions nothing is known."""
    pending = [e]
    while pending:
        node = pending.pop()
        match node:
            case Literal() | Ref():
                continue
            case ListExpr() | ObjectExpr():
                if isinstance(node, ObjectExpr) and not all(isinstance(item.key, Literal) for item in node.items):
                    return False
                pending += children(node)
            case _:
                return False
    return True

