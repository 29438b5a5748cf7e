"""Diagnostics of the target languages: what a language or its SDK cannot express.

Comes in: facts and spans from `targets.<name>`.  Goes out: diagnostics, codes PCL09xx.
"""

from __future__ import annotations

from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.source.text import Span


def outgrown_expression(target: str, span: Span) -> Diagnostic:
    """PCL0901: what `target` needs for an expression is too large to be written."""
    why = "each `can` or `try` is written twice where what it tries may fail before it waits, and so is what is inside of it"
    return unsupported("this expression", target, span, why=why, hint="make locals of its parts")


def unsupported(construct: str, target: str, span: Span, *, why: str | None = None, hint: str | None = None) -> Diagnostic:
    """PCL0901: `target` (`Python`, `TypeScript`, `Go`) has nothing to write `construct` with."""
    return Diagnostic(
        code="PCL0901",
        severity=Severity.ERROR,
        message=f"{construct} cannot be written in {target}",
        primary=span,
        label=f"no {target} form",
        notes=(Note(message=why),) if why is not None else (),
        help=hint,
    )


def same_member(target: str, span: Span, *, name: str, other: str, spelled: str) -> Diagnostic:
    """PCL0901: two members of one object have one name in `target`."""
    why = f"its SDK calls both `{spelled}`"
    return unsupported(f"`{name}` beside `{other}`", target, span, why=why, hint="leave one of them out")
