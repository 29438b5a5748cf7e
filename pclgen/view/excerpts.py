"""The code of one edited item, before that of the whole program.

The item and its references are a small program (`Excerpts._around`), whose code is soon generated. Other items may decide
the form of its statements, too: so there is an excerpt only where the small program of the item before the edit has exactly
the code that the whole program has for it. Imports, helpers and the code of other items follow with the whole program's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core import program as prog
from pclgen.core.expr import NO_COMMENTS, Ref, Symbol, SymbolKind
from pclgen.core.walk import expressions_of, references, symbol_of
from pclgen.lsp.analyses import Draft
from pclgen.results import GenerateResult
from pclgen.source.text import SourceFile, Span
from pclgen.sourcemaps import SourceMap, SourceMapping

_USE: Final = "used"
_Key: TypeAlias = tuple[SymbolKind, str]


class Piece(Struct, frozen=True, kw_only=True):
    """The code of an item: the text from `start` to `end` of a generated file, with the mappings in it."""

    path: PurePosixPath
    file: SourceFile
    start: int
    end: int
    mappings: Sequence[SourceMapping]

    @property
    def text(self) -> str:
        """The code."""
        return self.file.text[self.start : self.end]


class Excerpt(Struct, frozen=True, kw_only=True):
    """The code of an item `after` an edit, in place of that `before`."""

    before: Piece
    after: Piece


class Excerpts:
    """Excerpts from the generated code of one version of a program."""

    def __init__(self, program: prog.Program, generate: Callable[[prog.Program, str], GenerateResult]) -> None:
        self._program = program
        self._generate = generate

    def of(self, draft: Draft, language: str, maps: Mapping[PurePosixPath, SourceMap]) -> Excerpt | None:
        """Return the new code of the item that a draft edits; `maps` are those of the program's code in the language.

        None if the result is visible only in the whole program.
        """
        rebound = draft.rebound
        if rebound is None or rebound.diagnostics.has_errors or rebound.spans != {draft.edit.item.span}:
            return None
        old = [node for node in self._program.nodes if _is_in(node.span, draft.edit.item.span)]
        if len(old) != 1 or len(rebound.nodes) != 1:
            return None
        whole, before = _piece(maps, old[0].span), self._alone(old[0], language)
        if whole is None or before is None or (before.path, before.text) != (whole.path, whole.text):
            return None
        after = self._alone(_with_comments_of(old[0], rebound.nodes[0]), language)
        return Excerpt(before=whole, after=after) if after is not None and after.path == whole.path else None

    def _alone(self, node: prog.Node, language: str) -> Piece | None:
        """Return the code of a node in its small program."""
        result = self._generate(self._around(node), language)
        return _piece(result.source_maps.get(language, {}), node.span)

    def _around(self, node: prog.Node) -> prog.Program:
        """Return the program of a node, its references, and an output that uses it where the program uses it."""
        needed = {node: node}
        # The first resource declares variables that the code of later resources uses: in Go, of errors.
        first = next((other for other in self._program.nodes if isinstance(other, prog.Resource)), None)
        if first is not None and _key(first) != _key(node):
            needed[first] = _without_body(first)
        pending = list(needed.values())
        while pending:
            for used in _symbols(pending.pop()):
                target = self._nodes.get(used)
                if target is not None and target not in needed:
                    needed[target] = _without_body(target)
                    pending.append(needed[target])
        nodes = [needed.pop(other) for other in self._program.nodes if other in needed]
        nodes += needed.values()
        symbol = symbol_of(node)
        if symbol is not None and _key(node) in self._used:
            nodes.append(_use_of(symbol))
        return replace(self._program, nodes=tuple(nodes), components=_components(nodes), header=(), footer=())

    @cached_property
    def _nodes(self) -> Mapping[Symbol, prog.Node]:
        return {symbol: node for node in self._program.nodes if (symbol := symbol_of(node)) is not None}

    @cached_property
    def _used(self) -> frozenset[_Key | None]:
        symbols = {symbol for node in self._program.nodes for symbol in _symbols(node)}
        return frozenset(_key(node) for node in self._program.nodes if symbol_of(node) in symbols)


def _with_comments_of(old: prog.Node, new: prog.Node) -> prog.Node:
    """Return the edited node with the comments above it, which a draft omits."""
    return replace(new, comments=replace(new.comments, leading=old.comments.leading))


def _key(node: prog.Node) -> _Key | None:
    """Return the key that distinguishes a node, before and after an edit, from others."""
    symbol = symbol_of(node)
    return None if symbol is None else (symbol.kind, symbol.name)


def _symbols(node: prog.Node) -> Iterator[Symbol]:
    for expression in expressions_of(node):
        for symbol, _ in references(expression):
            yield symbol


def _without_body(node: prog.Node) -> prog.Node:
    """Return a node as others see it: its inputs and options do not matter to them."""
    return replace(node, inputs=(), options=()) if isinstance(node, prog.Resource | prog.ComponentUse) else node


def _use_of(symbol: Symbol) -> prog.OutputVariable:
    """Return an output that uses a symbol, behind everything else."""
    span = Span(SourceFile("", ""), 0, 0)
    own = Symbol(name=_USE, kind=SymbolKind.OUTPUT, type=symbol.type, span=span)
    return prog.OutputVariable(
        symbol=own,
        logical_name=_USE,
        type=symbol.type,
        value=Ref(symbol=symbol, type=symbol.type, span=span),
        description="",
        span=span,
        comments=NO_COMMENTS,
    )


def _components(nodes: Sequence[prog.Node]) -> tuple[prog.Component, ...]:
    uses = [node.component for node in nodes if isinstance(node, prog.ComponentUse) and node.component is not None]
    return tuple(dict.fromkeys(uses))


def _is_in(span: Span, outer: Span) -> bool:
    return span.file is outer.file and outer.start <= span.start and span.end <= outer.end


def _piece(maps: Mapping[PurePosixPath, SourceMap], item: Span) -> Piece | None:
    """Return the code of an item; None if it has none, or if it is not in one place."""
    pieces = []
    for path, source_map in maps.items():
        at = [number for number, mapping in enumerate(source_map.mappings) if _is_in(mapping.origin.span, item)]
        if at:
            mappings = source_map.mappings[at[0] : at[-1] + 1]
            start, end = mappings[0].generated.start, max(mapping.generated.end for mapping in mappings)
            pieces.append(Piece(path=path, file=source_map.file, start=start, end=end, mappings=mappings))
            if len(mappings) != len(at):
                return None
    return pieces[0] if len(pieces) == 1 else None
