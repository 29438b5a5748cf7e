"""Literals, and the settings of blocks that must be literals (language.md, Source text; Known texts).

Literals are numbers, bools, null, and texts without holes. A whole number that no double represents exactly is an error,
reported once for all languages, since code that computes or carries it would silently round. A number that was converted
to a text keeps all its digits and is not reported.

All blocks have attributes by name, literal settings and comments.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from pclgen.bind.comments import comments_of
from pclgen.bind.context import Context
from pclgen.core.expr import Comments, Expr, Literal
from pclgen.core.program import Program
from pclgen.core.walk import expressions_of, inner_first, walk
from pclgen.diagnostics import expressions
from pclgen.diagnostics import structure as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.suggest import suggest
from pclgen.source.numbers import read_bool
from pclgen.syntax import ast
from pclgen.types import model as ty

# -- literals ---------------------------------------------------------------------------------------------------------------

_EXACT = 2**53
_LARGEST = 2**63  # whole numbers from here on are doubles, not ints, in every language


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
            is_whole = isinstance(e.value, int) and e.value < _LARGEST
            return Literal(value=e.value, type=ty.INT if is_whole else ty.NUMBER, span=e.span)
        case ast.BoolLit():
            return Literal(value=e.value, type=ty.BOOL, span=e.span)
        case ast.NullLit():
            return Literal(value=None, type=ty.NONE, span=e.span)


def bare(e: ast.Expr) -> ast.Expr:
    """The expression inside of all parentheses around it."""
    while isinstance(e, ast.Parens):
        e = e.inner
    return e


def static_text(e: ast.Expr) -> str | None:
    """The text of a plain string literal (quoted or heredoc, one literal part), or None (language.md, Known texts)."""
    e = bare(e)
    return template_text(e) if isinstance(e, ast.Template) else None


def static_bool(e: ast.Expr) -> bool | None:
    """The value of a plain bool literal (`true`, `"true"`, `"1"`), or None."""
    e = bare(e)
    if isinstance(e, ast.BoolLit):
        return e.value
    return read_bool(static_text(e) or "")


def refuse_rounded(program: Program, bag: DiagnosticBag) -> None:
    """Report each whole number of `program` and of its components that a double would round."""
    for inside in (*(component.program for component in inner_first(program)), program):
        for node in inside.nodes:
            for expr in expressions_of(node):
                for part in walk(expr):
                    held = _rounded(part)
                    if held is not None:
                        bag.add(expressions.rounded_number(part.span.text, str(held), part.span))


def _rounded(expr: Expr) -> int | None:
    """Return the rounded value of a whole number that a double cannot represent.

    None for exact numbers, and for numbers written with a fraction or an exponent, which are doubles.
    """
    if type(expr) is not Literal or type(expr.value) is not int:
        return None
    if not _EXACT < abs(expr.value) <= _LARGEST or ty.without_const(ty.resolve(expr.type)) not in (ty.INT, ty.NUMBER):
        return None
    if any(mark in expr.span.text for mark in ".eE"):
        return None
    held = int(float(expr.value))
    return None if held == expr.value else held


# -- settings of blocks -----------------------------------------------------------------------------------------------------

LOGICAL_NAME = "__logicalName"


def attributes(body: ast.Body) -> dict[str, ast.Attribute]:
    """The attributes of a body by name (the parser reported duplicates; the first counts)."""
    by_name: dict[str, ast.Attribute] = {}
    for item in body.items:
        if isinstance(item, ast.Attribute):
            by_name.setdefault(item.name.text, item)
    return by_name


def settings(cx: Context, block: ast.Block, names: Sequence[str], nested: Sequence[str] = ()) -> Mapping[str, ast.Attribute]:
    """The attributes of a block; reports attributes that are not `names` and blocks that are not `nested`.

    A misspelled attribute, which is an error, also has the name that was probably meant, so that it is not missing.
    """
    by_name = attributes(block.body)
    for name, attribute in tuple(by_name.items()):
        if name not in names:
            cx.report_softly(say.unknown_setting(name, block.type.text, names, attribute.name.span))
            similar = suggest(name, names)
            if similar is not None and not cx.lenient:
                by_name.setdefault(similar, attribute)
    for item in block.body.items:
        if isinstance(item, ast.Block) and item.type.text not in nested:
            cx.report_softly(say.unexpected_block(item.type.text, block.type.text, nested, item.type.span))
    return by_name


def text_setting(cx: Context, attributes_: Mapping[str, ast.Attribute], name: str) -> str | None:
    """The text of an attribute that must be a string literal; None if absent or reported."""
    attribute = attributes_.get(name)
    if attribute is None:
        return None
    text = static_text(attribute.value)
    if text is None:
        cx.report(say.not_literal(name, "string", attribute.value.span))
    return text


def bool_setting(cx: Context, attributes_: Mapping[str, ast.Attribute], name: str) -> bool:
    """The value of an attribute that must be a bool literal; False if absent or reported."""
    attribute = attributes_.get(name)
    if attribute is None:
        return False
    value = static_bool(attribute.value)
    if value is None:
        cx.report(say.not_literal(name, "bool", attribute.value.span))
    return value is True


def logical_name(cx: Context, attributes_: Mapping[str, ast.Attribute], name: str) -> str:
    """The engine's name of a node: a non-empty `__logicalName`, else its own name."""
    return text_setting(cx, attributes_, LOGICAL_NAME) or normal(name)


def block_comments(block: ast.Block) -> Comments:
    """Comments above a block, in its header line, and on the line of its closing brace."""
    return comments_of((*block.leading, *block.header), block.trailing)
