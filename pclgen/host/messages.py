"""Diagnostics in the form of the protocol.

They are `pulumirpc.codegen.Diagnostic` messages, which the CLI prints as `error: main.pp:1,1-9: summary; detail`.
"""

from __future__ import annotations

from typing import Any

from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.protocol.rpc import Rpc
from pclgen.source.text import Position, SourceFile, Span


def diagnostic_message(rpc: Rpc, diagnostic: Diagnostic) -> Any:
    """Return the message for `diagnostic`, with 1-based lines and columns; the protocol has only errors and warnings."""
    values = rpc.enumeration("pulumirpc.codegen.DiagnosticSeverity")
    severity = "DIAG_ERROR" if diagnostic.severity is Severity.ERROR else "DIAG_WARNING"
    message = rpc.message(
        "pulumirpc.codegen.Diagnostic",
        severity=values[severity],
        summary=f"{diagnostic.message} [{diagnostic.code}]",
        detail=_detail(diagnostic),
    )
    if diagnostic.primary is not None:
        message.subject.CopyFrom(_range(rpc, diagnostic.primary))
    return message


def diagnostic_line(diagnostic: Diagnostic) -> str:
    """Return `diagnostic` as one line, for errors of calls, which are a single sentence."""
    place = f"{diagnostic.primary}: " if diagnostic.primary is not None else ""
    return "; ".join(part for part in (f"{place}{diagnostic.message} [{diagnostic.code}]", _detail(diagnostic)) if part)


def _detail(diagnostic: Diagnostic) -> str:
    notes = [f"{note.span}: {note.message}" if note.span is not None else note.message for note in diagnostic.notes]
    parts = [diagnostic.label, *notes, f"help: {diagnostic.help}" if diagnostic.help else ""]
    return "; ".join(part for part in parts if part)


def _range(rpc: Rpc, span: Span) -> Any:
    return rpc.message(
        "pulumirpc.codegen.Range",
        filename=span.file.name,
        start=_position(rpc, span.file, span.start_position),
        end=_position(rpc, span.file, span.end_position),
    )


def _position(rpc: Rpc, file: SourceFile, position: Position) -> Any:
    at = len(file.text[: position.offset].encode("utf-8", "surrogatepass"))
    return rpc.message("pulumirpc.codegen.Pos", line=position.line, column=position.column, byte=at)
