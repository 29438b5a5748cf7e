"""Errors of schemas, as values and one exception, and their diagnostics.

`BadSchema` and `NotFound` are results of the store, `BadSchema` and `Lacking` of a source. `SchemaError` is raised while a
member is read, deep inside of `Declaration.fields`, which cannot return it; `bind` turns it into one diagnostic.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.diagnostics.packages import (
    bad_schema_member,
    missing_dependency,
    schema_source_failed,
    unknown_package,
    unknown_package_version,
    unusable_schema,
)
from pclgen.source.text import Span


class SchemaError(Exception):
    """A member of a schema cannot be used.

    `package` is the package of the schema, `path` the JSON pointer of the error (`#/resources/a:b:C/properties/p`),
    `reason` a text for a diagnostic. `missing` is the (name, version) of a required but missing package; None for other
    errors.
    """

    def __init__(self, *, package: str, path: str, reason: str, missing: tuple[str, str] | None = None) -> None:
        super().__init__(f"{package}: {path}: {reason}")
        self.package = package
        self.path = path
        self.reason = reason
        self.missing = missing


class Fault(StrEnum):
    """The cause of an unusable schema."""

    CONTENT = "content"
    """The content is no schema, or not the required schema."""
    SOURCE = "source"
    """The source has it but could not give it: a plugin that crashes, a service that does not answer in time."""


class BadSchema(Struct, frozen=True, kw_only=True):
    """An existing schema that cannot be used: `reason` explains it, `where` names the schema; `help` is a special fix.

    `printed` are the last output lines of the program that should have provided it.
    """

    name: str
    where: str
    reason: str
    fault: Fault = Fault.CONTENT
    help: str | None = None
    printed: tuple[str, ...] = ()


class Lacking(Struct, frozen=True, kw_only=True):
    """A queried source does not have the package; `reason` adds details to the list of tried sources."""

    reason: str = ""


class NotFound(Struct, frozen=True, kw_only=True):
    """No schema for a request.

    `tried` are the names of the queried sources, in order; `names` are all packages known to them, `versions` the
    existing versions of `name` (lowest first; empty for an unknown package). `commands` would install it. `origin` is
    that of `Requirement`.
    """

    name: str
    version: str | None
    tried: tuple[str, ...]
    names: tuple[str, ...]
    versions: tuple[str, ...]
    commands: tuple[str, ...] = ()
    origin: str = ""


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
