"""Analyses of open programs: each version of a program is bound once.

A program is bound again when one of its files changes; unchanged files are not parsed again, and schemas are read once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from pclgen.bind.binder import read_files
from pclgen.choices import Choices, Strictness
from pclgen.core.expr import Convert, Expr
from pclgen.core.program import Node, Program
from pclgen.core.walk import expressions_of, symbol_of, walk
from pclgen.diagnostics.files import missing_file
from pclgen.diagnostics.levels import with_levels
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.lsp.names import Names, read_names
from pclgen.lsp.positions import Lines
from pclgen.lsp.workspace import Workspace, choices_of, program_of
from pclgen.pipeline import bind_partly, find_data
from pclgen.schema.config import Configuration, ConfigurationError
from pclgen.schema.discovery import Settings, Shelf
from pclgen.schema.errors import SchemaError
from pclgen.schema.load import FoundPackage, SchemaStore
from pclgen.schema.tokens import Token, parse_token
from pclgen.source.load import LoadedProgram, LoadError, is_yaml
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.types.declarations import FunctionDecl, ResourceDecl


class Analysis:
    """One immutable version of a program; expensive properties are computed on demand."""

    def __init__(
        self,
        *,
        sources: LoadedProgram,
        store: SchemaStore,
        program: Program,
        trees: Sequence[ast.File],
        diagnostics: Sequence[Diagnostic],
        choices: Choices,
        read: frozenset[str],
    ) -> None:
        self.sources = sources
        self.store = store
        self.program = program
        self.trees: tuple[ast.File, ...] = tuple(trees)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        self.choices = choices
        self.read = read

    @property
    def is_lenient(self) -> bool:
        """Whether type mismatches are warnings."""
        return self.choices.strictness is Strictness.LENIENT

    @cached_property
    def files(self) -> Mapping[str, ast.File]:
        """The files of the program's own folder, by name."""
        return {tree.source.name: tree for tree in self.trees}

    @cached_property
    def names(self) -> Names:
        """The meaning of its names."""
        return read_names(self.trees)

    @cached_property
    def expressions(self) -> Mapping[tuple[str, int, int], Expr]:
        """The bound expressions by span; the innermost of several."""
        by_span: dict[tuple[str, int, int], Expr] = {}
        for node in self.program.nodes:
            for root in expressions_of(node):
                for expression in walk(root):
                    if not isinstance(expression, Convert):
                        span = expression.span
                        by_span[span.file.name, span.start, span.end] = expression
        return by_span

    @cached_property
    def nodes(self) -> Mapping[str, Sequence[Node]]:
        """The bound nodes by name."""
        by_name: dict[str, list[Node]] = {}
        for node in self.program.nodes:
            symbol = symbol_of(node)
            if symbol is not None:
                by_name.setdefault(symbol.name, []).append(node)
        return by_name

    def package(self, name: str) -> FoundPackage | None:
        """Return a package available to the program."""
        result = self.store.find(name)
        return result if isinstance(result, FoundPackage) else None

    def resource(self, token: str) -> ResourceDecl | None:
        """Return the resource type of a written token."""
        parsed = parse_token(token)
        package = self.package(parsed.package) if isinstance(parsed, Token) else None
        with suppress(SchemaError):
            return package.resource(parsed) if package is not None and isinstance(parsed, Token) else None
        return None

    def function(self, token: str) -> FunctionDecl | None:
        """Return the function of a written token."""
        parsed = parse_token(token)
        package = self.package(parsed.package) if isinstance(parsed, Token) else None
        with suppress(SchemaError):
            return package.function(parsed) if package is not None and isinstance(parsed, Token) else None
        return None

    def expression(self, span: Span) -> Expr | None:
        """Return the bound expression exactly at `span`."""
        return self.expressions.get((span.file.name, span.start, span.end))

    def tree(self, path: Path) -> ast.File | None:
        """Return the tree of a file."""
        return self.files.get(path.as_posix())


class Trees:
    """Parses files, and caches the trees of unchanged texts."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, bool, ast.File, tuple[Diagnostic, ...]]] = {}

    def read(self, files: Sequence[SourceFile], bag: DiagnosticBag, lenient: bool) -> list[ast.File]:
        """The trees of the files of one folder."""
        if any(is_yaml(file.name) for file in files):
            return read_files(files, bag, lenient)
        return [self._tree(file, bag, lenient) for file in sorted(files, key=lambda file: file.name)]

    def _tree(self, file: SourceFile, bag: DiagnosticBag, lenient: bool) -> ast.File:
        kept = self._kept.get(file.name)
        if kept is None or kept[:2] != (file.text, lenient):
            own = DiagnosticBag()
            [tree] = read_files([file], own, lenient)
            kept = self._kept[file.name] = (file.text, lenient, tree, tuple(own))
        bag.extend(kept[3])
        return kept[2]


class Problem(Struct, frozen=True, kw_only=True):
    """Why a program cannot be analyzed at all."""

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
        self._known: dict[Path, Analysis | Problem] = {}
        self._lines: dict[Path, Lines] = {}

    def of(self, path: Path) -> Analysis | Problem | None:
        """Return the analysis of a file's program; None if it belongs to none."""
        program = self.program(path)
        if isinstance(program, Problem) or program is None:
            return program
        return self.of_program(program)

    def of_program(self, program: Path) -> Analysis | Problem:
        """Return the analysis of the program at a path."""
        if program not in self._known:
            self._known[program] = self._analyse(program)
        return self._known[program]

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
        kept = self._lines.get(path)
        if kept is None or kept.text != text:
            kept = self._lines[path] = Lines(text)
        return kept

    def changed(self, path: Path) -> None:
        """Discard results of a document whose text has changed."""
        name = path.as_posix()
        self._known = {
            program: known
            for program, known in self._known.items()
            if isinstance(known, Analysis)
            and name not in known.read
            and path.parent != known.sources.root
            and program != path
        }

    def reload(self) -> None:
        """Discard everything: files on disk, configuration or schemas have changed."""
        self._shelf = Shelf(self._settings, self._environment)
        self._known = {}
        self._lines = {}

    def _configuration(self, folder: Path) -> Configuration:
        return self._shelf.project(folder).configuration

    def _analyse(self, program: Path) -> Analysis | Problem:
        try:
            sources = self.workspace.load(program)
            choices = choices_of(program, self._configuration(sources.surroundings))
            store = self._shelf.of(sources.surroundings)
        except (LoadError, ConfigurationError) as error:
            return Problem(message=str(error), hint=error.hint)
        lenient = choices.strictness is Strictness.LENIENT
        bound = bind_partly(sources, store, lenient=lenient, read=self._trees.read)
        diagnostics = list(bound.diagnostics)
        if not any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
            missing = find_data(sources, bound.program).missing
            diagnostics += [missing_file(lack.named.path, lack.named.span, lack.reason) for lack in missing]
        return Analysis(
            sources=sources,
            store=store,
            program=bound.program,
            trees=bound.trees,
            diagnostics=with_levels(diagnostics, choices.levels),
            choices=choices,
            read=bound.files,
        )
