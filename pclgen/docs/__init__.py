"""Docs: each example of a Markdown file or a package schema in every language, from one source.

    from pclgen import docs

    built = docs.build(["guides", "schema.json"], schemas=["schemas"])
    for path, text in built.files.items():
        path.write_text(text, newline="")

A source is a fence `pcl`, or `yaml` with a program in Pulumi YAML; `docs.markdown` and `docs.regions` define the markers.
These functions write no files. Schemas come only from `schemas` and the paths. Modules are imported on first use.

    docs.build       the new texts of files, and their errors
    docs.build_text  the same for one Markdown text
    docs.check       errors, and missing or stale tabs
    docs.coverage    the level that each snippet reaches in each language
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from pclgen.diagnostics.model import Diagnostic
    from pclgen.docs.covered import Coverage
    from pclgen.docs.work import DocsRequest
    from pclgen.schema.discovery import Settings


class Built(Struct, frozen=True, kw_only=True):
    """The new texts of all files by path, and the errors.

    Tabs of a snippet with errors are unchanged; a file with a broken marker is not among `files`.
    """

    files: Mapping[Path, str]
    diagnostics: tuple[Diagnostic, ...]


class BuiltText(Struct, frozen=True, kw_only=True):
    """The new text (unchanged if a marker is broken), and the errors."""

    text: str
    diagnostics: tuple[Diagnostic, ...]


def build(
    paths: Sequence[str | Path],
    *,
    schemas: Sequence[str | Path] = (),
    languages: Sequence[str] | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Built:
    """Return the files at `paths` with all tabs; `jobs` processes, or workers of `executor`, convert. Raises `LoadError`."""
    from pclgen.docs.work import convert_docs, mistakes, rewritten

    files: dict[Path, str] = {}
    errors: list[Diagnostic] = []
    for file in convert_docs(_request(paths, schemas, languages, jobs), executor=executor):
        errors += mistakes(file)
        if not file.diagnostics:
            files[file.file.path] = rewritten(file)
    return Built(files=files, diagnostics=tuple(errors))


def build_text(
    text: str, *, name: str = "docs.md", schemas: Sequence[str | Path] = (), languages: Sequence[str] | None = None
) -> BuiltText:
    """Return a Markdown text with all tabs; `name` is for diagnostics, and its folder is searched for `docs.toml`. Raises
    `LoadError`."""
    from pclgen.docs.files import docs_of
    from pclgen.docs.work import convert_read, mistakes, rewritten

    (file,) = convert_read([docs_of(Path(name), text)], _request((), schemas, languages, 1))
    return BuiltText(text=text if file.diagnostics else rewritten(file), diagnostics=mistakes(file))


def check(
    paths: Sequence[str | Path],
    *,
    schemas: Sequence[str | Path] = (),
    languages: Sequence[str] | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
) -> tuple[Diagnostic, ...]:
    """Return errors in the files at `paths`, and missing or stale tabs; `jobs` and `executor` as for `build`. Raises
    `LoadError`."""
    from pclgen.docs.work import convert_docs, mistakes, problems

    docs = convert_docs(_request(paths, schemas, languages, jobs), executor=executor)
    outcomes = [(mistakes(file), problems(file)) for file in docs]
    return (*(error for errors, _ in outcomes for error in errors), *(tab for _, stale in outcomes for tab in stale))


def coverage(
    paths: Sequence[str | Path],
    *,
    level: str = "run",
    schemas: Sequence[str | Path] = (),
    languages: Sequence[str] | None = None,
    jobs: int = 1,
) -> Coverage:
    """Return the level that each snippet reaches, up to `level`: `converted`, `formatted`, `compiled` or `run`.

    Raises `LoadError`, `ValueError` for another level, and `OSError` if the scratch folder is unusable.
    """
    from pclgen.docs.covered import LEVELS, CoverageRequest, cover
    from pclgen.docs.work import convert_docs
    from pclgen.schema.discovery import Shelf

    if level not in LEVELS:
        raise ValueError(f"there is no level {level!r}; there are {', '.join(LEVELS)}")
    docs = tuple(convert_docs(_request(paths, schemas, languages, jobs)))
    return cover(docs, CoverageRequest(level=level, shelf=Shelf(_settings(schemas, paths), {}), jobs=jobs))


def _request(
    paths: Sequence[str | Path], schemas: Sequence[str | Path], languages: Sequence[str] | None, jobs: int
) -> DocsRequest:
    from pclgen.build.model import BuildContext
    from pclgen.docs.settings import languages_of
    from pclgen.docs.work import DocsRequest

    chosen = None if languages is None else languages_of(languages, "`languages`")
    context = BuildContext(root=Path(), settings=_settings(schemas, paths))
    return DocsRequest(paths=tuple(map(str, paths)), context=context, languages=chosen, jobs=jobs)


def _settings(schemas: Sequence[str | Path], paths: Sequence[str | Path]) -> Settings:
    from pclgen.docs.files import schema_places
    from pclgen.schema.config import SourceKind
    from pclgen.schema.discovery import Settings

    places = (*(Path(place).absolute() for place in schemas), *schema_places(paths))
    return Settings(schemas=places, sources=(SourceKind.FILES,), isolated=True, no_cache=True)


__all__ = ["Built", "BuiltText", "build", "build_text", "check", "coverage"]
