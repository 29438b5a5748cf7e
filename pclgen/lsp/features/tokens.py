"""Semantic tokens: the meaning of names in a file, for coloring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from pclgen.core.expr import Attr
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.names import DefinitionKind
from pclgen.source.text import Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.syntax.walk import walk


class TokenKind(StrEnum):
    """The token types of the protocol."""

    KEYWORD = "keyword"
    TYPE = "type"
    CLASS = "class"
    PARAMETER = "parameter"
    VARIABLE = "variable"
    PROPERTY = "property"
    FUNCTION = "function"
    EVENT = "event"


class Modifier(StrEnum):
    """The token modifiers of the protocol."""

    DECLARATION = "declaration"
    DEPRECATED = "deprecated"
    DEFAULT_LIBRARY = "defaultLibrary"


class SemanticToken(Struct, frozen=True, kw_only=True):
    """A name within one line."""

    span: Span
    kind: TokenKind
    modifiers: frozenset[Modifier] = frozenset()


_KINDS: Final[Mapping[DefinitionKind, TokenKind]] = {
    DefinitionKind.LOCAL: TokenKind.VARIABLE,
    DefinitionKind.CONFIG: TokenKind.PARAMETER,
    DefinitionKind.RESOURCE: TokenKind.CLASS,
    DefinitionKind.COMPONENT: TokenKind.CLASS,
    DefinitionKind.OUTPUT: TokenKind.PROPERTY,
    DefinitionKind.HOOK: TokenKind.EVENT,
    DefinitionKind.TYPE: TokenKind.TYPE,
    DefinitionKind.LOOP: TokenKind.VARIABLE,
    DefinitionKind.RANGE: TokenKind.VARIABLE,
}


_TOKENED: Final = frozenset({"component", "read", "resource"})
"""Blocks whose second label is a single name; those of others are types, which may contain names."""


def semantic_tokens(analysis: Analysis, file: ast.File) -> list[SemanticToken]:
    """Return the names of a file in source order, each once; strings, numbers and comments are left to the editor's
    grammar."""
    by_start: dict[int, SemanticToken] = {}
    for occurrence in analysis.names.occurrences.get(file.source, ()):
        modifiers = frozenset({Modifier.DECLARATION} if occurrence.is_declaration else ())
        by_start[occurrence.span.start] = SemanticToken(
            span=occurrence.span, kind=_KINDS[occurrence.definition.kind], modifiers=modifiers
        )
    for node in walk(file):
        for token in _of_node(analysis, node):
            by_start.setdefault(token.span.start, token)
    return [by_start[start] for start in sorted(by_start)]


def _of_node(analysis: Analysis, node: object) -> Iterator[SemanticToken]:
    match node:
        case ast.Block():
            yield SemanticToken(span=node.type.span, kind=TokenKind.KEYWORD)
            if node.type.text in _TOKENED and len(node.labels) > 1 and "\n" not in node.labels[1].span.text:
                yield SemanticToken(span=node.labels[1].span, kind=TokenKind.TYPE)
        case ast.Attribute():
            yield SemanticToken(span=node.name.span, kind=TokenKind.PROPERTY)
        case ast.ObjectItem(key=ast.BareKey() as key):
            yield SemanticToken(span=key.span, kind=TokenKind.PROPERTY)
        case ast.GetAttr():
            bound = analysis.expression(node.span)
            is_deprecated = isinstance(bound, Attr) and bound.field is not None and bool(bound.field.deprecated)
            modifiers = frozenset({Modifier.DEPRECATED} if is_deprecated else ())
            yield SemanticToken(span=node.name.span, kind=TokenKind.PROPERTY, modifiers=modifiers)
        case ast.Call():
            is_ours = node.name.text in FUNCTIONS
            modifiers = frozenset({Modifier.DEFAULT_LIBRARY} if is_ours else ())
            yield SemanticToken(span=node.name.span, kind=TokenKind.FUNCTION, modifiers=modifiers)
        case _:
            pass
