"""The analyses of open programs: each version of a program is bound at most once.

A program is bound again when one of its files changes; unchanged files are not parsed again, and schemas are read once.

An edit inside of one item is a draft at first, answered without an analysis of the new text. Such an edit does not change
the meaning of names in this item, since an item that depends on it cannot be used there. So completion reads the other
items in the last analysis without syntax errors (`DraftAnalysis`). The diagnostics of the item, and of the items affected by
the edit, are those of `bind.rebind`; the others move with the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind.reading import read_sources
from pclgen.bind.rebind import Rebound
from pclgen.choices import Strictness
from pclgen.core.expr import Expr
from pclgen.core.program import Node
from pclgen.diagnostics.expressions import MISSING_FILE
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Note, has_errors, with_levels
from pclgen.lsp.analysis import Analysis, Names, missing_files
from pclgen.lsp.features.completion import Item, Signature, complete, complete_between, signature_at, signature_between
from pclgen.lsp.features.yamlcompletion import complete_yaml
from pclgen.lsp.workspace import Lines, Workspace, choices_of, program_of
from pclgen.pipeline import bind_partly, rebind_partly
from pclgen.schema.config import Configuration, ConfigurationError
from pclgen.schema.discovery import Settings, Shelf
from pclgen.source.load import SUFFIX, LoadedProgram, LoadError, is_yaml
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.syntax.lexer import lex

# -- analyses ---------------------------------------------------------------------------------------------------------------

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


# -- drafts -----------------------------------------------------------------------------------------------------------------

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
