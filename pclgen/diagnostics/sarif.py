"""Diagnostics as SARIF 2.1.0, for code scanning services.

The document has one run; its rules are the codes that occur, each with the text of its explain page. Columns count Unicode
code points (`columnKind`); relative paths stay relative, percent-encoded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from urllib.parse import quote

from pclgen.diagnostics.machine import file_name
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.source.text import Span
from pclgen.version import VERSION

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
