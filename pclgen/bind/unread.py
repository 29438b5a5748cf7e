"""Names that other files of a directory declare.

If only one file of a program is read, the diagnostic of an unknown name names the adjacent file that declares it.
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


def with_places(diagnostics: Iterable[Diagnostic], files: Sequence[SourceFile]) -> tuple[Diagnostic, ...]:
    """Add the declaring file from `files` and the directory to name to diagnostics of unknown names."""
    places = _declared(files)

    def placed(diagnostic: Diagnostic) -> Diagnostic:
        if diagnostic.code != UNKNOWN_VARIABLE or diagnostic.primary is None or diagnostic.primary.text not in places:
            return diagnostic
        file = places[diagnostic.primary.text].name
        directory = posixpath.dirname(file) or "."
        text = f"`{file}` declares it, and was not read: name the directory `{directory}` to read all of its files"
        return replace(diagnostic, help=text)

    return tuple(placed(diagnostic) for diagnostic in diagnostics)


def _declared(files: Sequence[SourceFile]) -> Mapping[str, SourceFile]:
    """The names that `files` declare, as far as they can be read."""
    places: dict[str, SourceFile] = {}
    for file in files:
        for item in (item for tree in read_sources([file], DiagnosticBag()) for item in tree.body.items):
            name = item.name.text if isinstance(item, ast.Attribute) else item.labels[0].text if item.labels else ""
            places.setdefault(name, file)
    return places
