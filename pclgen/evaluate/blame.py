"""Failures of values of unknown type: the problem, the use of the value, and its origin in the program.

A failure is a `FaultError` with the message of generated code (`stdlib.checks`), which also names the origin.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Attr, Expr, Index
from pclgen.core.origins import Sources, Use, is_foreign
from pclgen.diagnostics import evaluation as say
from pclgen.diagnostics.model import Diagnostic, Note, note
from pclgen.evaluate.faults import FaultError
from pclgen.evaluate.values import Output, Value, apply
from pclgen.source.text import Span
from pclgen.stdlib.checks import Check, no_step, path_text
from pclgen.stdlib.model import BadArgumentError
from pclgen.types.model import DYNAMIC, resolve


class Blame:
    """The use and the origin of the value of `expr`, for the message of a failure; computed on demand."""

    __slots__ = ("_expr", "_sources")

    def __init__(self, sources: Sources, expr: Expr) -> None:
        self._sources = sources
        self._expr = expr

    @property
    def is_secret(self) -> bool:
        """Whether the value is secret."""
        return is_eventual(self._expr.type)

    def use(self) -> Use:
        """Return the use of the value."""
        return self._sources.use(self._expr)

    def notes(self, used: Span) -> list[Note]:
        """Return notes on the origin of the value, for a diagnostic at `used`."""
        origin = self._sources.origin(self._expr)
        if origin is None:
            return []
        where = self._sources.set_at(origin)
        entered = [] if origin.span == used else [note("the value entered the program here", origin.span)]
        return [*entered, *([note(f"the stack sets it at {where}")] if where else [])]


def check_kind(value: Value, kind: str, blame: Blame) -> Value:
    """Return `value`, or its output, as a value of `kind` (`stdlib.checks`). Raises `FaultError`."""
    if isinstance(value, Output):
        return apply((value,), lambda plain: check_kind(plain, kind, blame))
    try:
        return Check("", "", secret=blame.is_secret).require(value, kind, "")
    except BadArgumentError:
        pass  # the second check below adds the use and the origin to the message
    use = blame.use()
    try:
        return Check(use.used, use.origin, secret=blame.is_secret).require(value, kind, use.at)
    except BadArgumentError as problem:
        reason = problem.reason
    missing = value is None

    def make(span: Span) -> Diagnostic:
        return say.misused(_without_place(reason), span, blame.notes(span), missing=missing)

    raise FaultError(make)


@contextmanager
def step_blamed(sources: Sources, expr: Attr | Index, source: Value, key: Value) -> Iterator[None]:
    """Add the origin of `source` to the failure of a step into it, while the block runs."""
    try:
        yield
    except FaultError as fault:
        if resolve(expr.source.type) is not DYNAMIC or is_foreign(expr.source):
            raise
        plain = source.value if isinstance(source, Output) else source
        blame = Blame(sources, expr.source)
        use = blame.use()
        plain_key = key.value if isinstance(key, Output) else key
        problem = no_step(plain, plain_key, secret=blame.is_secret)
        check = Check(use.used, use.origin, secret=blame.is_secret)
        reason = _reason(check, use, problem)
        first = fault.make

        def make(span: Span) -> Diagnostic:
            return say.blamed(first(span), _without_place(reason), blame.notes(span))

        blamed = FaultError(make)
        blamed.meta = fault.meta
        raise blamed from None


def _reason(check: Check, use: Use, problem: str) -> str:
    try:
        check.fail(path_text(use.keys), problem)
    except BadArgumentError as failure:
        return failure.reason


def _without_place(reason: str) -> str:
    """Return a message of generated code without its location, which a diagnostic shows itself."""
    return reason.partition(": ")[2]
