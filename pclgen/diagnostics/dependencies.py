"""Diagnostics of component packages, and of packs.

Those of component packages are about requirements in `pclgen.toml` and their use in programs. Their codes are PCL16xx;
`pclgen.deps` reports them.

Those of packs have the codes PCL15xx. They have no place in a program, since packs are not written by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.diagnostics.model import Diagnostic, Note, Suggestion, did_you_mean, error, listing, note
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span, one_line


def bad_entry(message: str, span: Span | None, hint: str | None) -> Diagnostic:
    """PCL1601: a setting about packages is invalid."""
    return error("PCL1601", message, span, help=hint)


def unknown_export(package: str, name: str, exports: Sequence[str], span: Span) -> Diagnostic:
    """PCL1602: a package exports no component of this name. `exports` are spelled as programs write them."""
    notes = [note(f"it exports {listing(exports)}")] if exports else [note("it has no exports")]
    similar = suggest(name, exports)
    hint = f'did you mean "{similar}"?' if similar is not None else None
    return error("PCL1602", f"{package} exports no component `{name}`", span, "named here", notes=notes, help=hint)


def outside_package(package: str, span: Span) -> Diagnostic:
    """PCL1602: a component of a package names a folder outside of the package."""
    return error(
        "PCL1602",
        "the component directory is outside its package",
        span,
        f"in {package}",
        help="use a directory of the package, or an export of a dependency",
    )


def not_locked(message: str, span: Span | None, hint: str) -> Diagnostic:
    """PCL1603: the lock file does not select a package, or the package is not on this machine."""
    return error("PCL1603", message, span, "required here" if span is not None else "", help=hint)


def conflict(name: str, paths: Sequence[tuple[str, Span | None]], versions: Sequence[str], span: Span) -> Diagnostic:
    """PCL1604: no version of a package satisfies all requirements; `paths` are the dependency paths to them."""
    notes = [note(path, place) for path, place in paths]
    notes.append(note(f"available versions: {listing(versions)}"))
    return error(
        "PCL1604",
        f"no version of `{name}` satisfies all requirements",
        span,
        "one requirement comes from here",
        notes=notes,
        help="widen one of these ranges, or use another version of a package that requires it",
    )


def two_places(name: str, paths: Sequence[tuple[str, Span | None]], span: Span) -> Diagnostic:
    """PCL1604: a package is required from two sources, or in a version that the source does not have."""
    return error(
        "PCL1604",
        f"conflicting requirements for `{name}`",
        span,
        "one requirement comes from here",
        notes=[note(path, place) for path, place in paths],
        help="use the same source everywhere, and ranges that include its version: a project has one copy of each package",
    )


def cycle(steps: Sequence[str], span: Span) -> Diagnostic:
    """PCL1605: packages depend on each other in a cycle; `steps` begin and end with the same package."""
    return error(
        "PCL1605",
        f"circular package dependency: {' → '.join(steps)}",
        span,
        "the cycle starts here",
        help="move the shared part into a separate package",
    )


def nothing_found(
    name: str, range_: str, path: str, span: Span, *, versions: Sequence[str], names: Sequence[str], has_indexes: bool
) -> Diagnostic:
    """PCL1606: the package does not exist, or no version satisfies the range; `path` is the dependency path."""
    if versions:
        message = f"no version of `{name}` satisfies `{range_}`"
        notes = [note(path), note(f"available versions: {listing(versions)}")]
        hint: str | Suggestion | None = None
    else:
        message, notes = f"package `{name}` not found", [note(path)]
        hint = "set `indexes` in pclgen.toml, or the `path` or `url` of the package" if not has_indexes else None
        hint = hint or did_you_mean(name, names)
    return error("PCL1606", message, span, "required here", notes=notes, help=hint)


def wrong_digest(message: str, path: str, span: Span | None, hint: str | None) -> Diagnostic:
    """PCL1607: the content at a location has another digest than expected."""
    return error("PCL1607", message, span, "required here" if span is not None else "", notes=_path(path), help=hint)


def unusable(message: str, path: str, span: Span | None, hint: str | None) -> Diagnostic:
    """PCL1608: a package, or an index of packages, cannot be used."""
    return error("PCL1608", message, span, "required here" if span is not None else "", notes=_path(path), help=hint)


def _path(path: str) -> tuple[Note, ...]:
    return (note(path),) if path else ()


def wrong_provider(name: str, version: str, paths: Sequence[tuple[str, Span | None]], span: Span | None) -> Diagnostic:
    """PCL1609: the version of a provider package does not satisfy all manifests; `paths` are dependency paths to them."""
    return error(
        "PCL1609",
        f"version {version} of the provider package `{name}` does not satisfy all requirements",
        span,
        "required here" if span is not None else "",
        notes=[note(path, place) for path, place in paths],
        help=f"set the version in `[packages.{name}]` of pclgen.toml, or in a `package` block",
    )


# -- packs ------------------------------------------------------------------------------------------------------------------

_AGAIN = "create it again from its sources: `pclgen pack PROGRAM`"


def no_pack(name: str, reason: str, pointer: str = "") -> Diagnostic:
    """PCL1501: a file is not a pack, or was changed."""
    where = f" at {one_line(pointer)}" if pointer else ""
    message = f"`{one_line(name)}` is not a valid pack: {one_line(reason)}{where}"
    return error("PCL1501", message, None, help=_AGAIN)


def inconsistent(name: str, reason: str) -> Diagnostic:
    """PCL1501: the parts of a pack are valid by themselves but contradict each other."""
    message = f"`{one_line(name)}` is not a valid pack: its parts contradict each other"
    return error("PCL1501", message, None, notes=[note(one_line(reason))], help=_AGAIN)


def newer_pack(name: str, reason: str) -> Diagnostic:
    """PCL1502: a pack in a format newer than this version of pclgen."""
    message = f"`{one_line(name)}` is a pack of a newer version of pclgen: {one_line(reason)}"
    return error("PCL1502", message, None, help="upgrade pclgen, or create the pack again with this version")
