"""Diagnostics as GitHub workflow commands: annotations on the lines of a pull request.

Each diagnostic is one line, `::error file=main.pp,line=3,col=1,endLine=3,endColumn=4,title=PCL0101::message`.
"""

from __future__ import annotations

from collections.abc import Iterable

from pclgen.diagnostics.cells import visible
from pclgen.diagnostics.machine import file_name
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.source.text import Span

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command per line; nothing for no diagnostics."""
    return "".join(_command(diagnostic) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties = {**_place(diagnostic.primary), "title": diagnostic.code}
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(_message(diagnostic))}"


def _place(span: Span | None) -> dict[str, str]:
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
