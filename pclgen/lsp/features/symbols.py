"""The structure of a file: declarations for outlines and searches, folding ranges, selections, and semantic tokens.

Semantic tokens tell the meaning of the names in a file, for coloring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from pclgen.core.expr import Attr
from pclgen.lsp.analysis import Analysis, DefinitionKind
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.syntax.walk import path_to, walk


class Symbol(Struct, frozen=True, kw_only=True):
    """A declared name: `detail` is its type or token as written, `span` the whole item, `name_span` the name in it."""

    name: str
    kind: DefinitionKind
    detail: str
    span: Span
    name_span: Span


def symbols(analysis: Analysis, file: ast.File) -> list[Symbol]:
    """Return the top-level declarations of a file, in source order."""
    own = (symbol for symbol in _all(analysis) if symbol.span.file is file.source)
    return sorted(own, key=lambda symbol: symbol.span.start)


def search(analysis: Analysis, query: str) -> Iterator[Symbol]:
    """Yield the declarations of a program whose name contains the letters of `query` in this order."""
    yield from (symbol for symbol in _all(analysis) if is_fuzzy(query, symbol.name))


def is_fuzzy(query: str, name: str) -> bool:
    """Return whether `name` contains the letters of `query` in this order, ignoring case."""
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold())


def _all(analysis: Analysis) -> Iterator[Symbol]:
    for definition in analysis.names.top():
        labels = definition.item.labels if isinstance(definition.item, ast.Block) else ()
        detail = next((label.text for label in labels if label.text != definition.name), "")
        yield Symbol(
            name=definition.name, kind=definition.kind, detail=detail, span=definition.whole, name_span=definition.span
        )


class Fold(Struct, frozen=True):
    """A range of lines, counted from 0, that can be folded into the first."""

    start: int
    end: int
    is_comment: bool = False


def folds(file: ast.File) -> list[Fold]:
    """Return the blocks, lists, objects, heredocs and comments with several lines."""
    by_line: dict[int, Fold] = {}
    for node in walk(file):
        if isinstance(node, ast.Block | ast.ObjectExpr | ast.TupleExpr | ast.ForExpr):
            _add(by_line, node.span, ends=1)
        elif isinstance(node, ast.Template) and node.heredoc is not None:
            _add(by_line, node.span, ends=0)
        if isinstance(node, ast.Block | ast.Attribute | ast.ObjectItem):
            _comments(by_line, node.leading)
    _comments(by_line, file.body.closing)
    return [by_line[line] for line in sorted(by_line)]


def _comments(by_line: dict[int, Fold], comments: tuple[ast.Comment, ...]) -> None:
    if comments:
        _add(by_line, Span(comments[0].span.file, comments[0].span.start, comments[-1].span.end), ends=0, is_comment=True)


def _add(by_line: dict[int, Fold], span: Span, *, ends: int, is_comment: bool = False) -> None:
    """Fold the lines of a span except the last `ends`, which contain a closing bracket."""
    start, end = _line(span.file, span.start), _line(span.file, span.end) - ends
    if end > start:
        symbol = by_line.get(start)
        if symbol is None or symbol.end < end:
            by_line[start] = Fold(start, end, is_comment)


def selections(file: ast.File, offset: int) -> list[Span]:
    """Return the nested selections around an offset: from the innermost node to the whole file."""
    nodes = (node for node in path_to(file, offset) if not isinstance(node, ast.File))
    spans = [file.source.span(0, len(file.source.text)), *(node.span for node in nodes)]
    return list(dict.fromkeys(reversed(spans)))


def _line(file: SourceFile, offset: int) -> int:
    return file.position(offset).line - 1


# -- semantic tokens --------------------------------------------------------------------------------------------------------

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
