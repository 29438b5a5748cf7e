"""Renaming of declarations.

A rename changes only the program's text: where the engine, a stack's configuration or the users of a component identify
an item by its name, the item gets a `__logicalName` with the old one.
"""

from __future__ import annotations

import re

from msgspec import Struct

from pclgen.lsp.analysis import Analysis, Definition, DefinitionKind, Occurrence
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.show import show_value

_NAME = re.compile(r"[^\W\d][\w-]*")
LOGICAL_NAME = "__logicalName"
_RESERVED = frozenset({"args", "error", "false", "for", "if", "in", "null", "pulumi", "range", "true"})
_LOGICAL = frozenset({DefinitionKind.CONFIG, DefinitionKind.RESOURCE, DefinitionKind.COMPONENT, DefinitionKind.OUTPUT})


class RenameError(Exception):
    """A name cannot be changed as requested."""


class Edit(Struct, frozen=True, kw_only=True):
    """A replacement of `span` by `text`."""

    span: Span
    text: str


def renamed_at(analysis: Analysis, file: ast.File, offset: int) -> Occurrence | None:
    """Return the name at `offset`, if it can be changed."""
    occurrence = analysis.names.at(file.source, offset)
    if occurrence is None:
        return None
    definition = occurrence.definition
    is_fixed = definition.kind is DefinitionKind.RANGE or occurrence.span.text != definition.name
    return None if is_fixed else occurrence


def rename(analysis: Analysis, file: ast.File, offset: int, name: str) -> list[Edit]:
    """Return the edits that rename the name at `offset`. Raises `RenameError`."""
    occurrence = renamed_at(analysis, file, offset)
    if occurrence is None:
        raise RenameError("there is no name here that can be changed")
    definition = occurrence.definition
    if name == definition.name:
        return []
    _check_new_name(analysis, definition, name)
    edits = [Edit(span=use.span, text=name) for use in analysis.names.all_of(definition)]
    item = definition.item
    if isinstance(item, ast.Block) and definition.kind in _LOGICAL and not _has_logical_name(item):
        edits += _logical_name(item, definition.name)
    return sorted(edits, key=lambda edit: (edit.span.file.name, edit.span.start))


def _check_new_name(analysis: Analysis, definition: Definition, name: str) -> None:
    """Raise `RenameError` if `name` is invalid or already in use."""
    if _NAME.fullmatch(name) is None:
        raise RenameError(f"`{name}` is not a name: write letters, digits, `_` and `-`, and begin with a letter or `_`")
    if name in _RESERVED:
        raise RenameError(f"`{name}` has a special meaning in PCL")
    names = analysis.names
    if definition.kind is DefinitionKind.TYPE:
        taken = name in names.types or name in _TYPE_WORDS
    else:
        loops = {loop.name for loop, _ in names.loops}
        taken = name in names.definitions or name in names.outputs or name in loops or name in names.unknown
    if taken:
        raise RenameError(f"`{name}` is already in use in this program")


_TYPE_WORDS = frozenset(
    {"any", "string", "number", "int", "bool", "list", "set", "map", "optional", "object", "tuple", "union", "true", "false"}
)


def _has_logical_name(block: ast.Block) -> bool:
    return any(isinstance(item, ast.Attribute) and item.name.text == LOGICAL_NAME for item in block.body.items)


def _logical_name(block: ast.Block, old: str) -> list[Edit]:
    """Return an attribute with the old name, on a separate line."""
    start = block.open_brace.end
    line = f"\n  {LOGICAL_NAME} = {show_value(old)}"
    if "\n" in Span(block.span.file, start, block.span.end).text:
        return [Edit(span=Span(block.span.file, start, start), text=line)]
    end = block.span.end - 1
    inside = Span(block.span.file, start, end).text.strip()
    return [Edit(span=Span(block.span.file, start, end), text=f"{line}\n  {inside}\n" if inside else f"{line}\n")]
