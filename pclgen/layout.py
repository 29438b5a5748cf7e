"""Documents with possible line breaks, and the printer that chooses among them.

The functions of this module build a `Doc` from texts and other documents, as prettier does: groups, indentation, soft and
hard lines, fills, alternatives, text at the end of a line. The printer puts a group on one line if it fits into the width.

    group("[", indent(SOFTLINE, "a,", LINE, "b"), SOFTLINE, "]")     ->  [a, b]    or, when that is too long,   [
                                                                                                                     a,
                                                                                                                     b
                                                                                                                 ]

Four documents are not prettier's: a text that is measured without the text after it (`Attempt`), indented lines between
brackets (`Body`), a layout chosen by the lines outside of its bodies (`Outlined`), and a table, whose columns are padded
after printing (`Table`).

Building a document also computes whether it contains a forced break (`breaks`) and its text on one line, if that is short
(`short`), so that printing needs one pass. The cost is linear: the test whether a document fits stops at the width. Widths
are in terminal columns (`widths`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from pclgen.widths import text_width


class Concat(Struct, frozen=True):
    """A sequence of documents."""

    parts: tuple[Doc, ...]
    breaks: bool
    short: str | None


class Line(Struct, frozen=True):
    """A possible line break; when flat, a space, or nothing if it is `soft`.

    `hard` lines always break; a `literal` line also starts the next line at column 0, whatever the indentation.
    """

    soft: bool
    hard: bool
    literal: bool
    breaks: bool
    short: str | None


class Indent(Struct, frozen=True):
    """`contents` with lines indented by `columns`; None is one step of the printer's indentation, `TO_ROOT` is column 0."""

    contents: Doc
    columns: int | None
    breaks: bool
    short: str | None


class GroupId:
    """Identity of a group, for documents that depend on how it was printed. `Printed.broken` returns its `label`."""

    __slots__ = ("label",)

    def __init__(self, label: object = None) -> None:
        self.label: object = label


class Group(Struct, frozen=True):
    """`contents` flat if they fit, otherwise with broken lines.

    `states` are alternatives, from the flattest to the most broken: the printer chooses the first that fits, or else the
    last. An ordinary group has none.
    """

    contents: Doc
    id: GroupId | None
    states: tuple[Doc, ...]
    breaks: bool
    short: str | None


class Fill(Struct, frozen=True):
    """Alternating contents and lines; a line breaks only if the next content does not fit."""

    parts: tuple[Doc, ...]
    start: int
    breaks: bool
    short = None


class IfBreak(Struct, frozen=True):
    """One of two documents, depending on how the group `id` (None: the enclosing group) was printed."""

    broken: Doc
    flat: Doc
    id: GroupId | None
    breaks: bool
    short: str | None


class IndentIfBreak(Struct, frozen=True):
    """`contents`, indented if the group `id` was broken."""

    contents: Doc
    id: GroupId
    breaks: bool
    short: str | None


class LineSuffix(Struct, frozen=True):
    """Text deferred to the end of the line: a trailing comment."""

    contents: Doc
    breaks: bool
    short = None


class LineSuffixBoundary(Struct, frozen=True):
    """Ends the line if deferred text waits for its end."""

    breaks = False
    short = ""


class BreakParent(Struct, frozen=True):
    """Breaks the enclosing groups."""

    breaks = True
    short = None


class Attempt(Struct, frozen=True):
    """`text` if it fits into the line, whatever follows it; otherwise the document returned by `broken`.

    So a known text costs one comparison, and its broken layout is built only if needed.
    """

    text: str
    broken: Callable[[], Doc]
    breaks = False
    short = None


class Body(Struct, frozen=True):
    """`contents` on separate lines, indented by one step, and a line break after them."""

    contents: Doc
    breaks = True
    short = None


class OneLine(Struct, frozen=True):
    """`contents`, which must fit on one line for the enclosing `Outlined` to be chosen."""

    contents: Doc
    breaks: bool
    short = None


class Outlined(Struct, frozen=True):
    """`contents` if their outline fits, otherwise the document returned by `broken`.

    The outline consists of the lines outside of every `Body`. The first may have any length, as it continues an existing
    line; the others must fit, and a `OneLine` must stay on its line. Outside of bodies, only texts, lines, indentation,
    attempts and other `Outlined` documents are allowed.
    """

    contents: Doc
    broken: Callable[[], Doc]
    breaks = False
    short = None


class Row(Struct, frozen=True):
    """A line of a `Table`: `mark`, which has no width, then the text `head`, a blank, and `rest`."""

    head: str
    rest: Doc
    mark: str = ""


class Cell(Struct, frozen=True):
    """The head of a printed row: its text, and whether the rest took more than one line."""

    head: str
    tall: bool


Padding: TypeAlias = Callable[[Sequence[Cell | None]], Sequence[int]]
"""Returns the number of blanks to add after the head of each row, so that columns align; None is a line without a head."""


class Table(Struct, frozen=True):
    """Lines whose heads are padded after all rows are printed.

    When the printer fits the rest of a row into its line, it does not count the blanks that `padding` adds.
    """

    rows: tuple[Doc | Row, ...]
    padding: Padding
    breaks = True
    short = None


Doc: TypeAlias = (
    str
    | Concat
    | Line
    | Indent
    | Group
    | Fill
    | IfBreak
    | IndentIfBreak
    | LineSuffix
    | LineSuffixBoundary
    | BreakParent
    | Attempt
    | Body
    | OneLine
    | Outlined
    | Table
)

LINE: Final = Line(False, False, False, False, " ")
SOFTLINE: Final = Line(True, False, False, False, "")
HARDLINE: Final = Line(False, True, False, True, None)
LITERAL_LINE: Final = Line(False, True, True, True, None)
TO_ROOT: Final = -1
_BLANKS: Final = ("", " ", "\t")
_CLOSING_LINE: Final = Line(False, True, False, True, None)
BOUNDARY: Final = LineSuffixBoundary()
BREAK_PARENT: Final = BreakParent()
_SHORT: Final = 160
"""Maximum length of the text of a document that is known before it is printed: longer texts rarely fit into a line."""


def will_break(doc: Doc) -> bool:
    """Return whether `doc` contains a forced break."""
    return not isinstance(doc, str) and doc.breaks


def _short_text(doc: Doc) -> str | None:
    """Return the text of `doc` on one line without deferred text; None if it is long, or depends on other groups."""
    return doc if isinstance(doc, str) else doc.short


def _joined(parts: Iterable[Doc]) -> str | None:
    """Return the short text of a sequence."""
    text = ""
    for part in parts:
        short = part if isinstance(part, str) else part.short
        if short is None or len(text) > _SHORT:
            return None
        text += short
    return text


def concat(*parts: Doc) -> Doc:
    """Return the sequence of `parts`; adjacent texts are joined."""
    if len(parts) == 1:
        return parts[0]
    merged: list[Doc] = []
    breaks = False
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            merged.append(text)
            text = ""
        merged.append(part)
        breaks = breaks or part.breaks
    if text:
        merged.append(text)
    if len(merged) < 2:
        return merged[0] if merged else ""
    return Concat(tuple(merged), breaks, None if breaks else _joined(merged))


def enclose(before: str, doc: Doc, behind: str) -> Doc:
    """Return `doc` with texts of no width at both ends; they are joined to adjacent texts."""
    if isinstance(doc, str):
        return before + doc + behind
    if type(doc) is Concat:
        first, last = doc.parts[0], doc.parts[-1]
        start = (before + first,) if isinstance(first, str) else (before, first)
        end = (last + behind,) if isinstance(last, str) else (last, behind)
        return Concat((*start, *doc.parts[1:-1], *end), doc.breaks, _enclosed(before, doc.short, behind))
    if type(doc) is Group and not doc.states:
        contents = enclose(before, doc.contents, behind)
        return Group(contents, doc.id, (), doc.breaks, _enclosed(before, doc.short, behind))
    if type(doc) is Attempt:
        return Attempt(before + doc.text + behind, lambda: enclose(before, doc.broken(), behind))
    return Concat((before, doc, behind), doc.breaks, _enclosed(before, doc.short, behind))


def _enclosed(before: str, short: str | None, behind: str) -> str | None:
    return None if short is None else before + short + behind


def join(separator: Doc, parts: Iterable[Doc]) -> Doc:
    """Return `parts` with `separator` between them."""
    result: list[Doc] = []
    for part in parts:
        if result:
            result.append(separator)
        result.append(part)
    return concat(*result)


def indent(*parts: Doc) -> Doc:
    """Return `parts` with lines indented by one step."""
    return align(None, *parts)


def align(columns: int | None, *parts: Doc) -> Doc:
    """Return `parts` with lines indented by `columns` (`TO_ROOT`: at column 0; None: by one step)."""
    contents = concat(*parts)
    if isinstance(contents, str):
        return contents
    return Indent(contents, columns, contents.breaks, contents.short)


def group(*parts: Doc, should_break: bool = False, id: GroupId | None = None) -> Doc:  # noqa: A002 - prettier's word
    """Return `parts` on one line if they fit (and contain no forced break); a text has no other layout."""
    contents = concat(*parts)
    if isinstance(contents, str):
        return contents if id is None and not should_break else Group(contents, id, (), should_break, contents)
    breaks = should_break or contents.breaks
    return Group(contents, id, (), breaks, None if breaks else contents.short)


def alternatives(*states: Doc) -> Doc:
    """Return the first of `states` that fits, or the last; a forced break inside does not break enclosing groups."""
    return Group(states[0], None, states, False, _short_text(states[0]))


def fill(parts: Sequence[Doc]) -> Doc:
    """Return alternating contents and lines, with as many contents on a line as fit."""
    return Fill(tuple(parts), 0, any(will_break(part) for part in parts))


def if_break(broken: Doc, flat: Doc = "", id: GroupId | None = None) -> Doc:  # noqa: A002 - prettier's word
    """Return `broken` if the group is broken, otherwise `flat`."""
    return IfBreak(broken, flat, id, will_break(broken) or will_break(flat), _short_text(flat) if id is None else None)


def indent_if_break(contents: Doc, id: GroupId) -> Doc:  # noqa: A002 - prettier's word
    """Return `contents`, indented if the group `id` is broken."""
    if isinstance(contents, str):
        return contents
    return IndentIfBreak(contents, id, contents.breaks, contents.short)


def line_suffix(*parts: Doc) -> Doc:
    """Return `parts` deferred to the end of the line."""
    contents = concat(*parts)
    return LineSuffix(contents, will_break(contents))


def body(*lines: Doc) -> Doc:
    """Return `lines`, indented by one step, for the contents between an opening and a closing text."""
    return Body(join(HARDLINE, lines)) if lines else HARDLINE


def one_line(contents: Doc) -> Doc:
    """Return `contents`, which must stay on one line for the enclosing `Outlined` to be chosen."""
    return contents if isinstance(contents, str) else OneLine(contents, contents.breaks)


def literal_text(text: str) -> Doc:
    """Return `text` unchanged: its line breaks start at column 0."""
    return text if "\n" not in text else join(LITERAL_LINE, text.split("\n"))


class Printed(Struct, frozen=True):
    """The text, and the labels of broken groups with an id, in order."""

    text: str
    broken: tuple[object, ...]


# A command: indentation in columns, whether lines break, the document.
_Command: TypeAlias = tuple[int, bool, Doc]


def print_doc(
    doc: Doc, *, width: int = 80, step: int = 4, level: int = 0, slack: int = 0, tabs: bool = False
) -> Printed:
    """Return `doc` as text of at most `width` columns, if possible.

    `step` is the indentation in spaces, `level` the number of steps by which the text is indented; the first line is not
    indented, but counted as if it were. Lines that begin after a `Body` may be longer by `slack`. With `tabs`, each step is
    written as a tab.
    """
    return _Printer(width, step=step, start=level * step, slack=slack, tabs=tabs).print(doc)


class _Printer:
    """Prints one document."""

    __slots__ = (
        "_broken_labels",
        "_broken_layouts",
        "_chosen",
        "_limit",
        "_lines",
        "_modes",
        "_out",
        "_position",
        "_remeasure",
        "_slack",
        "_start",
        "_starts",
        "_step",
        "_suffixes",
        "_tabs",
        "_width",
    )

    def __init__(self, width: int, *, step: int, start: int, slack: int, tabs: bool) -> None:
        self._width = width
        self._limit = width  # of the current line
        self._slack = slack
        self._step = step
        self._start = start
        self._tabs = tabs
        self._starts: dict[int, str] = {}
        self._out: list[str] = []
        self._position = start
        self._lines = 0
        self._modes: dict[GroupId, bool] = {}
        self._broken_labels: list[object] = []
        self._suffixes: list[_Command] = []
        self._remeasure = False
        # The keys are identities and positions; the values keep the documents alive, so that no identity is reused.
        self._broken_layouts: dict[int, tuple[Attempt | Outlined, Doc]] = {}
        self._chosen: dict[tuple[int, int, int], tuple[Outlined, Doc]] = {}

    def print(self, doc: Doc) -> Printed:
        self._run(self._start, doc)
        while self._suffixes:
            waiting = self._suffixes
            self._suffixes = []
            for columns, broken, suffix in waiting:
                self._run(columns, suffix, broken)
        return Printed("".join(self._out), tuple(self._broken_labels))

    def _run(self, columns: int, doc: Doc, broken: bool = True) -> None:
        stack: list[_Command] = [(columns, broken, doc)]
        out = self._out
        while stack:
            columns, broken, item = stack.pop()
            # Documents have no subclasses (texts may), so comparing their class, here and in `_fits`, is faster.
            if isinstance(item, str):
                out.append(item)
                self._position += len(item) if item.isascii() and item.isprintable() else text_width(item)
            elif type(item) is Concat:
                stack.extend([(columns, broken, part) for part in reversed(item.parts)])
            elif type(item) is Line:
                self._print_line(columns, broken, item, stack)
            elif type(item) is Attempt:
                width = text_width(item.text)
                if self._position + width <= self._limit:
                    out.append(item.text)
                    self._position += width
                else:
                    stack.append((columns, True, self._broken_layout(item)))
            else:
                self._print_command(columns, broken, item, stack)

    def _text(self, text: str, width: int) -> None:
        self._out.append(text)
        self._position += width

    def _print_command(self, columns: int, broken: bool, doc: Doc, stack: list[_Command]) -> None:
        match doc:
            case Group():
                self._print_group(columns, broken, doc, stack)
            case Indent():
                further = self._step if doc.columns is None else doc.columns
                stack.append((0 if further == TO_ROOT else columns + further, broken, doc.contents))
            case Body():
                stack.append((columns, True, _CLOSING_LINE))
                stack.append((columns + self._step, True, doc.contents))
                stack.append((columns + self._step, True, HARDLINE))
            case Outlined():
                stack.append((columns, True, self._outlined(columns, self._position, doc)))
            case OneLine():
                stack.append((columns, broken, doc.contents))
            case Table():
                self._print_table(columns, doc)
            case Fill():
                self._print_fill(columns, broken, doc, stack)
            case IfBreak():
                mode = broken if doc.id is None else self._modes.get(doc.id, False)
                stack.append((columns, broken, doc.broken if mode else doc.flat))
            case IndentIfBreak():
                further = self._step if self._modes.get(doc.id, False) else 0
                stack.append((columns + further, broken, doc.contents))
            case LineSuffix():
                self._suffixes.append((columns, broken, doc.contents))
            case LineSuffixBoundary():
                if self._suffixes:
                    stack.append((columns, broken, HARDLINE))
            case BreakParent():
                pass
            case str() | Concat() | Line() | Attempt():
                raise AssertionError("`_run` prints these itself")
            case _:
                assert_never(doc)

    def _print_line(self, columns: int, broken: bool, line: Line, stack: list[_Command]) -> None:
        if not broken and not line.hard:
            if not line.soft:
                self._out.append(" ")
                self._position += 1
            return
        if not broken:
            self._remeasure = True
        if self._suffixes:
            stack.append((columns, broken, line))
            stack.extend(reversed(self._suffixes))
            self._suffixes.clear()
            return
        self._lines += 1
        self._limit = self._width + self._slack if line is _CLOSING_LINE else self._width
        if line.literal:
            self._out.append("\n")
            self._position = 0
        else:
            if self._out and self._out[-1][-1:] in _BLANKS:
                self._trim()
            start = self._starts.get(columns)
            if start is None:
                blanks = "\t" * (columns // self._step) if self._tabs else " " * columns
                start = self._starts[columns] = "\n" + blanks
            self._out.append(start)
            self._position = columns

    def _trim(self) -> None:
        """Remove the blanks at the end of the line."""
        while self._out:
            last = self._out.pop().rstrip(" \t")
            if last:
                self._out.append(last)
                return

    def _print_table(self, columns: int, table: Table) -> None:
        cells: list[Cell | None] = []
        gaps: list[int] = []
        for index, row in enumerate(table.rows):
            if index and self._suffixes:
                self._run(columns, HARDLINE)
            elif index:
                self._print_line(columns, True, HARDLINE, [])
            if not isinstance(row, Row):
                self._run(columns, row)
                cells.append(None)
                gaps.append(0)
                continue
            self._text(row.mark + row.head, text_width(row.head))
            gaps.append(len(self._out))
            self._text(" ", 1)
            lines = self._lines
            if isinstance(row.rest, str):
                self._text(row.rest, text_width(row.rest))
            else:
                self._run(columns, row.rest)
            cells.append(Cell(row.head, self._lines > lines))
        for gap, blanks in zip(gaps, table.padding(cells), strict=True):
            if blanks:
                self._out[gap] = " " * (blanks + 1)

    def _print_group(self, columns: int, broken: bool, item: Group, stack: list[_Command]) -> None:
        if not broken and not self._remeasure:
            command: _Command = (columns, item.breaks, item.contents)
        else:
            self._remeasure = False
            command = self._choose(columns, item, stack)
        stack.append(command)
        if item.id is not None:
            self._modes[item.id] = command[1]
            if command[1]:
                self._broken_labels.append(item.id.label)

    def _choose(self, columns: int, item: Group, stack: list[_Command]) -> _Command:
        if not item.breaks:
            states = item.states[:-1] or (item.contents,)
            # A trailing line has a width only if text follows it.
            if item.short is not None and not self._suffixes and not item.short.endswith(" "):
                states = (item.short, *states[1:])
            for state in states:
                if self._fits(False, state, stack):
                    return (columns, False, state)
        return (columns, True, item.states[-1] if item.states else item.contents)

    def _print_fill(self, columns: int, broken: bool, item: Fill, stack: list[_Command]) -> None:
        parts, start = item.parts, item.start
        left = len(parts) - start
        if left == 0:
            return
        content = parts[start]
        content_fits = self._fits(False, content, (), flat=True)
        if left > 2:
            stack.append((columns, broken, Fill(parts, start + 2, item.breaks)))
        if left > 1:
            line = parts[start + 1]
            both = content_fits and (
                left == 2 or self._fits(False, concat(content, line, parts[start + 2]), (), flat=True)
            )
            stack.append((columns, not both, line))
        stack.append((columns, not content_fits, content))

    def _broken_layout(self, item: Attempt | Outlined) -> Doc:
        """Return the broken layout of `item`."""
        entry = self._broken_layouts.get(id(item))
        if entry is None:
            entry = self._broken_layouts[id(item)] = item, item.broken()
        return entry[1]

    def _fits(self, broken: bool, doc: Doc, rest: Sequence[_Command], flat: bool = False) -> bool:
        """Return whether `doc` and the text after it, up to the next possible line end, fit into the current line."""
        left = self._width - self._position
        waiting = bool(self._suffixes)
        following = len(rest)
        # Parts of a sequence are visited one by one, so that a long sequence costs no more than the part that fits.
        parts: Iterator[Doc] = iter((doc,))
        mode = broken
        outer: list[tuple[Iterator[Doc], bool]] = []
        pending_space = False
        while left >= 0:
            item = next(parts, None)
            if item is None:
                if outer:
                    parts, mode = outer.pop()
                elif following:
                    following -= 1
                    _, mode, item = rest[following]
                    parts = iter((item,))
                else:
                    return True
            elif isinstance(item, str):
                if item:
                    left -= text_width(item) + pending_space
                    pending_space = False
            elif type(item) is Concat:
                outer.append((parts, mode))
                parts = iter(item.parts)
            elif type(item) is Line:
                if mode or item.hard:
                    return True
                pending_space = pending_space or not item.soft
            elif isinstance(item, Indent | IndentIfBreak | OneLine):
                outer.append((parts, mode))
                parts = iter((item.contents,))
            elif type(item) is Group:
                if flat and item.breaks:
                    return False
                outer.append((parts, mode))
                mode = item.breaks or mode
                parts = iter((item.states[-1] if item.states and mode else item.contents,))
            elif type(item) is IfBreak:
                decided = mode if item.id is None else self._modes.get(item.id, False)
                outer.append((parts, mode))
                parts = iter((item.broken if decided else item.flat,))
            elif type(item) is Fill:
                outer.append((parts, mode))
                parts = map(item.parts.__getitem__, range(item.start, len(item.parts)))
            elif isinstance(item, Attempt | Outlined):
                outer.append((parts, mode))
                parts = iter((item.text if isinstance(item, Attempt) else item.contents,))
            elif isinstance(item, Body | Table):
                return True
            elif isinstance(item, LineSuffix):
                waiting = True
            elif isinstance(item, LineSuffixBoundary) and waiting:
                return False
        return False

    def _outlined(self, columns: int, position: int, item: Outlined) -> Doc:
        """Return the chosen document for `item` at `position` of a line indented by `columns`."""
        key = (id(item), columns, position)
        entry = self._chosen.get(key)
        if entry is None:
            fits = self._outline_fits(columns, position, item.contents)
            entry = self._chosen[key] = item, item.contents if fits else self._broken_layout(item)
        return entry[1]

    def _outline_fits(self, columns: int, position: int, doc: Doc) -> bool:
        """Return whether the outline of `doc` fits at `position`: see `Outlined`. A `Body` is not inspected."""
        limit = self._limit
        lines = 0
        # None in place of a document marks the end of a `OneLine`; the number is the line on which that began.
        stack: list[tuple[int, Doc | None]] = [(columns, doc)]
        while stack:
            columns, item = stack.pop()
            match item:
                case None:
                    if lines > columns:
                        return False
                case str():
                    position += text_width(item)
                case Concat():
                    stack.extend([(columns, part) for part in reversed(item.parts)])
                case Attempt():
                    if position + text_width(item.text) <= limit:
                        position += text_width(item.text)
                    else:
                        stack.append((columns, self._broken_layout(item)))
                case Outlined():
                    stack.append((columns, self._outlined(columns, position, item)))
                case OneLine():
                    stack.append((lines, None))
                    stack.append((columns, item.contents))
                case Indent():
                    stack.append((columns + (self._step if item.columns is None else item.columns), item.contents))
                case Body() | Line():
                    if lines and position > limit:
                        return False
                    lines += 1
                    limit = self._width + (self._slack if isinstance(item, Body) else 0)
                    position = 0 if isinstance(item, Line) and item.literal else columns
                case Group() | Fill() | IfBreak() | IndentIfBreak() | Table():
                    raise TypeError(f"an outline holds no {type(item).__name__}")
                case LineSuffix() | LineSuffixBoundary() | BreakParent():
                    raise TypeError(f"an outline holds no {type(item).__name__}")
                case _:
                    assert_never(item)
        return not lines or position <= limit
