"""Diagnostics of the target languages: constructs that a language or its SDK cannot express.

Their codes are PCL09xx and PCL14xx.
"""

from __future__ import annotations

from pclgen.diagnostics.model import Diagnostic, error, note
from pclgen.source.text import Span, one_line


def outgrown_expression(target: str, span: Span) -> Diagnostic:
    """PCL0901: the code for an expression in `target` is too large."""
    why = "each `can` or `try` appears twice in the code if its argument can fail before deployment"
    return unsupported("this expression", target, span, why=why, hint="assign its parts to locals")


def unsupported(construct: str, target: str, span: Span, *, why: str | None = None, hint: str | None = None) -> Diagnostic:
    """PCL0901: `target` (`Python`, `TypeScript`, `Go`) cannot express `construct`."""
    notes = [note(why)] if why is not None else []
    message = f"{construct} cannot be written in {target}"
    return error("PCL0901", message, span, f"not supported in {target}", notes=notes, help=hint)


def template_failed(name: str, reason: str, span: Span | None) -> Diagnostic:
    """PCL1401: a user's template fails."""
    help_ = f"run `pclgen templates {name}` to see the built-in template"
    return error("PCL1401", f"template `{name}` failed: {one_line(reason)}", span, "here", help=help_)


def same_member(target: str, span: Span, *, name: str, other: str, spelled: str) -> Diagnostic:
    """PCL0901: two members of an object have the same name in `target`."""
    why = f"both have the name `{spelled}` in the SDK"
    return unsupported(f"`{name}` beside `{other}`", target, span, why=why, hint="remove one of them")
