"""Hints for unknown names that an unread file of the same directory declares.

If pclgen reads a single file of a program, the diagnostic of an unknown name points to the adjacent file that declares it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from pclgen.bind.reading import read_sources
from pclgen.diagnostics.expressions import UNKNOWN_VARIABLE
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.syntax import ast


def unknown_names(diagnostics: Iterable[Diagnostic]) -> frozenset[str]:
    """The undeclared names in the diagnostics."""
    return frozenset(d.primary.text for d in diagnostics if d.code == UNKNOWN_VARIABLE and d.primary is not None)


def with_declaring_files(diagnostics: Iterable[Diagnostic], files: Sequence[SourceFile]) -> tuple[Diagnostic, ...]:
    """Add a help to the diagnostics of unknown names that `files` declare: the declaring file and its directory."""
    declaring = _declared(files)

    def with_help(diagnostic: Diagnostic) -> Diagnostic:
        if diagnostic.code != UNKNOWN_VARIABLE or diagnostic.primary is None or diagnostic.primary.text not in declaring:
            return diagnostic
        file = declaring[diagnostic.primary.text].name
        directory = posixpath.dirname(file) or "."
        text = f"`{file}` declares it, and was not read: name the directory `{directory}` to read all of its files"
        return replace(diagnostic, help=text)

    return tuple(map(with_help, diagnostics))


def _declared(files: Sequence[SourceFile]) -> Mapping[str, SourceFile]:
    """Return the names that the readable items of `files` declare, with the declaring file."""
    declaring: dict[str, SourceFile] = {}
    for file in files:
        for item in (item for tree in read_sources([file], DiagnosticBag()) for item in tree.body.items):
            name = item.name.text if isinstance(item, ast.Attribute) else item.labels[0].text if item.labels else ""
            declaring.setdefault(name, file)
    return declaring
