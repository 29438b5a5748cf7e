"""The canonical layout of some items of a file."""

from __future__ import annotations

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.lsp.features.rename import Edit
from pclgen.source.text import SourceFile
from pclgen.syntax.format import format_source
from pclgen.syntax.parse import parse_file


def format_items(source: SourceFile, start: int, end: int) -> Edit | None:
    """The edit for the top-level items that `start:end` touches, and for the comments and empty lines between them.

    None while the file has syntax errors, and where nothing changes.
    """
    formatted = format_source(source, DiagnosticBag())
    if formatted is None:
        return None
    before = parse_file(source, DiagnosticBag()).body.items
    after = parse_file(SourceFile(source.name, formatted), DiagnosticBag()).body.items
    touched = [at for at, item in enumerate(before) if item.span.start <= end and start <= item.span.end]
    if not touched or len(before) != len(after):
        return None
    first, last = touched[0], touched[-1]
    span = source.span(before[first].span.start, before[last].span.end)
    text = formatted[after[first].span.start : after[last].span.end]
    return Edit(span=span, text=text) if text != span.text else None
