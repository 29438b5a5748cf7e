"""The part of a text that is parsed for an answer at a cursor: text with a cursor in it seldom parses as it is."""

from __future__ import annotations

from pclgen.bind.reading import read_sources
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.syntax import ast


def window_around(file: ast.File, offset: int) -> tuple[int, int]:
    """Return the start and the end of the text between the items before and behind the one at `offset`."""
    before = (item.span.end for item in file.body.items if item.span.end < offset)
    behind = (item.span.start for item in file.body.items if item.span.start > offset)
    return max(before, default=0), min(behind, default=len(file.source.text))


def patched(source: SourceFile, window: tuple[int, int], place: tuple[int, int], patch: str) -> ast.File:
    """Return the tree of the text in `window` with `patch` at `place`.

    Offsets up to `place` are those of `source`; lines are not.
    """
    text, (start, end) = source.text, place
    first = min(window[0], start)
    patched_text = " " * first + text[first:start] + patch + text[end : window[1]]
    [tree] = read_sources([SourceFile(source.name, patched_text)], DiagnosticBag(), False)
    return tree
