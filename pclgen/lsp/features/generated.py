"""What a program becomes in a language."""

from __future__ import annotations

from pclgen.lsp.analysis import Analysis
from pclgen.pipeline import generate
from pclgen.records import dataclass
from pclgen.sourcemaps import SourceMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """The files of one language by path; none when the program has errors, which `messages` lists.

    `maps` are the source maps of the files that have one, by path.
    """

    language: str
    files: tuple[tuple[str, str], ...]
    messages: tuple[str, ...]
    maps: tuple[tuple[str, SourceMap], ...]


def generated(analysis: Analysis, language: str) -> Generated:
    """The program's source files in `language`, without the project files around them."""
    result = generate(
        analysis.sources,
        languages=[language],
        lenient=analysis.is_lenient,
        program_only=True,
        copy_files=False,
        store=analysis.store,
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
