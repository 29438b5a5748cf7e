"""The analysis of one version of a program in the editor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from pclgen.choices import Choices, Strictness
from pclgen.core.expr import Convert, Expr
from pclgen.core.program import Node, Program
from pclgen.core.walk import expressions_of, symbol_of, walk
from pclgen.diagnostics.levels import with_levels
from pclgen.diagnostics.model import Diagnostic, has_errors
from pclgen.diagnostics.values import missing_file
from pclgen.lsp.names import Names, read_names
from pclgen.pipeline import PartialResult, find_data
from pclgen.schema.errors import SchemaError
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.tokens import Token, parse_token
from pclgen.source.load import LoadedProgram
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.declarations import FunctionDecl, ResourceDecl


class Analysis:
    """One immutable version of a program; expensive properties are computed on demand."""

    def __init__(
        self,
        *,
        sources: LoadedProgram,
        store: SchemaStore,
        bound: PartialResult,
        choices: Choices,
        syntax: Sequence[Diagnostic] = (),
    ) -> None:
        self.sources = sources
        self.store = store
        self.bound = bound
        self.choices = choices
        self.syntax = syntax

    @property
    def program(self) -> Program:
        """The program as far as it could be bound."""
        return self.bound.program

    @property
    def trees(self) -> Sequence[ast.File]:
        """The files of the program's own folder."""
        return self.bound.trees

    @cached_property
    def raw(self) -> tuple[Diagnostic, ...]:
        """The diagnostics with the severities of their codes, including those of `syntax`."""
        diagnostics = list(self.bound.diagnostics)
        if not has_errors(diagnostics):
            diagnostics += missing_files(self.sources, self.program)
        return tuple(diagnostics)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics with the severities from the configuration."""
        return with_levels(self.raw, self.choices.levels)

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
        """The names of the program, resolved."""
        return read_names(self.trees)

    @cached_property
    def expressions(self) -> Mapping[tuple[str, int, int], Expr]:
        """The bound expressions by span; the innermost if there are several."""
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


def missing_files(sources: LoadedProgram, program: Program) -> Iterator[Diagnostic]:
    """Yield warnings about missing files that a program names."""
    for lack in find_data(sources, program).missing:
        yield missing_file(lack.named.path, lack.named.span, lack.reason)
