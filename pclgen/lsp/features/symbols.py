"""Declarations of a file, for outlines and searches; folding ranges and selections."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pclgen.lsp.analysis import Analysis
from pclgen.lsp.names import DefinitionKind
from pclgen.source.text import SourceFile, Span
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
