"""Common parts of all blocks: attributes by name, literal settings, comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.bind.comments import comments_of
from pclgen.bind.context import Context
from pclgen.bind.literals import normal, static_bool, static_text
from pclgen.core.expr import Comments
from pclgen.diagnostics import structure as say
from pclgen.syntax import ast

LOGICAL_NAME = "__logicalName"


def attributes(body: ast.Body) -> dict[str, ast.Attribute]:
    """The attributes of a body by name (the parser reported duplicates; the first counts)."""
    by_name: dict[str, ast.Attribute] = {}
    for item in body.items:
        if isinstance(item, ast.Attribute):
            by_name.setdefault(item.name.text, item)
    return by_name


def settings(cx: Context, block: ast.Block, names: Sequence[str], nested: Sequence[str] = ()) -> Mapping[str, ast.Attribute]:
    """The attributes of a block; reports attributes that are not `names` and blocks that are not `nested`."""
    by_name = attributes(block.body)
    for name, attribute in by_name.items():
        if name not in names:
            cx.report_softly(say.unknown_setting(name, block.type.text, names, attribute.name.span))
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
