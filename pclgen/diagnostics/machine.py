"""Diagnostics for programs: JSON documents, the commands of GitHub workflows, and SARIF 2.1.0 for code scanning services.

The JSON result is one document, `{"format_version": 1, "diagnostics": [...]}`, in the order of printing. Every key is
always present; a key that does not apply (a place, a help) is null. Lines and columns count from 1, offsets from 0, all in
Unicode code points of the decoded file (a byte-order mark does not count).

For GitHub, each diagnostic is one line that annotates the lines of a pull request:
`::error file=main.pp,line=3,col=1,endLine=3,endColumn=4,title=PCL0101::message`.

The SARIF document has one run; its rules are the codes that occur, each with the text of its explain page. Columns count
Unicode code points (`columnKind`); relative paths stay relative, percent-encoded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from urllib.parse import quote

from pclgen.diagnostics.cells import visible
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.source.text import Position, Span
from pclgen.version import VERSION

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


# -- sarif ------------------------------------------------------------------------------------------------------------------

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """The log file, ASCII only and ended by a newline."""
    items = tuple(diagnostics)
    codes = sorted({item.code for item in items})
    driver = {"name": "pclgen", "version": VERSION, "rules": [_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, codes) for item in items],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, object]:
    from pclgen.diagnostics.codes import page

    explained = page(code)
    if explained is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": explained.title},
        "fullDescription": {"text": " ".join(explained.prose.split())},
        "help": {"text": explained.text, "markdown": explained.text},
    }


def _result(diagnostic: Diagnostic, codes: Sequence[str]) -> dict[str, object]:
    plain = [note.message for note in diagnostic.notes if note.span is None]
    advice = [] if diagnostic.help is None else [diagnostic.help]
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": "\n".join([diagnostic.message, *plain, *advice])},
        "locations": [] if diagnostic.primary is None else [_location(diagnostic.primary)],
    }
    related = [
        {"id": index, "message": {"text": note.message}, **_location(note.span)}
        for index, note in enumerate(diagnostic.notes, start=1)
        if note.span is not None
    ]
    return {**result, "relatedLocations": related} if related else result


def _location(span: Span) -> dict[str, object]:
    start, end = span.start_position, span.end_position
    region = {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(file_name(span))}, "region": region}}


def _uri(name: str) -> str:
    path = PurePath(name)
    if path.is_absolute():
        return path.as_uri()
    return quote(path.as_posix())
