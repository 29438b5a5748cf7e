"""Diagnostics as JSON, for programs.

The result is one JSON document, `{"format_version": 1, "diagnostics": [...]}`, in the order of printing. Every key is always
present; a key that does not apply (a place, a help) is null. Lines and columns count from 1, offsets from 0, all in
Unicode code points of the decoded file (a byte-order mark does not count).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import Position, Span

FORMAT_VERSION = 1


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """The document, ASCII only and ended by a newline."""
    return json.dumps(document_of(diagnostics), indent=2) + "\n"


def document_of(diagnostics: Iterable[Diagnostic]) -> dict[str, object]:
    """The document as plain data, for commands that add further keys."""
    return {"format_version": FORMAT_VERSION, "diagnostics": [diagnostic_of(item) for item in diagnostics]}


def file_name(span: Span) -> str:
    """The name of the span's file, with undecodable bytes of the file system replaced so that any reader accepts it."""
    return span.file.name.encode("utf-8", "replace").decode("utf-8")


def diagnostic_of(diagnostic: Diagnostic) -> dict[str, object]:
    """One diagnostic as plain data."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **_place(diagnostic.primary),
        "notes": [{"message": note.message, **_place(note.span)} for note in diagnostic.notes],
        "help": diagnostic.help,
    }


def _place(span: Span | None) -> dict[str, object]:
    if span is None:
        return {"file": None, "start": None, "end": None}
    return {
        "file": file_name(span),
        "start": _position(span.start_position),
        "end": _position(span.end_position),
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column, "offset": position.offset}
