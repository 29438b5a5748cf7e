"""Diagnostics for programs: JSON documents, and the commands of GitHub workflows.

The JSON result is one document, `{"format_version": 1, "diagnostics": [...]}`, in the order of printing. Every key is
always present; a key that does not apply (a place, a help) is null. Lines and columns count from 1, offsets from 0, all in
Unicode code points of the decoded file (a byte-order mark does not count).

For GitHub, each diagnostic is one line that annotates the lines of a pull request:
`::error file=main.pp,line=3,col=1,endLine=3,endColumn=4,title=PCL0101::message`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from pclgen.diagnostics.cells import visible
from pclgen.diagnostics.model import Diagnostic, Severity
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


# -- github workflow commands -----------------------------------------------------------------------------------------------

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command per line; nothing for no diagnostics."""
    return "".join(_command(diagnostic) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties = {**_annotated_place(diagnostic.primary), "title": diagnostic.code}
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(_message(diagnostic))}"


def _annotated_place(span: Span | None) -> dict[str, str]:
    if span is None:
        return {}
    start, end = span.start_position, span.end_position
    place = {"file": file_name(span).replace("\\", "/"), "line": str(start.line)}
    # GitHub drops columns, with a complaint in the log, unless the annotation is on one line.
    if start.line == end.line:
        return {**place, "col": str(start.column), "endLine": str(end.line), "endColumn": str(end.column)}
    return {**place, "endLine": str(end.line)}


def _message(diagnostic: Diagnostic) -> str:
    lines = [diagnostic.message]
    for note in diagnostic.notes:
        where = "" if note.span is None else f" ({note.span})"
        lines.append(f"note: {note.message}{where}")
    if diagnostic.help is not None:
        lines.append(f"help: {diagnostic.help}")
    return "\n".join(lines)


def _data(text: str) -> str:
    lines = (visible(line).replace("%", "%25") for line in text.split("\n"))
    return "%0A".join(lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
