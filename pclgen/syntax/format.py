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

`layout_breaks` reads the content as atoms, and decides on line breaks and commas. Here the atoms become `Line`s, with blanks
between atoms, blank lines and aligned `=`. The lines become a document, which the printer of `pclgen.layout` prints. The
document has no choice, as all line breaks are decided. Several brackets that open on one line make one step together, and so
the lines of each are indented by themselves:

    f(a, {          "f(a, {", indent(HARDLINE, "b = 1"), HARDLINE, "},", indent(HARDLINE, "c"), ")"
      b = 1
    },
      c)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.layout import HARDLINE, Cell, Doc, Row, Table, concat, indent, literal_text, print_doc
from pclgen.source.text import SourceFile
from pclgen.syntax.layout_breaks import BRACKETS, CLOSERS, ENDS, Atom, break_lines, read_atoms
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


# -- lines ------------------------------------------------------------------------------------------------------------------

_TIGHT_AFTER = frozenset({"LPAR", "LSQB", "DOT", "UNARY"})
_TIGHT_BEFORE = frozenset({"RPAR", "RSQB", "COMMA", "DOT", "ELLIPSIS", "KEY_COLON"})


class Line(Struct, kw_only=True):
    """A line in atoms.

    `types` are the types of the atoms, with the colons of object keys distinguished, and `texts` their texts with the blanks
    before them.  The first `closers` atoms close brackets of lines above.  `sign` is the index of the `=` that may be
    aligned with those of the lines above and below.
    """

    atoms: Sequence[Atom]
    types: Sequence[str]
    texts: Sequence[str]
    around: str
    closers: int
    blank_before: bool
    sign: int | None


class _Open(Struct, kw_only=True):
    """An open bracket: its type, and whether a `?` in it waits for its `:`."""

    type: str
    loop: bool = False
    choices: int = 0


def read_lines(atoms: Iterable[Atom]) -> list[Line]:
    """Return the lines of a file."""
    lines = list(_typed(_rows(atoms)))
    _space_blocks(lines)
    return lines


def _rows(atoms: Iterable[Atom]) -> Iterator[list[Atom]]:
    """Yield the atoms by the lines that they begin on."""
    row: list[Atom] = []
    for atom in atoms:
        if row and atom.breaks:
            yield row
            row = []
        row.append(atom)
    if row:
        yield row


def _typed(rows: Iterable[list[Atom]]) -> Iterator[Line]:
    """Yield each line with the roles of its atoms in the brackets around it."""
    stack = [_Open(type="FILE")]
    opened = True  # a bracket, at the end of the line before
    for atoms in rows:
        around = stack[-1].type
        closers = _leading_closers(atoms)
        types = [_step(stack, atom.type) for atom in atoms]
        texts = [" " + a.text if at and _spaced(types, at) else a.text for at, a in enumerate(atoms)]
        yield Line(
            atoms=atoms,
            types=types,
            texts=texts,
            around=around,
            closers=closers,
            blank_before=atoms[0].breaks > 1 and not opened and not closers,
            sign=_aligned_sign(around, types, atoms),
        )
        opened = _last_type(types) in BRACKETS


def _leading_closers(atoms: Sequence[Atom]) -> int:
    count = 0
    while count < len(atoms) and atoms[count].type in CLOSERS:
        count += 1
    return count


def _last_type(types: Sequence[str]) -> str:
    """Return the type of the last atom that is no comment."""
    return next((kind for kind in reversed(types) if kind != "COMMENT"), "")


def _step(stack: list[_Open], kind: str) -> str:
    """Follow brackets and conditionals over one atom; return its type, with the `:` of object keys distinguished."""
    top = stack[-1]
    if kind in BRACKETS:
        stack.append(_Open(type=kind))
    elif kind in CLOSERS and len(stack) > 1:
        stack.pop()
    elif kind == "FOR":
        top.loop = True
    elif kind == "QMARK":
        top.choices += 1
    elif kind == "COLON":
        if top.choices:
            top.choices -= 1
        elif top.type == "LBRACE" and not top.loop:
            return "KEY_COLON"
    return kind


def _aligned_sign(around: str, types: Sequence[str], atoms: Sequence[Atom]) -> int | None:
    """Return the index of `=` in a line that is a single complete item."""
    if around not in ("FILE", "LBLOCK", "LBRACE"):
        return None
    depth = 0
    sign = None
    for index, kind in enumerate(types):
        depth += (kind in BRACKETS) - (kind in CLOSERS)
        if depth < 0 or "\n" in atoms[index].text:
            return None
        if depth == 0 and kind == "EQUAL":
            if sign is not None:
                return None
            sign = index
        if kind == "LBLOCK" or (kind == "KEY_COLON" and depth == 0) or (kind == "COMMENT" and sign is None):
            return None
    return sign if depth == 0 else None


def _spaced(types: Sequence[str], index: int) -> bool:
    """Return whether a blank separates an atom from the previous atom."""
    before, kind = types[index - 1], types[index]
    if before == "COMMENT" or kind == "COMMENT":
        return True
    if before in _TIGHT_AFTER or kind in _TIGHT_BEFORE:
        return False
    if kind == "LPAR":
        return before not in ("IDENT", "QNAME")
    if kind == "LSQB":
        return before not in ENDS
    return not (kind == "RBRACE" and before in ("LBRACE", "LBLOCK"))


def _space_blocks(lines: Sequence[Line]) -> None:
    """Put a blank line before each top-level block, with the comments on top of it, and a blank line after it."""
    after_block = False
    comments: Line | None = None  # the first of those directly above
    for line in lines:
        if line.around != "FILE":
            continue
        line.blank_before = line.blank_before or after_block
        after_block = "LBLOCK" in line.types
        if after_block:
            first = line if comments is None or line.blank_before else comments
            first.blank_before = first is not lines[0]
        if set(line.types) != {"COMMENT"}:
            comments = None
        elif comments is None or line.blank_before:
            comments = line
