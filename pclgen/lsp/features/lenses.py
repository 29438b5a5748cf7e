"""What an editor shows above a declaration: how often the program uses it."""

from __future__ import annotations

from collections import Counter

from pclgen.lsp.analysis import Analysis
from pclgen.lsp.names import Kind
from pclgen.records import dataclass
from pclgen.source.text import Span
from pclgen.syntax import ast


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text above the name at `span`."""

    span: Span
    text: str


def lenses(analysis: Analysis, file: ast.File) -> list[Lens]:
    """The references to what a file declares at top level, in source order; outputs, which nothing reads, have none."""
    occurrences = (use for own in analysis.names.occurrences.values() for use in own if not use.is_declaration)
    counts = Counter(use.definition for use in occurrences)
    top = (name for name in analysis.names.top() if name.span.file is file.source and name.kind is not Kind.OUTPUT)
    return [Lens(name.span, _references(counts[name])) for name in sorted(top, key=lambda name: name.span.start)]


def _references(count: int) -> str:
    return f"{count} reference{'' if count == 1 else 's'}"
