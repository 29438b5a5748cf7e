"""Docs: each example of a Markdown file or a package schema in every language, from one source.

    from pclgen import docs

    built = docs.build(["guides", "schema.json"], schemas=["schemas"])
    for path, text in built.files.items():
        path.write_text(text, newline="")

A source is a fence `pcl`, or `yaml` with a program in Pulumi YAML; `docs.markdown` and `docs.regions` tell which markers
there are.  Nothing is written here.  Schemas come from `schemas` and the paths, and from nowhere else.  The modules behind
these functions are imported when one of them is called.

    docs.build       the new texts of files, and what is wrong in them
    docs.build_text  the same for one Markdown text
    docs.check       what is wrong, and which tabs are missing or stale
    docs.coverage    how far each snippet gets in each language
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.records import dataclass

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from pclgen.build.model import BuildContext
    from pclgen.diagnostics.model import Diagnostic
    from pclgen.docs.covered import Coverage
    from pclgen.docs.work import Request
    from pclgen.schema.discovery import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The new texts of all files, by path, and what is wrong: where a snippet is, its tabs are as they were; a file with a
    broken marker is not among `files`."""

    files: Mapping[Path, str]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltText:
    """The new text (the old one when a marker is broken), and what is wrong."""

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
    """The files at `paths` with all tabs; `jobs` processes, or workers of `executor`, convert.  Raises `LoadError`."""
    from pclgen.docs.work import convert_docs, mistakes, rewritten

    files: dict[Path, str] = {}
    found: list[Diagnostic] = []
    for one in convert_docs(_request(paths, schemas, languages, jobs), executor=executor):
        found += mistakes(one)
        if not one.diagnostics:
            files[one.file.path] = rewritten(one)
    return Built(files=files, diagnostics=tuple(found))


def build_text(
    text: str, *, name: str = "docs.md", schemas: Sequence[str | Path] = (), languages: Sequence[str] | None = None
) -> BuiltText:
    """A Markdown text with all tabs; `name` is for diagnostics, and its folder that of `docs.toml`.  Raises `LoadError`."""
    from pclgen.docs.files import docs_of
    from pclgen.docs.work import convert_read, mistakes, rewritten

    (one,) = convert_read([docs_of(Path(name), text)], _request((), schemas, languages, 1))
    return BuiltText(text=text if one.diagnostics else rewritten(one), diagnostics=mistakes(one))


def check(
    paths: Sequence[str | Path],
    *,
    schemas: Sequence[str | Path] = (),
    languages: Sequence[str] | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
) -> tuple[Diagnostic, ...]:
    """What is wrong in the files at `paths`, and which tabs are missing or stale; `jobs` and `executor` as for `build`.
    Raises `LoadError`."""
    from pclgen.docs.work import convert_docs, mistakes, problems

    docs = convert_docs(_request(paths, schemas, languages, jobs), executor=executor)
    told = [(mistakes(one), problems(one)) for one in docs]
    return (*(found for wrong, _ in told for found in wrong), *(found for _, stale in told for found in stale))


def coverage(
    paths: Sequence[str | Path],
    *,
    level: str = "run",
    schemas: Sequence[str | Path] = (),
    languages: Sequence[str] | None = None,
    jobs: int = 1,
) -> Coverage:
    """How far the snippets get: `level` is `converted`, `formatted`, `compiled` or `run`.  Raises `LoadError`, `ValueError`
    for another level, and `OSError` when there is no room to work in."""
    from pclgen.docs.covered import LEVELS, CoverageRequest, cover
    from pclgen.docs.work import convert_docs
    from pclgen.schema.discovery import Shelf

    if level not in LEVELS:
        raise ValueError(f"there is no level {level!r}; there are {', '.join(LEVELS)}")
    docs = tuple(convert_docs(_request(paths, schemas, languages, jobs)))
    return cover(docs, CoverageRequest(level=level, shelf=Shelf(_settings(schemas, paths), {}), jobs=jobs))


def _request(
    paths: Sequence[str | Path], schemas: Sequence[str | Path], languages: Sequence[str] | None, jobs: int
) -> Request:
    from pclgen.docs.settings import languages_of
    from pclgen.docs.work import Request

    chosen = None if languages is None else languages_of(languages, "`languages`")
    return Request(paths=tuple(map(str, paths)), context=_order(schemas, paths), languages=chosen, jobs=jobs)


def _order(schemas: Sequence[str | Path], paths: Sequence[str | Path]) -> BuildContext:
    from pclgen.build.model import BuildContext

    return BuildContext(root=Path(), settings=_settings(schemas, paths))


def _settings(schemas: Sequence[str | Path], paths: Sequence[str | Path]) -> Settings:
    from pclgen.docs.files import schema_places
    from pclgen.schema.config import SourceKind
    from pclgen.schema.discovery import Settings

    places = (*(Path(place).absolute() for place in schemas), *schema_places(paths))
    return Settings(schemas=places, sources=(SourceKind.FILES,), isolated=True, no_cache=True)


__all__ = ["Built", "BuiltText", "build", "build_text", "check", "coverage"]
