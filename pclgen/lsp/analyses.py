"""The analyses of open programs: each version of a program is bound at most once.

A program is bound again when one of its files changes; unchanged files are not parsed again, and schemas are read once. An
edit inside of one item is a draft at first (`lsp.drafts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from pclgen.bind.reading import read_sources
from pclgen.choices import Strictness
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.drafts import Draft, draft_of
from pclgen.lsp.features.completion import Item, complete, complete_between
from pclgen.lsp.features.signatures import Signature, signature_at, signature_between
from pclgen.lsp.features.yamlcompletion import complete_yaml
from pclgen.lsp.positions import Lines
from pclgen.lsp.workspace import Workspace, choices_of, program_of
from pclgen.pipeline import bind_partly
from pclgen.schema.config import Configuration, ConfigurationError
from pclgen.schema.discovery import Settings, Shelf
from pclgen.source.load import LoadError, is_yaml
from pclgen.source.text import SourceFile
from pclgen.syntax import ast

_LARGE = 20_000
"""The size of a program in bytes above which its analysis takes noticeably long."""


class Trees:
    """Parses files, and caches the trees of unchanged texts."""

    def __init__(self) -> None:
        self._trees: dict[str, tuple[str, bool, ast.File, tuple[Diagnostic, ...]]] = {}

    def read(self, files: Sequence[SourceFile], bag: DiagnosticBag, lenient: bool) -> list[ast.File]:
        """Return the trees of the files of one folder."""
        if any(is_yaml(file.name) for file in files):
            return read_sources(files, bag, lenient)
        return [self._tree(file, bag, lenient) for file in sorted(files, key=lambda file: file.name)]

    def diagnostics(self, files: Sequence[str]) -> list[Diagnostic]:
        """Return the diagnostics of the last parse of PCL files, by their names."""
        return [diagnostic for name in files if name in self._trees for diagnostic in self._trees[name][3]]

    def _tree(self, file: SourceFile, bag: DiagnosticBag, lenient: bool) -> ast.File:
        parsed = self._trees.get(file.name)
        if parsed is None or parsed[:2] != (file.text, lenient):
            file_bag = DiagnosticBag()
            [tree] = read_sources([file], file_bag, lenient)
            parsed = self._trees[file.name] = (file.text, lenient, tree, tuple(file_bag))
        bag.extend(parsed[3])
        return parsed[2]


class Problem(Struct, frozen=True, kw_only=True):
    """The reason why a program cannot be analyzed at all."""

    message: str
    hint: str | None = None


class Analyses:
    """The analyses of the programs of a workspace."""

    def __init__(self, workspace: Workspace, settings: Settings, environment: Mapping[str, str]) -> None:
        self.workspace = workspace
        self._settings = settings
        self._environment = environment
        self._shelf = Shelf(settings, environment)
        self._trees = Trees()
        self._analyses: dict[Path, Analysis | Problem] = {}
        self._bases: dict[Path, Analysis] = {}
        """By program, the last analysis of a text whose items can be rebound."""
        self._drafts: dict[Path, Draft | None] = {}
        self._lines: dict[Path, Lines] = {}

    def of(self, path: Path) -> Analysis | Problem | None:
        """Return the analysis of a file's program; None if the file belongs to no program."""
        program = self.program(path)
        if isinstance(program, Problem) or program is None:
            return program
        return self.of_program(program)

    def of_program(self, program: Path) -> Analysis | Problem:
        """Return the analysis of the program at a path."""
        if program not in self._analyses:
            self._analyses[program] = self._analyze(program)
        return self._analyses[program]

    @property
    def is_behind(self) -> bool:
        """Whether a large program has changed since its last analysis."""
        return any(program not in self._analyses and is_large(base) for program, base in self._bases.items())

    def draft(self, program: Path) -> Draft | None:
        """Return the edit since the last analysis of a program; None without an edit, or if it needs a new analysis."""
        base = self._bases.get(program)
        if program in self._analyses or base is None:
            return None
        if program not in self._drafts:
            try:
                self._drafts[program] = draft_of(base, self.workspace.load(program))
            except LoadError:
                return None
        return self._drafts[program]

    def diagnostics(self, program: Path) -> Sequence[Diagnostic] | Problem:
        """Return the diagnostics of the program at a path."""
        draft = self.draft(program)
        quick = draft.diagnostics if draft is not None else None
        if draft is not None and quick is not None:
            return quick
        analysis = self.of_program(program)
        return analysis if isinstance(analysis, Problem) else analysis.diagnostics

    def files(self, program: Path) -> frozenset[str]:
        """Return the names of all files that the last analysis of a program read; none if the analysis is impossible."""
        base = self._bases.get(program) if program not in self._analyses else None
        analysis = base or self.of_program(program)
        return analysis.bound.files if isinstance(analysis, Analysis) else frozenset()

    def complete(self, path: Path, offset: int) -> list[Item]:
        """Return the completions at an offset of a file."""
        draft = self._draft_at(path, offset)
        if draft is not None:
            return complete_between(draft.analysis, draft.edit.after, draft.edit.window, offset)
        analysis = self.of(path)
        tree = analysis.tree(path) if isinstance(analysis, Analysis) else None
        if not isinstance(analysis, Analysis) or tree is None:
            return []
        return (complete_yaml if is_yaml(tree.source.name) else complete)(analysis, tree, min(offset, len(tree.source.text)))

    def signature(self, path: Path, offset: int) -> Signature | None:
        """Return the signature of the call around an offset of a file in PCL."""
        draft = self._draft_at(path, offset)
        if draft is not None:
            return signature_between(draft.edit.after, draft.edit.window, offset)
        analysis = self.of(path)
        tree = analysis.tree(path) if isinstance(analysis, Analysis) else None
        return None if tree is None or is_yaml(tree.source.name) else signature_at(tree, offset)

    def _draft_at(self, path: Path, offset: int) -> Draft | None:
        """Return the draft of a file's program if its edit is around an offset."""
        program = self.program(path)
        draft = self.draft(program) if isinstance(program, Path) else None
        is_around = draft is not None and draft.edit.after.name == path.as_posix() and draft.edit.holds(offset)
        return draft if is_around else None

    def program(self, path: Path) -> Path | Problem | None:
        """Return the program of a file; None for a project file without its own program."""
        if self.workspace.is_only_project(path):
            return None
        try:
            return program_of(path, self._configuration(path.parent))
        except ConfigurationError as error:
            return Problem(message=str(error), hint=error.hint)

    def lines(self, path: Path) -> Lines | None:
        """Return the lines of a file's text."""
        text = self.workspace.text(path)
        if text is None:
            return None
        lines = self._lines.get(path)
        if lines is None or lines.text != text:
            lines = self._lines[path] = Lines(text)
        return lines

    def changed(self, path: Path) -> None:
        """Discard results of a document whose text has changed."""
        name = path.as_posix()
        self._drafts = {}
        self._bases = {
            program: base for program, base in self._bases.items() if name in base.files or name not in base.bound.files
        }
        self._analyses = {
            program: analysis
            for program, analysis in self._analyses.items()
            if isinstance(analysis, Analysis)
            and name not in analysis.bound.files
            and path.parent != analysis.sources.root
            and program != path
        }

    def reload(self) -> None:
        """Discard everything: files on disk, configuration or schemas have changed."""
        self._shelf = Shelf(self._settings, self._environment)
        self._analyses = {}
        self._bases = {}
        self._drafts = {}
        self._lines = {}

    def _configuration(self, folder: Path) -> Configuration:
        return self._shelf.project(folder).configuration

    def _analyze(self, program: Path) -> Analysis | Problem:
        try:
            sources = self.workspace.load(program)
            choices = choices_of(program, self._configuration(sources.surroundings))
            store = self._shelf.of(sources.surroundings)
        except (LoadError, ConfigurationError) as error:
            return Problem(message=str(error), hint=error.hint)
        lenient = choices.strictness is Strictness.LENIENT
        bound = bind_partly(sources, store, lenient=lenient, read=self._trees.read)
        syntax = self._trees.diagnostics([tree.source.name for tree in bound.trees])
        analysis = Analysis(sources=sources, store=store, bound=bound, choices=choices, syntax=syntax)
        if bound.binding is not None:
            self._bases[program] = analysis
        return analysis


def is_large(analysis: Analysis) -> bool:
    """Return whether the analysis of a program takes noticeably long."""
    return sum(len(file.data) for file in analysis.sources.files) > _LARGE
