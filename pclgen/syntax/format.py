"""The canonical layout of a file.

The text has the same tree and comments, laid out anew:

    resource pet "random:RandomPet" {        - two blanks of indentation a bracket; one around operators, and inside the
      length = 2                               braces of a block or an object on one line
      prefix = "my"                          - `=` in one column over neighbouring lines that hold a whole item each

      keepers = {                            - a list or an object that spans lines has a line for each element; a list
        zones = [                              ends each with a comma (but for a heredoc at the end), an object none;
          "a",                                 arguments of a call and loops that break at their own level do the same
          "b", # the new one                 - one line stays one line, however long: width plays no part
        ]                                    - a bracket around one element alone may hug it: `[{`, `f([`, `(<<END`
      }
    }                                        - comments stay with the item they describe, one blank behind it

    a = [{                                   - one blank line around top-level blocks, with the comments on top of them;
      b = 1                                    elsewhere none or one as written, none after `{` or before `}`
    }]                                       - templates, heredocs and comments are copied; a file of CRLF lines keeps these

`layout_atoms` reads the content, `layout_breaks` decides on line breaks and commas, `layout_lines` on blanks and
blank lines. This module makes a document of that, which the printer of `pclgen.layout` prints. The document has no choice,
as all line breaks are decided. Several brackets that open on one line make one step together, and so the lines of each are
indented by themselves:

    f(a, {          "f(a, {", indent(HARDLINE, "b = 1"), HARDLINE, "},", indent(HARDLINE, "c"), ")"
      b = 1
    },
      c)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.layout import HARDLINE, Cell, Doc, Row, Table, concat, indent, literal_text, print_doc
from pclgen.source.text import SourceFile
from pclgen.syntax.layout_atoms import BRACKETS, CLOSERS, read_atoms
from pclgen.syntax.layout_breaks import break_lines
from pclgen.syntax.layout_lines import Line, read_lines
from pclgen.syntax.lexer import lex
from pclgen.syntax.parse import parse_file


class _Frame(Struct, kw_only=True):
    """The inside of an open bracket.

    `lines` are the lines that begin in it, `head` the content behind the bracket before them.  `open` is the line being
    written, and in it, each one step further in, the lines of brackets that closed on it.  `run` are the last lines when
    they are items whose `=` are aligned.
    """

    head: Doc | None = None
    lines: list[Doc] = field(default_factory=list)
    open: list[list[Doc]] = field(default_factory=lambda: [[]])
    run: list[Row] = field(default_factory=list)

    def begin(self, line: Line, ends: Sequence[Doc]) -> None:
        """Begin a line, behind the `ends` of the previous lines."""
        self._end()
        self.open = [[], [*ends]] if line.atoms[0].hanging else [[*ends]]

    def align(self, line: Line, sign: int, ends: Sequence[Doc]) -> None:
        """Append a line that is an item with its `=` at `sign`."""
        if not self.run or len(ends) > 1:
            self.begin(line, ends)
        self.run.append(Row("".join(line.texts[:sign]), "".join(line.texts[sign:]).lstrip()))

    def add(self, part: Doc) -> None:
        """Append `part`."""
        self.open[-1].append(part)

    def take(self, inner: _Frame) -> None:
        """Append the content of a bracket that closes on the line being written."""
        if inner.head is None:
            self.open[-1] += inner.open[0]
        else:
            self.add(concat(inner.head, indent(*inner.lines)))
            self.open.append(inner.open[0])
        self.open += inner.open[1:]

    def inside(self) -> Doc:
        """Return the content of the bracket."""
        self._end()
        return concat(self.head or "", indent(*self.lines))

    def whole(self) -> Doc:
        """Return all lines, when the bracket is the file."""
        self._end()
        return concat(*self.lines)

    def _end(self) -> None:
        if self.run:
            self.add(Table(tuple(self.run), _pad))
            self.run.clear()
        while len(self.open) > 1:
            inner = self.open.pop()
            self.add(indent(*inner))
        line = concat(*self.open.pop())
        if self.head is None:
            self.head = line
        else:
            self.lines.append(line)


def write_document(lines: Iterable[Line]) -> Doc:
    """Return the document of a file."""
    stack = [_Frame()]
    ends: list[Doc] = []  # of the line before: none before the first
    for line in lines:
        if line.blank_before:
            ends.append(HARDLINE)
        if line.sign is not None:
            stack[-1].align(line, line.sign, ends)
        else:
            _write_line(line, stack, ends)
        ends = [HARDLINE]
    return stack[0].whole()


def _write_line(line: Line, stack: list[_Frame], ends: Sequence[Doc]) -> None:
    """Append a line to the brackets on `stack`, and push the brackets that it opens."""
    for _ in range(line.closers):
        inside = stack.pop().inside()
        stack[-1].add(inside)
    if line.closers:
        stack[-1].add(concat(*ends))
    else:
        stack[-1].begin(line, ends)
    for index, (kind, text) in enumerate(zip(line.types, line.texts, strict=True)):
        if index >= line.closers and kind in CLOSERS:
            inner = stack.pop()
            stack[-1].take(inner)
        stack[-1].add(literal_text(text))
        if kind in BRACKETS:
            stack.append(_Frame())


def _pad(rows: Sequence[Cell | None]) -> Sequence[int]:
    """Return the padding to one column for all heads, in characters."""
    heads = [cell.head for cell in rows if cell is not None]
    width = max(map(len, heads))
    return [width - len(head) for head in heads]


INDENT: Final = 2


def format_source(source: SourceFile, bag: DiagnosticBag) -> str | None:
    """Return the text of `source` in canonical layout; None after a syntax error, which is reported to `bag`."""
    problems = DiagnosticBag()
    parse_file(source, problems)
    bag.extend(problems)
    if problems.has_errors:
        return None
    atoms = list(read_atoms(source.text, lex(source)))
    text = print_doc(write_document(read_lines(break_lines(atoms))), step=INDENT).text
    if text:
        text += "\n"
    breaks = source.text.count("\n")
    if breaks and source.text.count("\r\n") == breaks:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return text
