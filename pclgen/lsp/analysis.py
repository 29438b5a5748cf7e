"""The analysis of one version of a program in the editor, and its names with their declarations.

Names are resolved on the trees of a program by lexical scoping (language.md, Names and scopes). No bound program is needed,
so this also works for programs with errors.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from pclgen.bind.scope import Declarations, Item, ItemKind, declare, is_path_option, range_expression
from pclgen.choices import Choices, Strictness
from pclgen.core.expr import Convert, Expr
from pclgen.core.program import Node, Program
from pclgen.core.walk import expressions_of, symbol_of, walk
from pclgen.diagnostics.expressions import missing_file
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, has_errors, with_levels
from pclgen.pipeline import PartialResult, find_data
from pclgen.schema.errors import SchemaError
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.tokens import Token, parse_token
from pclgen.source.load import LoadedProgram
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.syntax.walk import Tree, children
from pclgen.types.declarations import FunctionDecl, ResourceDecl

# -- analysis ---------------------------------------------------------------------------------------------------------------

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


# -- names ------------------------------------------------------------------------------------------------------------------

_WORD = re.compile(
    r"(?P<text>'(?:[^'\\]|\\.)*'|\\?\"(?:[^\"\\]|\\.)*\")|(?<![\w./-])(?P<word>[^\W\d][\w-]*)(?![\w/-])(?!\s*=)"
)
"""The words of a type label that may be names of types; strings are skipped."""


class DefinitionKind(StrEnum):
    """The kinds of definitions."""

    LOCAL = "local"
    CONFIG = "config"
    RESOURCE = "resource"
    COMPONENT = "component"
    OUTPUT = "output"
    HOOK = "hook"
    TYPE = "type"
    LOOP = "loop variable"
    RANGE = "range"


_KINDS = {
    ItemKind.LOCAL: DefinitionKind.LOCAL,
    ItemKind.CONFIG: DefinitionKind.CONFIG,
    ItemKind.RESOURCE: DefinitionKind.RESOURCE,
    ItemKind.READ: DefinitionKind.RESOURCE,
    ItemKind.COMPONENT: DefinitionKind.COMPONENT,
    ItemKind.OUTPUT: DefinitionKind.OUTPUT,
    ItemKind.HOOK: DefinitionKind.HOOK,
}


class Definition(Struct, frozen=True, kw_only=True, eq=False):
    """A declared name: `span` is the name without quotes, `whole` the declaration, `item` the top-level item."""

    name: str
    kind: DefinitionKind
    span: Span
    whole: Span
    item: ast.Item | None = None


class Occurrence(Struct, frozen=True, kw_only=True, eq=False):
    """An occurrence of a declared name."""

    span: Span
    definition: Definition

    @property
    def is_declaration(self) -> bool:
        """Whether this is the declaration."""
        return self.span == self.definition.span


_Scope: TypeAlias = "Mapping[str, Definition | None]"
"""Names bound inside of an item; None for a name without a declaration."""


class Names(Struct, frozen=True, kw_only=True, eq=False):
    """All names of a program.

    - `definitions`, `outputs`, `types`: the top-level declarations by name.
    - `occurrences`: the occurrences of declared names by file, in source order.
    - `loops`: the loop variables with their scopes, innermost first.
    - `unknown`: the names without a declaration.
    """

    definitions: Mapping[str, Definition]
    outputs: Mapping[str, Definition]
    types: Mapping[str, Definition]
    occurrences: Mapping[SourceFile, Sequence[Occurrence]]
    loops: Sequence[tuple[Definition, Span]]
    unknown: frozenset[str]

    def at(self, file: SourceFile, offset: int) -> Occurrence | None:
        """Return the name at an offset; the offset of its end counts, too."""
        occurrences = self.occurrences.get(file, ())
        index = bisect_right(occurrences, offset, key=lambda occurrence: occurrence.span.start)
        return next((occurrence for occurrence in reversed(occurrences[:index]) if offset <= occurrence.span.end), None)

    def all_of(self, definition: Definition) -> list[Occurrence]:
        """Return all occurrences of a name, its declaration included, in source order."""
        return [item for in_file in self.occurrences.values() for item in in_file if item.definition is definition]

    def top(self) -> Iterator[Definition]:
        """Yield the top-level declarations."""
        yield from self.definitions.values()
        yield from self.outputs.values()
        yield from self.types.values()

    def visible(self, file: SourceFile, offset: int) -> Iterator[Definition]:
        """Yield the declarations in scope at an offset, innermost first."""
        for definition, scope in self.loops:
            if scope.file is file and scope.start <= offset <= scope.end:
                yield definition
        yield from self.definitions.values()
        yield from (output for name, output in self.outputs.items() if name not in self.definitions)


def read_names(trees: Sequence[ast.File]) -> Names:
    """Return the names of a program."""
    return _Reader(trees).read()


class _Reader:
    def __init__(self, trees: Sequence[ast.File]) -> None:
        self.trees = trees
        self.declared: Declarations = declare(trees, DiagnosticBag())
        self.occurrences: list[Occurrence] = []
        self.loops: list[tuple[Definition, Span]] = []
        self.unknown: set[str] = set()
        self.definitions = self.defined(self.declared.definitions)
        self.outputs = self.defined(self.declared.outputs)
        self.types = {
            name: self.declare(name, DefinitionKind.TYPE, block.labels[0].span, block)
            for name, block in self.declared.types.items()
        }

    def read(self) -> Names:
        for tree in self.trees:
            for item in tree.body.items:
                if isinstance(item, ast.Attribute):
                    self.expression(item.value, {})
                else:
                    self.block(item)
        by_file: dict[SourceFile, list[Occurrence]] = {tree.source: [] for tree in self.trees}
        for occurrence in sorted(self.occurrences, key=lambda occurrence: occurrence.span.start):
            by_file.setdefault(occurrence.span.file, []).append(occurrence)
        return Names(
            definitions=self.definitions,
            outputs=self.outputs,
            types=self.types,
            occurrences=by_file,
            loops=tuple(reversed(self.loops)),
            unknown=frozenset(self.unknown),
        )

    def defined(self, items: Mapping[str, Item]) -> dict[str, Definition]:
        definitions: dict[str, Definition] = {}
        for name, item in items.items():
            node = item.block if item.block is not None else item.attribute
            if item.kind in _KINDS and node is not None:
                definitions[name] = self.declare(name, _KINDS[item.kind], item.name_span, node)
        return definitions

    def declare(self, name: str, kind: DefinitionKind, span: Span, item: ast.Item) -> Definition:
        definition = Definition(name=name, kind=kind, span=_bare(span), whole=item.span, item=item)
        self.refer(definition.span, definition)
        return definition

    def refer(self, span: Span, definition: Definition) -> None:
        self.occurrences.append(Occurrence(span=span, definition=definition))

    def block(self, block: ast.Block) -> None:
        for label in block.labels[1:]:
            self.label(label)
        range_value = range_expression(block)
        ranged: _Scope = {} if range_value is None else {"range": self.range_of(block)}
        for item in block.body.items:
            if isinstance(item, ast.Attribute):
                is_command = block.type.text == "hook" and item.name.text == "command"
                self.expression(item.value, {"args": None} if is_command else ranged)
                continue
            outer: _Scope = {} if "range" in self.definitions else ranged
            for option in item.body.items:
                if isinstance(option, ast.Attribute) and not is_path_option(option.name.text):
                    self.expression(option.value, outer)

    def range_of(self, block: ast.Block) -> Definition | None:
        for item in block.body.items:
            for option in item.body.items if isinstance(item, ast.Block) else ():
                if isinstance(option, ast.Attribute) and option.name.text == "range":
                    return Definition(name="range", kind=DefinitionKind.RANGE, span=option.name.span, whole=option.span)
        return None

    def label(self, label: ast.Label) -> None:
        for match in _WORD.finditer(label.span.text):
            definition = self.types.get(match["word"] or "")
            if definition is not None:
                start = label.span.start
                self.refer(Span(label.span.file, start + match.start("word"), start + match.end("word")), definition)

    def expression(self, expression: ast.Expr, scope: _Scope) -> None:
        pending: list[tuple[Tree, _Scope]] = [(expression, scope)]
        while pending:
            node, names = pending.pop()
            if isinstance(node, ast.Variable):
                self.variable(node, names)
            else:
                pending += reversed(list(self.parts(node, names)))

    def variable(self, node: ast.Variable, names: _Scope) -> None:
        if node.name in names:
            definition = names[node.name]
        else:
            definition = self.definitions.get(node.name) or self.outputs.get(node.name)
            if definition is None:
                self.unknown.add(node.name)
        if definition is not None:
            self.refer(node.span, definition)

    def parts(self, node: Tree, names: _Scope) -> Iterator[tuple[Tree, _Scope]]:
        match node:
            case ast.Call():
                for index, argument in enumerate(node.args):
                    is_failure = node.name.text == "recover" and index == 1
                    yield argument, {**names, "error": None} if is_failure else names
            case ast.ForExpr() | ast.TemplateFor():
                yield node.collection, names
                inner = {**names, **self.loop(node)}
                for part in children(node):
                    if part is not node.collection and not isinstance(part, ast.Name):
                        yield part, inner
            case _:
                yield from ((part, names) for part in children(node))

    def loop(self, node: ast.ForExpr | ast.TemplateFor) -> dict[str, Definition]:
        names: dict[str, Definition] = {}
        for name in (node.key, node.value):
            if name is not None:
                names[name.text] = Definition(name=name.text, kind=DefinitionKind.LOOP, span=name.span, whole=node.span)
                self.refer(name.span, names[name.text])
                self.loops.append((names[name.text], node.span))
        return names


def _bare(span: Span) -> Span:
    """Return the span of a label without its quotes."""
    text = span.text
    return Span(span.file, span.start + 1, span.end - 1) if len(text) > 1 and text[0] == text[-1] == '"' else span
