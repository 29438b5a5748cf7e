"""Diagnostics about packages, their schemas and the names in them: PCL0301 to PCL0349.

The caller computes suggestions (`TokenIndex.nearest`), since it knows how names of a package are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span

_SHOWN = 8
MISTAKES_IN_MEMBER: Final = "PCL0314"
_MOST_REASONS = 3


def malformed_token(text: str, reason: str, span: Span, *, hint: str | None = None) -> Diagnostic:
    """`resource x "bucket" {}`: PCL0301; `hint` is the correct spelling, if the caller knows it."""
    return Diagnostic(
        code="PCL0301",
        severity=Severity.ERROR,
        message=f"malformed type token `{text}`: expected `package:module:Member`",
        primary=span,
        label=reason,
        help=hint or "write `package:module:Member`, or `package:Member` for a member of the package itself",
    )


def unknown_package(
    name: str,
    span: Span,
    *,
    packages: Sequence[str],
    tried: Sequence[str],
    commands: Sequence[str] = (),
    origin: str = "",
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    """No schema has this name: PCL0302, a warning in lenient mode. `tried` are the searched places, `commands` get the
    schema. `origin`, if set, holds the arguments with which `pulumi package get-schema` writes it."""
    if origin:
        note = f"`packages` of the project file gets it from `{origin}`, which only the Pulumi CLI reads"
        file = f"{name}.json"
        help_ = f"run `pulumi package get-schema {origin} > {file}`, then `pclgen schema add {name} --from {file}`"
    else:
        note = f"searched {_listed(tried)}" if tried else "no schema directory is configured"
        help_ = _did_you_mean(suggest(name, packages)) or getting(name, None, commands)
    return Diagnostic(
        code="PCL0302",
        severity=severity,
        message=f"no schema of package `{name}` was found",
        primary=span,
        label="unknown package",
        notes=(Note(message=note),),
        help=help_,
    )


def unknown_package_version(
    name: str,
    version: str,
    versions: Sequence[str],
    span: Span,
    *,
    commands: Sequence[str] = (),
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    """The package is known, but not in this version: PCL0303. `versions` are the available versions, lowest first;
    `commands` as for `unknown_package`."""
    return Diagnostic(
        code="PCL0303",
        severity=severity,
        message=f"no schema of version {version} of package `{name}` was found",
        primary=span,
        label="unknown version",
        notes=(Note(message=f"found {_listed([v or 'one without a version' for v in versions[::-1]])}"),),
        help=f"use an available version, or {getting(name, version, commands)}",
    )


def unusable_schema(
    name: str,
    where: str,
    reason: str,
    span: Span | None,
    *,
    remedy: str | None = None,
) -> Diagnostic:
    """The schema of a package exists but cannot be used: PCL0304."""
    return Diagnostic(
        code="PCL0304",
        severity=Severity.ERROR,
        message=f"invalid schema of package `{name}`",
        primary=span,
        label="needs this schema",
        notes=(Note(message=f"{where}: {reason}"),),
        help=remedy or "replace the file with the output of `pulumi package get-schema`",
    )


def bad_schema_member(token: str, path: str, reason: str, span: Span | None) -> Diagnostic:
    """The schema is readable, but its definition of `token` is invalid: PCL0305. `path` is the place in the schema."""
    return Diagnostic(
        code="PCL0305",
        severity=Severity.ERROR,
        message=f"invalid schema of `{token}`",
        primary=span,
        label="unusable",
        notes=(Note(message=f"{path}: {reason}"),),
        help="try another version of the package: the error is in the package, not in your program",
    )


def missing_dependency(token: str, name: str, version: str, span: Span | None) -> Diagnostic:
    """`token` has a property whose type is declared by a package without a schema: PCL0306."""
    label = f"{name} {version}" if version else name
    return Diagnostic(
        code="PCL0306",
        severity=Severity.ERROR,
        message=f"`{token}` needs the schema of package `{name}`, which was not found",
        primary=span,
        label=f"uses types of `{label}`",
        help=getting(name, version, ()),
    )


def mistakes_in_member(token: str, package: str, reasons: Sequence[str], span: Span, *, where: str) -> Diagnostic:
    """A program uses a member of a schema that has mistakes, so that some parts of it are not checked: PCL0314."""
    notes = [Note(message=reason) for reason in reasons[:_MOST_REASONS]]
    if len(reasons) > _MOST_REASONS:
        notes.append(Note(message=f"and {len(reasons) - _MOST_REASONS} more"))
    return Diagnostic(
        code=MISTAKES_IN_MEMBER,
        severity=Severity.WARNING,
        message=f"the schema of package `{package}` has {'an error' if len(reasons) == 1 else 'errors'} in `{token}`",
        primary=span,
        label="cannot be checked completely",
        notes=tuple(notes),
        help=f"run `pclgen schema check {where}` to list all errors of the schema",
    )


def unknown_resource(token: str, package: str, span: Span, *, similar: str | None) -> Diagnostic:
    """The package has no such resource type: PCL0307."""
    return Diagnostic(
        code="PCL0307",
        severity=Severity.ERROR,
        message=f"package `{package}` has no resource type `{token}`",
        primary=span,
        label="unknown resource type",
        help=_did_you_mean(similar) or f"run `pclgen schema show {package}` to list its members",
    )


def unknown_function(token: str, package: str, span: Span, *, similar: str | None) -> Diagnostic:
    """The package has no such function: PCL0308."""
    return Diagnostic(
        code="PCL0308",
        severity=Severity.ERROR,
        message=f"package `{package}` has no function `{token}`",
        primary=span,
        label="unknown function",
        help=_did_you_mean(similar) or f"run `pclgen schema show {package}` to list its members",
    )


def unknown_method(name: str, resource: str, span: Span, *, methods: Sequence[str]) -> Diagnostic:
    """`call(server, "reboot", {})` on a resource without such a method: PCL0309."""
    note = f"its methods are {_listed(methods)}" if methods else "the resource type has no methods"
    return Diagnostic(
        code="PCL0309",
        severity=Severity.ERROR,
        message=f"resource type `{resource}` has no method `{name}`",
        primary=span,
        label="unknown method",
        notes=(Note(message=note),),
        help=_did_you_mean(suggest(name, methods)),
    )


def not_readable(kind: str, span: Span) -> Diagnostic:
    """`read` of a provider or component: PCL0310; `kind` is one of these words."""
    return Diagnostic(
        code="PCL0310",
        severity=Severity.ERROR,
        message=f"`read` cannot look up a {kind}",
        primary=span,
        label="not a cloud resource",
        help=f"declare the {kind} with `resource`",
    )


def method_invoked(token: str, name: str, span: Span) -> Diagnostic:
    """`invoke` of a method: PCL0311. `name` is the name of the method."""
    return Diagnostic(
        code="PCL0311",
        severity=Severity.ERROR,
        message=f"`{token}` is a method of a resource",
        primary=span,
        label="not a function",
        help=f'write `call(resource, "{name}", {{ … }})`',
    )


def former_name(token: str, current: str, span: Span) -> Diagnostic:
    """A resource type under a former name: PCL0312, a warning."""
    return Diagnostic(
        code="PCL0312",
        severity=Severity.WARNING,
        message=f"`{token}` has been renamed to `{current}`",
        primary=span,
        label="former name",
        help=f"write `{current}`",
    )


def schema_source_failed(
    name: str,
    where: str,
    reason: str,
    span: Span | None,
    *,
    printed: Sequence[str] = (),
    remedy: str | None = None,
) -> Diagnostic:
    """A plugin or service fails to return its schema: PCL0313. `printed` are its last lines of output."""
    lines = [Note(message=f"output: {line}") for line in printed]
    by_hand = f"put the schema into a schema directory as `{name}-<version>.json`"
    return Diagnostic(
        code="PCL0313",
        severity=Severity.ERROR,
        message=f"failed to get the schema of package `{name}`",
        primary=span,
        label="needs this schema",
        notes=(Note(message=f"{where}: {reason}"), *lines),
        help=remedy or by_hand,
    )


def getting(name: str, version: str | None, commands: Sequence[str]) -> str:
    """Return how to get a missing schema: by `commands` of the searched sources, and by hand."""
    label = f"{name}@{version}" if version else name
    ways = [*commands, f"pclgen schema add {label} --from FILE"]
    return f"run {' or '.join(f'`{way}`' for way in ways)} to get the schema"


def _did_you_mean(similar: str | None) -> str | None:
    return f"did you mean `{similar}`?" if similar is not None else None


def _place(text: str) -> str:
    """A place in quotes, unless it is described in words; a comment in parentheses stays outside."""
    where, bracket, remark = text.partition(" (")
    return text if text.startswith("the ") else f"`{where}`{bracket}{remark}"


def _listed(items: Sequence[str]) -> str:
    shown = [_place(item) for item in items[:_SHOWN]]
    rest = len(items) - len(shown)
    if rest:
        shown.append(f"{rest} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
