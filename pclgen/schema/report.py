"""Diagnostics for the errors in `errors`."""

from __future__ import annotations

from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.diagnostics.packages import (
    bad_schema_member,
    missing_dependency,
    schema_source_failed,
    unknown_package,
    unknown_package_version,
    unusable_schema,
)
from pclgen.schema.errors import BadSchema, Fault, NotFound, SchemaError
from pclgen.source.text import Span


def report_missing(answer: NotFound | BadSchema, span: Span, *, severity: Severity = Severity.ERROR) -> Diagnostic:
    """Return the diagnostic for a package that `SchemaStore.find` does not return.

    `severity` applies to missing packages (a warning in lenient mode); an invalid file is always an error.
    """
    if isinstance(answer, BadSchema):
        if answer.fault is Fault.SOURCE:
            return schema_source_failed(
                answer.name, answer.where, answer.reason, span, printed=answer.printed, remedy=answer.help
            )
        return unusable_schema(answer.name, answer.where, answer.reason, span, remedy=answer.help)
    if answer.version is not None and answer.versions:
        return unknown_package_version(
            answer.name, answer.version, answer.versions, span, commands=answer.commands, severity=severity
        )
    return unknown_package(
        answer.name,
        span,
        packages=answer.names,
        tried=answer.tried,
        commands=answer.commands,
        origin=answer.origin,
        severity=severity,
    )


def report_error(error: SchemaError, token: str, span: Span | None) -> Diagnostic:
    """Return the diagnostic for an invalid member; `token` is the resource type or function that requires it."""
    if error.missing is not None:
        return missing_dependency(token, *error.missing, span)
    return bad_schema_member(token, error.path, error.reason, span)
