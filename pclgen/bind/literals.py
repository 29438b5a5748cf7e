"""Literals: numbers, bools, null, and texts without holes (language.md, Source text; Known texts)."""

from __future__ import annotations

import unicodedata

from pclgen.core.expr import Literal
from pclgen.source.numbers import read_bool
from pclgen.syntax import ast
from pclgen.types.model import BOOL, INT, NONE, NUMBER

_INT_LIMIT = 2**63  # larger whole numbers are not ints in any language


def normal(text: str) -> str:
    """Text as a value: Unicode NFC (language.md, Source text)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def template_text(e: ast.Template) -> str | None:
    """The text of a template without holes, or None."""
    if all(isinstance(part, ast.TemplateText) for part in e.parts):
        return normal("".join([part.value for part in e.parts if isinstance(part, ast.TemplateText)]))
    return None


def literal(e: ast.NumberLit | ast.BoolLit | ast.NullLit) -> Literal:
    """The typed form of a number, bool or null."""
    match e:
        case ast.NumberLit():
            is_whole = isinstance(e.value, int) and e.value < _INT_LIMIT
            return Literal(value=e.value, type=INT if is_whole else NUMBER, span=e.span)
        case ast.BoolLit():
            return Literal(value=e.value, type=BOOL, span=e.span)
        case ast.NullLit():
            return Literal(value=None, type=NONE, span=e.span)


def static_text(e: ast.Expr) -> str | None:
    """The text of a plain string literal (quoted or heredoc, one literal part), or None (language.md, Known texts)."""
    while isinstance(e, ast.Parens):
        e = e.inner
    if not isinstance(e, ast.Template):
        return None
    return template_text(e)


def static_bool(e: ast.Expr) -> bool | None:
    """The value of a plain bool literal (`true`, `"true"`, `"1"`), or None."""
    while isinstance(e, ast.Parens):
        e = e.inner
    if isinstance(e, ast.BoolLit):
        return e.value
    return read_bool(static_text(e) or "")
