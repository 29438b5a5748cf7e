"""A session with an editor: it takes documents and returns pclgen's own records, independent of the protocol.

Methods never fail on invalid requests of an editor; they return None or an empty result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Fix, has_errors
from pclgen.languages import LANGUAGE_NAMES
from pclgen.lsp.analyses import Analyses, Problem
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.features.diagnostics import Mark, fixes, marks
from pclgen.lsp.features.places import Call, Edit, incoming, outgoing
from pclgen.lsp.features.symbols import Symbol, search
from pclgen.lsp.workspace import CONFIGURATION, Document, Workspace
from pclgen.pipeline import generate_checked
from pclgen.results import GenerateResult
from pclgen.schema.discovery import Settings
from pclgen.source.load import SUFFIX, is_yaml
from pclgen.source.text import SourceFile
from pclgen.sourcemaps import SourceMap
from pclgen.syntax import ast
from pclgen.syntax.format import format_source
from pclgen.syntax.parse import parse_file


class Report(Struct, frozen=True, kw_only=True):
    """The diagnostics of one file; `problem` is the reason if its program cannot be analyzed."""

    path: Path
    marks: tuple[Mark, ...]
    problem: str | None = None


class View(Struct, frozen=True, kw_only=True):
    """A file of an analyzed program."""

    analysis: Analysis
    file: ast.File

    @property
    def is_yaml(self) -> bool:
        """Whether the file is in Pulumi YAML: its tree is in PCL, with spans in the YAML."""
        return is_yaml(self.file.source.name)


class Session:
    """The open documents of one editor."""

    def __init__(self, settings: Settings, environment: Mapping[str, str]) -> None:
        self.workspace: Workspace = Workspace()
        self.analyses: Analyses = Analyses(self.workspace, settings, environment)
        self._reported: dict[Path, dict[Path, tuple[Mark, ...]]] = {}
        self.edits: int = 0
        """The number of times that documents were opened or changed."""

    def open(self, document: Document) -> None:
        """Handle an opened or changed document."""
        self.edits += 1
        self.workspace.open(document)
        self.analyses.changed(document.path)

    def close(self, path: Path) -> None:
        """Handle a closed document."""
        self.workspace.close(path)
        self.analyses.changed(path)

    def saved(self, paths: Sequence[Path]) -> None:
        """Handle changes of files on disk."""
        if any(path.name in CONFIGURATION or path.suffix != SUFFIX for path in paths):
            self.analyses.reload()
        for path in paths:
            self.analyses.changed(path)

    def view(self, path: Path) -> View | None:
        """Return the program around a file, if there is one."""
        analysis = self.analyses.of(path)
        tree = analysis.tree(path) if isinstance(analysis, Analysis) else None
        return View(analysis=analysis, file=tree) if isinstance(analysis, Analysis) and tree is not None else None

    def reports(self) -> list[Report]:
        """Return the diagnostics of all files of open programs; empty lists for files that had diagnostics before."""
        diagnostics: dict[Path, Sequence[Diagnostic]] = {}
        problems: dict[Path, str] = {}
        for path in self.workspace.documents:
            program = self.analyses.program(path)
            result = self.analyses.diagnostics(program) if isinstance(program, Path) else program
            if isinstance(result, Problem):
                problems[path] = result.message if result.hint is None else f"{result.message}\nhelp: {result.hint}"
            elif isinstance(program, Path) and result is not None:
                diagnostics[program] = result
        before = {path for own in self._reported.values() for path in own}
        self._reported = {program: _by_file(own) for program, own in diagnostics.items()}
        paths = before | {path for own in self._reported.values() for path in own} | set(self.workspace.documents)
        return [Report(path=path, marks=self._marks(path), problem=problems.get(path)) for path in sorted(paths)]

    def _marks(self, path: Path) -> tuple[Mark, ...]:
        """Return the diagnostics of all programs that contain a file, each once."""
        unique: dict[tuple[str, int, int, str], Mark] = {}
        for own in self._reported.values():
            for mark in own.get(path, ()):
                unique.setdefault((mark.diagnostic.code, mark.span.start, mark.span.end, mark.message), mark)
        return tuple(unique.values())

    def fixes(self, path: Path, start: int, end: int) -> list[tuple[Diagnostic, Fix]]:
        """Return the quick fixes for diagnostics between two offsets of a file."""
        program = self.analyses.program(path)
        result = self.analyses.diagnostics(program) if isinstance(program, Path) else None
        return [] if result is None or isinstance(result, Problem) else list(fixes(result, path.as_posix(), start, end))

    def search(self, query: str) -> list[Symbol]:
        """Return the declarations of the workspace's programs that match a query."""
        symbols = [symbol for analysis in self._everything() for symbol in search(analysis, query)]
        return symbols[:_MOST_FOUND]

    def callers(self, path: Path) -> list[Call]:
        """Return the programs of the workspace that use the component of a file."""
        return incoming(self._everything(), path.parent)

    def called(self, path: Path) -> list[Call]:
        """Return the components that the program around a file uses."""
        analysis = self.analyses.of(path)
        return outgoing(analysis) if isinstance(analysis, Analysis) else []

    def _everything(self) -> Iterator[Analysis]:
        """Yield the programs that are open or below a folder of the workspace, except those that cannot be analyzed."""
        opened = {program for path in self.workspace.documents if isinstance(program := self.analyses.program(path), Path)}
        for program in sorted(opened.union(self.workspace.programs())):
            analysis = self.analyses.of_program(program)
            if isinstance(analysis, Analysis):
                yield analysis

    def generated(self, path: Path, language: str) -> Generated | None:
        """Return the generated code of the program around a file; None without such a program or language."""
        analysis = self.analyses.of(path)
        name = LANGUAGE_NAMES.get(language)
        return generated(analysis, name) if isinstance(analysis, Analysis) and name is not None else None

    def formatted(self, path: Path) -> str | None:
        """Return the formatted text of a file; None if it does not parse or is not PCL."""
        text = self.workspace.text(path)
        if text is None or path.suffix != SUFFIX:
            return None
        return format_source(SourceFile(path.as_posix(), text), DiagnosticBag())

    def formatted_items(self, path: Path, start: int, end: int) -> Edit | None:
        """Return the edit that formats the items in a range of a file; None if nothing changes or formatting is
        impossible."""
        text = self.workspace.text(path)
        if text is None or path.suffix != SUFFIX:
            return None
        return _format_items(SourceFile(path.as_posix(), text), start, end)


_MOST_FOUND = 1000


def _by_file(diagnostics: Sequence[Diagnostic]) -> dict[Path, tuple[Mark, ...]]:
    marks_by_file: dict[Path, list[Mark]] = {}
    for mark in marks(diagnostics):
        path = Path(mark.span.file.name)
        if path.is_absolute():
            marks_by_file.setdefault(path, []).append(mark)
    return {path: tuple(own) for path, own in marks_by_file.items()}


def _format_items(source: SourceFile, start: int, end: int) -> Edit | None:
    """Return the edit that formats the top-level items in `start:end`, with comments and empty lines between them.

    None if the file has syntax errors, or nothing changes.
    """
    formatted = format_source(source, DiagnosticBag())
    if formatted is None:
        return None
    before = parse_file(source, DiagnosticBag()).body.items
    after = parse_file(SourceFile(source.name, formatted), DiagnosticBag()).body.items
    touched = [at for at, item in enumerate(before) if item.span.start <= end and start <= item.span.end]
    if not touched or len(before) != len(after):
        return None
    first, last = touched[0], touched[-1]
    span = source.span(before[first].span.start, before[last].span.end)
    text = formatted[after[first].span.start : after[last].span.end]
    return Edit(span=span, text=text) if text != span.text else None


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
    if has_errors(analysis.diagnostics):
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
