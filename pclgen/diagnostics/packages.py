"""Diagnostics about packages, their schemas and the names in them: PCL0301 to PCL0349.

The caller computes suggestions (`TokenIndex.nearest`), since it knows how names of a package are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pclgen.diagnostics.model import Diagnostic, Severity, error, note, softened, warning
from pclgen.diagnostics.suggest import suggestion
from pclgen.source.text import Span

_SHOWN = 8
MISTAKES_IN_MEMBER: Final = "PCL0314"
_MOST_REASONS = 3


def malformed_token(text: str, reason: str, span: Span, *, hint: str | None = None) -> Diagnostic:
    """`resource x "bucket" {}`: PCL0301; `hint` is the correct spelling, if the caller knows it."""
    return error(
        "PCL0301",
        f"malformed type token `{text}`: expected `package:module:Member`",
        span,
        reason,
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
        reason = f"`packages` of the project file gets it from `{origin}`, which only the Pulumi CLI reads"
        adding = f"pclgen schema add {name} --from {name}.json"
        help_: str | None = f"run `pulumi package get-schema {origin} > {name}.json`, then `{adding}`"
    else:
        reason = f"searched {_listed(tried)}" if tried else "no schema directory is configured"
        help_ = suggestion(name, packages, getting(name, None, commands))
    message = f"no schema of package `{name}` was found"
    failure = error("PCL0302", message, span, "unknown package", notes=[note(reason)], help=help_)
    return softened(failure, severity is Severity.WARNING)


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
    message = f"no schema of version {version} of package `{name}` was found"
    notes = [note(f"found {_listed([v or 'one without a version' for v in versions[::-1]])}")]
    help_ = f"use an available version, or {getting(name, version, commands)}"
    failure = error("PCL0303", message, span, "unknown version", notes=notes, help=help_)
    return softened(failure, severity is Severity.WARNING)


def unusable_schema(name: str, where: str, reason: str, span: Span | None, *, remedy: str | None = None) -> Diagnostic:
    """The schema of a package exists but cannot be used: PCL0304."""
    return error(
        "PCL0304",
        f"invalid schema of package `{name}`",
        span,
        "needs this schema",
        notes=[note(f"{where}: {reason}")],
        help=remedy or "replace the file with the output of `pulumi package get-schema`",
    )


def bad_schema_member(token: str, path: str, reason: str, span: Span | None) -> Diagnostic:
    """The schema is readable, but its definition of `token` is invalid: PCL0305. `path` is the place in the schema."""
    return error(
        "PCL0305",
        f"invalid schema of `{token}`",
        span,
        "unusable",
        notes=[note(f"{path}: {reason}")],
        help="try another version of the package: the error is in the package, not in your program",
    )


def missing_dependency(token: str, name: str, version: str, span: Span | None) -> Diagnostic:
    """`token` has a property whose type is declared by a package without a schema: PCL0306."""
    label = f"{name} {version}" if version else name
    message = f"`{token}` needs the schema of package `{name}`, which was not found"
    return error("PCL0306", message, span, f"uses types of `{label}`", help=getting(name, version, ()))


def mistakes_in_member(token: str, package: str, reasons: Sequence[str], span: Span, *, where: str) -> Diagnostic:
    """A program uses a member of a schema that has mistakes, so that some parts of it are not checked: PCL0314."""
    notes = [note(reason) for reason in reasons[:_MOST_REASONS]]
    if len(reasons) > _MOST_REASONS:
        notes.append(note(f"and {len(reasons) - _MOST_REASONS} more"))
    return warning(
        MISTAKES_IN_MEMBER,
        f"the schema of package `{package}` has {'an error' if len(reasons) == 1 else 'errors'} in `{token}`",
        span,
        "cannot be checked completely",
        notes=notes,
        help=f"run `pclgen schema check {where}` to list all errors of the schema",
    )


def unknown_resource(token: str, package: str, span: Span, *, similar: str | None) -> Diagnostic:
    """The package has no such resource type: PCL0307."""
    message = f"package `{package}` has no resource type `{token}`"
    return error("PCL0307", message, span, "unknown resource type", help=_similar_or_list(similar, package))


def unknown_function(token: str, package: str, span: Span, *, similar: str | None) -> Diagnostic:
    """The package has no such function: PCL0308."""
    message = f"package `{package}` has no function `{token}`"
    return error("PCL0308", message, span, "unknown function", help=_similar_or_list(similar, package))


def unknown_method(name: str, resource: str, span: Span, *, methods: Sequence[str]) -> Diagnostic:
    """`call(server, "reboot", {})` on a resource without such a method: PCL0309."""
    notes = [note(f"its methods are {_listed(methods)}" if methods else "the resource type has no methods")]
    message = f"resource type `{resource}` has no method `{name}`"
    return error("PCL0309", message, span, "unknown method", notes=notes, help=suggestion(name, methods))


def not_readable(kind: str, span: Span) -> Diagnostic:
    """`read` of a provider or component: PCL0310; `kind` is one of these words."""
    help_ = f"declare the {kind} with `resource`"
    return error("PCL0310", f"`read` cannot look up a {kind}", span, "not a cloud resource", help=help_)


def method_invoked(token: str, name: str, span: Span) -> Diagnostic:
    """`invoke` of a method: PCL0311. `name` is the name of the method."""
    help_ = f'write `call(resource, "{name}", {{ … }})`'
    return error("PCL0311", f"`{token}` is a method of a resource", span, "not a function", help=help_)


def former_name(token: str, current: str, span: Span) -> Diagnostic:
    """A resource type under a former name: PCL0312, a warning."""
    message = f"`{token}` has been renamed to `{current}`"
    return warning("PCL0312", message, span, "former name", help=f"write `{current}`")


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
    return error(
        "PCL0313",
        f"failed to get the schema of package `{name}`",
        span,
        "needs this schema",
        notes=[note(f"{where}: {reason}"), *(note(f"output: {line}") for line in printed)],
        help=remedy or f"put the schema into a schema directory as `{name}-<version>.json`",
    )


def getting(name: str, version: str | None, commands: Sequence[str]) -> str:
    """Return how to get a missing schema: by `commands` of the searched sources, and by hand."""
    label = f"{name}@{version}" if version else name
    ways = [*commands, f"pclgen schema add {label} --from FILE"]
    return f"run {' or '.join(f'`{way}`' for way in ways)} to get the schema"


def _similar_or_list(similar: str | None, package: str) -> str:
    return f"did you mean `{similar}`?" if similar is not None else f"run `pclgen schema show {package}` to list its members"


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
