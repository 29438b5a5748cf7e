"""The generated code of a program in one language."""

from __future__ import annotations

from msgspec import Struct

from pclgen.diagnostics.model import Severity
from pclgen.lsp.analysis import Analysis
from pclgen.pipeline import generate_checked
from pclgen.results import GenerateResult
from pclgen.sourcemaps import SourceMap


class Generated(Struct, frozen=True, kw_only=True):
    """The files of one language by path; empty if the program has errors, which `messages` lists.

    `maps` are the source maps by path.
    """

    language: str
    files: tuple[tuple[str, str], ...]
    messages: tuple[str, ...]
    maps: tuple[tuple[str, SourceMap], ...]


def generated(analysis: Analysis, language: str) -> Generated:
    """Return the program's source files in `language`, without project files."""
    if any(item.severity is Severity.ERROR for item in analysis.diagnostics):
        result = GenerateResult(diagnostics=analysis.diagnostics)
    else:
        result = generate_checked(
            analysis.sources,
            analysis.program,
            analysis.diagnostics,
            languages=[language],
            program_only=True,
            copy_files=False,
            style=analysis.choices.style,
            source_maps=True,
        )
    files, maps = result.files.get(language, {}), result.source_maps.get(language, {})
    return Generated(
        language=language,
        files=tuple([(path.as_posix(), files[path]) for path in sorted(files)]),
        messages=tuple([diagnostic.message for diagnostic in result.diagnostics]),
        maps=tuple([(path.as_posix(), maps[path]) for path in sorted(maps)]),
    )
