"""Documents that know where they may break, and the printer that decides where they do.

Comes in: a `Doc`, built by the functions of this module from text and other documents.  Goes out: text in which every group
stands on one line when it fits into the width, in the manner of prettier: groups, indentation, soft and hard lines, fills,
alternatives, text at the end of a line.

    group("[", indent(SOFTLINE, "a,", LINE, "b"), SOFTLINE, "]")     ->  [a, b]    or, when that is too long,   [
                                                                                                                     a,
                                                                                                                     b
                                                                                                                 ]

Whether a document holds a forced break is known when it is built (`breaks`), so that printing needs one pass.  The cost
is linear: a question "does it fit" stops at the width, whatever follows.  Width is counted in columns of a terminal, as
prettier counts: wide characters and emoji take two, combining marks none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, assert_never

from pclgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Concat:
    """Documents one after the other."""

    parts: tuple[Doc, ...]
    breaks: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A place where the line may end: a space when flat (`soft`: nothing).

    `hard` lines always end; a `literal` one also starts the next line at column 0, whatever the indentation.
    """

    soft: bool
    hard: bool
    literal: bool
    breaks: bool


@dataclass(frozen=True, slots=True)
class Indent:
    """`contents` with lines `columns` further in; None is one step of the printer's indentation, `TO_ROOT` none at all."""

    contents: Doc
    columns: int | None
    breaks: bool


class GroupId:
    """Identity of a group, for documents that depend on how it was printed.  `label` is the builder's own."""

    __slots__ = ("label",)

    def __init__(self, label: object = None) -> None:
        self.label = label


@dataclass(frozen=True, slots=True)
class Group:
    """`contents` flat when that fits, otherwise with its lines broken.

    `states` are alternatives, from the flattest to the most broken: the first that fits is taken, and the last one
    otherwise.  They are empty for ordinary groups.
    """

    contents: Doc
    id: GroupId | None
    states: tuple[Doc, ...]
    breaks: bool


@dataclass(frozen=True, slots=True)
class Fill:
    """Contents and lines in turn; each line breaks only when the next content does not fit."""

    parts: tuple[Doc, ...]
    start: int
    breaks: bool


@dataclass(frozen=True, slots=True)
class IfBreak:
    """One of two documents, by how the group `id` (None: the group around) was printed."""

    broken: Doc
    flat: Doc
    id: GroupId | None
    breaks: bool


@dataclass(frozen=True, slots=True)
class IndentIfBreak:
    """`contents`, indented when the group `id` was broken."""

    contents: Doc
    id: GroupId
    breaks: bool


@dataclass(frozen=True, slots=True)
class LineSuffix:
    """Text to put off until the end of the line: a trailing comment."""

    contents: Doc
    breaks: bool


@dataclass(frozen=True, slots=True)
class LineSuffixBoundary:
    """Ends the line when something waits for its end."""

    breaks: bool = False


@dataclass(frozen=True, slots=True)
class BreakParent:
    """Breaks the groups around it."""

    breaks: bool = True


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
)

LINE: Final = Line(False, False, False, False)
SOFTLINE: Final = Line(True, False, False, False)
HARDLINE: Final = Line(False, True, False, True)
LITERAL_LINE: Final = Line(False, True, True, True)
TO_ROOT: Final = -1
BOUNDARY: Final = LineSuffixBoundary()
BREAK_PARENT: Final = BreakParent()


def will_break(doc: Doc) -> bool:
    """Whether `doc` holds a forced break."""
    return not isinstance(doc, str) and doc.breaks


def concat(*parts: Doc) -> Doc:
    """`parts` one after the other."""
    if len(parts) == 1:
        return parts[0]
    return Concat(parts, any(not isinstance(part, str) and part.breaks for part in parts))


def join(separator: Doc, parts: Iterable[Doc]) -> Doc:
    """`parts` with `separator` between them."""
    result: list[Doc] = []
    for part in parts:
        if result:
            result.append(separator)
        result.append(part)
    return concat(*result)


def indent(*parts: Doc) -> Doc:
    """`parts`, their lines one step further in."""
    contents = concat(*parts)
    return Indent(contents, None, will_break(contents))


def align(columns: int, *parts: Doc) -> Doc:
    """`parts`, their lines `columns` further in (`TO_ROOT`: at the beginning of the line)."""
    contents = concat(*parts)
    return Indent(contents, columns, will_break(contents))


def group(*parts: Doc, should_break: bool = False, id: GroupId | None = None) -> Group:  # noqa: A002 - prettier's word
    """`parts` on one line when they fit (and nothing in them forces a break)."""
    contents = concat(*parts)
    return Group(contents, id, (), should_break or will_break(contents))


def alternatives(*states: Doc) -> Group:
    """The first of `states` that fits, or the last; a forced break inside does not break what is around."""
    return Group(states[0], None, states, False)


def fill(parts: Sequence[Doc]) -> Doc:
    """Contents and lines in turn, as many contents on a line as fit."""
    return Fill(tuple(parts), 0, any(will_break(part) for part in parts))


def if_break(broken: Doc, flat: Doc = "", id: GroupId | None = None) -> Doc:  # noqa: A002 - prettier's word
    """`broken` when the group is broken, otherwise `flat`."""
    return IfBreak(broken, flat, id, will_break(broken) or will_break(flat))


def indent_if_break(contents: Doc, id: GroupId) -> Doc:  # noqa: A002 - prettier's word
    """`contents`, indented when the group `id` is broken."""
    return IndentIfBreak(contents, id, will_break(contents))


def line_suffix(*parts: Doc) -> Doc:
    """`parts` at the end of the line."""
    contents = concat(*parts)
    return LineSuffix(contents, will_break(contents))


def literal_text(text: str) -> Doc:
    """`text` as it is: its line breaks start at column 0."""
    return text if "\n" not in text else join(LITERAL_LINE, text.split("\n"))


_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u24c2"
    "\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297"
    "\u3299\U0001f004\U0001f0cf\U0001f170-\U0001f19a\U0001f201-\U0001f251\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
)
_ONE_EMOJI = f"[{_EMOJI}](?:[\U0001f3fb-\U0001f3ff]|\ufe0f)?"
_EMOJI_SEQUENCE: Final = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|[#*0-9]\ufe0f?\u20e3|\U0001f3f4[\U000e0060-\U000e007f]+"
    f"|{_ONE_EMOJI}(?:\u200d{_ONE_EMOJI})*"
)


def text_width(text: str) -> int:
    """Columns that `text` takes: wide characters and emoji sequences two, marks and control characters none."""
    if text.isascii() and text.isprintable():
        return len(text)
    width = 0
    rest: list[str] = []
    start = 0
    for match in _EMOJI_SEQUENCE.finditer(text):
        if match.end() - match.start() > 1:
            rest.append(text[start : match.start()])
            start = match.end()
            width += 2
    rest.append(text[start:])
    return width + sum(_character_width(c) for part in rest for c in part)


def _character_width(c: str) -> int:
    code = ord(c)
    if code <= 31 or 127 <= code <= 159 or unicodedata.category(c) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in ("F", "W") else 1


@dataclass(frozen=True, slots=True)
class Printed:
    """The text, and the labels of the groups with an id that were broken, in order."""

    text: str
    broken: tuple[object, ...]


# A command: indentation in columns, whether lines break, the document.
_Command: TypeAlias = tuple[int, bool, Doc]


def print_doc(doc: Doc, *, width: int = 80, step: int = 4, level: int = 0) -> Printed:
    """`doc` as text at most `width` columns wide where that is possible.

    `step` is the indentation in spaces, `level` how many steps the text stands in; the first line is not indented, but
    counted as if it were.
    """
    return _Printer(width, step, level * step).print(doc)


class _Printer:
    """The state of one printing."""

    __slots__ = ("_broken", "_modes", "_out", "_position", "_remeasure", "_start", "_step", "_suffixes", "_width")

    def __init__(self, width: int, step: int, start: int) -> None:
        self._width = width
        self._step = step
        self._start = start
        self._out: list[str] = []
        self._position = start
        self._modes: dict[GroupId, bool] = {}
        self._broken: list[object] = []
        self._suffixes: list[_Command] = []
        self._remeasure = False

    def print(self, doc: Doc) -> Printed:
        stack: list[_Command] = [(self._start, True, doc)]
        while stack:
            columns, broken, item = stack.pop()
            if isinstance(item, str):
                self._out.append(item)
                self._position += text_width(item)
            else:
                self._print_command(columns, broken, item, stack)
            if not stack and self._suffixes:
                stack.extend(reversed(self._suffixes))
                self._suffixes.clear()
        return Printed("".join(self._out), tuple(self._broken))

    def _print_command(self, columns: int, broken: bool, doc: Doc, stack: list[_Command]) -> None:
        match doc:
            case str():
                stack.append((columns, broken, doc))
            case Concat():
                stack.extend((columns, broken, part) for part in reversed(doc.parts))
            case Line():
                self._print_line(columns, broken, doc, stack)
            case Indent():
                further = self._step if doc.columns is None else doc.columns
                stack.append((0 if further == TO_ROOT else columns + further, broken, doc.contents))
            case Group():
                self._print_group(columns, broken, doc, stack)
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
        elif line.literal:
            self._out.append("\n")
            self._position = 0
        else:
            self._trim()
            self._out.append("\n" + " " * columns)
            self._position = columns

    def _trim(self) -> None:
        """Take away the blanks at the end of the line."""
        while self._out:
            last = self._out.pop().rstrip(" \t")
            if last:
                self._out.append(last)
                return

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
                self._broken.append(item.id.label)

    def _choose(self, columns: int, item: Group, stack: list[_Command]) -> _Command:
        if not item.breaks:
            for state in item.states[:-1] or (item.contents,):
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

    def _fits(self, broken: bool, doc: Doc, rest: Sequence[_Command], flat: bool = False) -> bool:
        """Whether `doc` and what follows it up to the next possible end of line fit into the current line."""
        left = self._width - self._position
        waiting = bool(self._suffixes)
        following = len(rest)
        # Entries of a sequence are taken one by one, so that a long one costs no more than what fits.
        stack: list[tuple[bool, Doc, int]] = [(broken, doc, 0)]
        pending_space = False
        while left >= 0:
            if not stack:
                if following == 0:
                    return True
                following -= 1
                _, mode, item = rest[following]
                stack.append((mode, item, 0))
                continue
            mode, item, at = stack.pop()
            if isinstance(item, str):
                if item:
                    left -= text_width(item) + pending_space
                    pending_space = False
            elif isinstance(item, Concat):
                if at < len(item.parts):
                    stack.append((mode, item, at + 1))
                    stack.append((mode, item.parts[at], 0))
            elif isinstance(item, Fill):
                at = max(at, item.start)
                if at < len(item.parts):
                    stack.append((mode, item, at + 1))
                    stack.append((mode, item.parts[at], 0))
            elif isinstance(item, Line):
                if mode or item.hard:
                    return True
                pending_space = pending_space or not item.soft
            elif isinstance(item, Group):
                if flat and item.breaks:
                    return False
                mode = item.breaks or mode
                stack.append((mode, item.states[-1] if item.states and mode else item.contents, 0))
            elif isinstance(item, IfBreak):
                decided = mode if item.id is None else self._modes.get(item.id, False)
                stack.append((mode, item.broken if decided else item.flat, 0))
            elif isinstance(item, Indent | IndentIfBreak):
                stack.append((mode, item.contents, 0))
            elif isinstance(item, LineSuffix):
                waiting = True
            elif isinstance(item, LineSuffixBoundary) and waiting:
                return False
        return False
