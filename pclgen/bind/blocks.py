"""What all blocks have in common: attributes by name, literal settings, comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.bind.context import Context
from pclgen.bind.literals import normal, static_bool, static_text
from pclgen.bind.trivia import comments_of
from pclgen.core.expr import Comments
from pclgen.diagnostics import structure as say
from pclgen.syntax import ast

LOGICAL_NAME = "__logicalName"


def attributes(body: ast.Body) -> dict[str, ast.Attribute]:
    """The attributes of a body by name (the parser reported doubles; the first counts)."""
    found: dict[str, ast.Attribute] = {}
    for item in body.items:
        if isinstance(item, ast.Attribute):
            found.setdefault(item.name.text, item)
    return found


def settings(cx: Context, block: ast.Block, known: Sequence[str], nested: Sequence[str] = ()) -> Mapping[str, ast.Attribute]:
    """The attributes of a block whose attributes are fixed; reports the others, and blocks that are not `nested`."""
    found = attributes(block.body)
    for name, attribute in found.items():
        if name not in known:
            cx.report_softly(say.unknown_setting(name, block.type.text, known, attribute.name.span))
    for item in block.body.items:
        if isinstance(item, ast.Block) and item.type.text not in nested:
            cx.report_softly(say.unexpected_block(item.type.text, block.type.text, nested, item.type.span))
    return found


def text_setting(cx: Context, found: Mapping[str, ast.Attribute], name: str) -> str | None:
    """The text of an attribute that must be a string literal; None when absent or reported."""
    attribute = found.get(name)
    if attribute is None:
        return None
    text = static_text(attribute.value)
    if text is None:
        cx.report(say.not_literal(name, "string", attribute.value.span))
    return text


def bool_setting(cx: Context, found: Mapping[str, ast.Attribute], name: str) -> bool:
    """The value of an attribute that must be a bool literal; False when absent or reported."""
    attribute = found.get(name)
    if attribute is None:
        return False
    value = static_bool(attribute.value)
    if value is None:
        cx.report(say.not_literal(name, "bool", attribute.value.span))
    return value is True


def logical_name(cx: Context, found: Mapping[str, ast.Attribute], name: str) -> str:
    """The engine's name of a node: `__logicalName`, or its own (an empty one counts as absent)."""
    return text_setting(cx, found, LOGICAL_NAME) or normal(name)


def block_comments(block: ast.Block) -> Comments:
    """Comments above a block, in its header line, and on the line of its closing brace."""
    return comments_of((*block.leading, *block.header), block.trailing)
