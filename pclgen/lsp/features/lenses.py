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
    occurrences = (one for own in analysis.names.occurrences.values() for one in own if not one.is_declaration)
    counts = Counter(one.definition for one in occurrences)
    own = (one for one in analysis.names.top() if one.span.file is file.source and one.kind is not Kind.OUTPUT)
    return [Lens(one.span, _references(counts[one])) for one in sorted(own, key=lambda one: one.span.start)]


def _references(count: int) -> str:
    return f"{count} reference{'' if count == 1 else 's'}"
