"""Drafts: edits inside of one item of an analyzed program, answered without an analysis of the new text.

An edit inside of an item does not change the meaning of names in this item, since an item that depends on it cannot be
used there. So completion reads the other items in the last analysis without syntax errors (`DraftAnalysis`). The
diagnostics of the item, and of the items affected by the edit, are those of `bind.rebind`; the others move with the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind.reading import read_sources
from pclgen.bind.rebind import Rebound
from pclgen.core.expr import Expr
from pclgen.core.program import Node
from pclgen.diagnostics.levels import with_levels
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Note, has_errors
from pclgen.diagnostics.values import MISSING_FILE
from pclgen.lsp.analysis import Analysis, missing_files
from pclgen.lsp.names import Names
from pclgen.pipeline import rebind_partly
from pclgen.source.load import SUFFIX, LoadedProgram
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.syntax.lexer import lex

_CHUNK = 4096


class Edit(Struct, frozen=True, kw_only=True):
    """A difference between two texts of a file: `start:end` before is `start:end + shift` after.

    `item` is the enclosing top-level item before the edit; `window` goes from its start to the next item, after the edit.
    """

    before: SourceFile
    after: SourceFile
    start: int
    end: int
    shift: int
    item: ast.Item
    window: tuple[int, int]

    def holds(self, offset: int) -> bool:
        """Return whether an offset of the new text is in the item or in text added to it."""
        item = self.item.span
        return item.start < offset <= item.end + self.shift

    def forward(self, span: Span) -> Span | None:
        """Return a span's position after the edit; None if the edit touches it."""
        if span.file is not self.before:
            return Span(self.after, span.start, span.end) if span.file.name == self.after.name else span
        if span.end < self.start:
            return Span(self.after, span.start, span.end)
        return Span(self.after, span.start + self.shift, span.end + self.shift) if span.start > self.end else None

    def backward(self, span: Span) -> Span | None:
        """Return the position before the edit of a span of the new text; None if the edit touches it."""
        if span.end <= self.start:
            return Span(self.before, span.start, span.end)
        start = span.start - self.shift
        return Span(self.before, start, span.end - self.shift) if start >= self.end else None


def edit_between(tree: ast.File, text: str) -> Edit | None:
    """Return the difference between an analyzed file and its current text; None if it is not inside of one item."""
    old = tree.source.text
    start = _common(old, text)
    end = len(old) - _common(old[start:][::-1], text[start:][::-1])
    items = tree.body.items
    index = bisect_right(items, start, key=lambda item: item.span.start) - 1
    if index < 0 or start == items[index].span.start or end > items[index].span.end:
        return None
    shift = len(text) - len(old)
    last = items[index + 1].span.start + shift if index + 1 < len(items) else len(text)
    return Edit(
        before=tree.source,
        after=SourceFile(tree.source.name, text),
        start=start,
        end=end,
        shift=shift,
        item=items[index],
        window=(items[index].span.start, last),
    )


def _common(first: str, second: str) -> int:
    """The length of the longest common prefix."""
    start, most = 0, min(len(first), len(second))
    while start < most and first[start : start + _CHUNK] == second[start : start + _CHUNK]:
        start += _CHUNK
    lengths = range(1, min(_CHUNK, most - start) + 1)
    return min(start, most) + bisect_left(
        lengths, True, key=lambda length: not second.startswith(first[start : start + length], start)
    )


class DraftAnalysis(Analysis):
    """An analysis for the new text of an item: it has the other items, and the unchanged parts of the item."""

    def __init__(self, base: Analysis, edit: Edit) -> None:
        super().__init__(sources=base.sources, store=base.store, bound=base.bound, choices=base.choices)
        self._base = base
        self._edit = edit

    @property
    def names(self) -> Names:
        """The resolved names, without new names in the item."""
        return self._base.names

    @property
    def nodes(self) -> Mapping[str, Sequence[Node]]:
        """The bound nodes by name, without the node of the item."""
        edited = self._edit.item
        name = edited.name if isinstance(edited, ast.Attribute) else edited.labels[0] if edited.labels else None
        return {**self._base.nodes, name.text: ()} if name is not None else self._base.nodes

    def expression(self, span: Span) -> Expr | None:
        """Return the bound expression exactly at a span of the old text or of the new one."""
        place = span if span.file is self._edit.before else self._edit.backward(span)
        return self._base.expression(place) if place is not None else None


class Draft:
    """A program with an edit inside of one item since `base`, its last analysis without syntax errors."""

    def __init__(self, base: Analysis, sources: LoadedProgram, edit: Edit) -> None:
        self.base = base
        self.sources = sources
        self.edit = edit

    @cached_property
    def analysis(self) -> Analysis:
        """The analysis for positions in the item."""
        return DraftAnalysis(self.base, self.edit)

    @cached_property
    def parsed(self) -> tuple[ast.File, DiagnosticBag] | None:
        """The new tree of the item with its diagnostics; None if a bracket or string of the item may end in another item."""
        (first, last), after = self.edit.window, self.edit.after
        # The padding before the item has as many characters and lines as `after`, so that positions are the same.
        lines, column = after.text.count("\n", 0, first), first - after.text.rfind("\n", 0, first) - 1
        above = " " * (first - lines - column) + "\n" * lines + " " * column
        source = SourceFile(after.name, above + after.text[first:last])
        lexed = lex(source)
        if lexed.diagnostics or lexed.strays or lexed.unbalanced:
            return None
        bag = DiagnosticBag()
        [tree] = read_sources([source], bag, self.base.is_lenient)
        return tree, bag

    @cached_property
    def rebound(self) -> Rebound | None:
        """The rebound item; None if it has syntax errors, or if the whole program must be bound again."""
        if self.parsed is None or self.parsed[1].has_errors:
            return None
        return rebind_partly(self.base.bound, self.edit.item.span, self.parsed[0])

    @cached_property
    def diagnostics(self) -> Sequence[Diagnostic] | None:
        """The diagnostics of the new text; None if they require an analysis."""
        raw = _diagnostics(self)
        return None if raw is None else with_levels(raw, self.base.choices.levels)


def draft_of(base: Analysis, sources: LoadedProgram) -> Draft | None:
    """Return the draft of a PCL program whose current text is `sources`; None if more than one item has changed."""
    before, after = base.sources.files, sources.files
    if [file.name for file in before] != [file.name for file in after]:
        return None
    changed = [new for old, new in zip(before, after, strict=True) if old.data != new.data]
    if len(changed) != 1 or not changed[0].name.endswith(SUFFIX):
        return None
    try:
        text = changed[0].data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    edit = edit_between(base.files[changed[0].name], text)
    return Draft(base, sources, edit) if edit is not None else None


def _diagnostics(draft: Draft) -> Sequence[Diagnostic] | None:
    base, edit = draft.base, draft.edit
    if draft.parsed is None:
        return None
    _, syntax = draft.parsed
    if syntax.has_errors:
        is_alone = len(base.trees) == 1 and not base.syntax
        return _moved(edit, syntax) if is_alone else None
    rebound = draft.rebound
    if rebound is None:
        return None
    bag = DiagnosticBag([*syntax, *rebound.diagnostics])
    parsed = {diagnostic for diagnostic in base.syntax if not _is_in(diagnostic.primary, [edit.item.span])}
    others = [diagnostic for diagnostic in base.raw if diagnostic in parsed or not _is_in(diagnostic.primary, rebound.spans)]
    had, has = has_errors(base.raw), bag.has_errors or has_errors(others)
    if has:
        others = [diagnostic for diagnostic in others if diagnostic.code != MISSING_FILE]
    elif had:
        return None  # missing files are reported only for programs without errors
    else:
        bag.extend(missing_files(draft.sources, replace(base.program, nodes=rebound.nodes, components=())))
    return _moved(edit, [*others, *bag])


def _is_in(place: Span | None, spans: Iterable[Span]) -> bool:
    return place is not None and any(s.file is place.file and s.start <= place.start and place.end <= s.end for s in spans)


def _moved(edit: Edit, diagnostics: Iterable[Diagnostic]) -> Sequence[Diagnostic] | None:
    """Move diagnostics to the new text; None if the edit touches a span of any of them."""
    bag = DiagnosticBag()
    for diagnostic in diagnostics:
        if any(edit.forward(span) is None for span in _spans(diagnostic)):
            return None
        fix = diagnostic.fix
        bag.add(
            replace(
                diagnostic,
                primary=_forward(edit, diagnostic.primary),
                notes=tuple([Note(message=note.message, span=_forward(edit, note.span)) for note in diagnostic.notes]),
                fix=None if fix is None else replace(fix, span=edit.forward(fix.span) or fix.span),
            )
        )
    return bag.sorted()


def _forward(edit: Edit, span: Span | None) -> Span | None:
    return None if span is None else edit.forward(span)


def _spans(diagnostic: Diagnostic) -> Iterator[Span]:
    spans = [diagnostic.primary, *(note.span for note in diagnostic.notes)]
    if diagnostic.fix is not None:
        spans.append(diagnostic.fix.span)
    yield from (span for span in spans if span is not None)
