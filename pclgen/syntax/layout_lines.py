"""Atoms to lines: indentation, blanks between atoms, blank lines.

Comes in: atoms whose breaks are those of the canonical layout.  Goes out: `Line`s, cut before the `=` where this may be
aligned with that of the lines above and below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from pclgen.records import dataclass
from pclgen.syntax.layout_atoms import BRACKETS, CLOSERS, ENDS, Atom

_TIGHT_AFTER = frozenset({"LPAR", "LSQB", "DOT", "UNARY"})
_TIGHT_BEFORE = frozenset({"RPAR", "RSQB", "COMMA", "DOT", "ELLIPSIS", "KEY_COLON"})


@dataclass(slots=True, kw_only=True)
class Line:
    """A line to be: `text`, or `text` and `rest` where `rest` begins with the `=` to be aligned."""

    indent: int
    text: str
    blank_before: bool
    rest: str | None = None


@dataclass(slots=True, kw_only=True)
class _Open:
    """An open bracket: its type, the indentation of its line, and whether a `?` in it waits for its `:`."""

    type: str
    indent: int
    loop: bool = False
    choices: int = 0


@dataclass(slots=True, kw_only=True)
class _Row:
    """A line in atoms: `around` is the bracket that it begins in, `opened` whether that was opened on the line before;
    `types` are those of the atoms, with the colons of object keys told apart.
    """

    indent: int
    around: str
    opened: bool
    atoms: Sequence[Atom]
    types: list[str] = field(default_factory=list)


def lay_out(atoms: Iterable[Atom]) -> list[Line]:
    """The lines of a file."""
    rows = list(_indented(_rows(atoms)))
    lines = [_line(row) for row in rows]
    _space_blocks(rows, lines)
    return lines


def _rows(atoms: Iterable[Atom]) -> Iterator[list[Atom]]:
    """Atoms by the lines that they begin on."""
    row: list[Atom] = []
    for atom in atoms:
        if row and atom.breaks:
            yield row
            row = []
        row.append(atom)
    if row:
        yield row


def _indented(rows: Iterable[list[Atom]]) -> Iterator[_Row]:
    """Each line with its indentation: one more than the line of the bracket around it."""
    stack = [_Open(type="FILE", indent=-1)]
    opened = True
    for atoms in rows:
        row = _Row(indent=stack[-1].indent + 1 + atoms[0].hanging, around=stack[-1].type, opened=opened, atoms=atoms)
        closers = _leading_closers(atoms)
        for _ in range(closers):
            row.indent = stack.pop().indent
        row.types += [atom.type for atom in atoms[:closers]]
        row.types += [_step(stack, atom.type, row.indent) for atom in atoms[closers:]]
        yield row
        opened = _last_type(row.types) in BRACKETS


def _leading_closers(atoms: Sequence[Atom]) -> int:
    count = 0
    while count < len(atoms) and atoms[count].type in CLOSERS:
        count += 1
    return count


def _last_type(types: Sequence[str]) -> str:
    """The type of the last atom that is no comment."""
    return next((kind for kind in reversed(types) if kind != "COMMENT"), "")


def _step(stack: list[_Open], kind: str, indent: int) -> str:
    """Follow brackets and conditionals over one atom; gives its type, with the `:` of object keys told apart."""
    top = stack[-1]
    if kind in BRACKETS:
        stack.append(_Open(type=kind, indent=indent))
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


def _line(row: _Row) -> Line:
    """One line: its texts with blanks between."""
    types = row.types
    sign = _aligned_sign(row)
    key = ""
    pieces = [row.atoms[0].text]
    for index in range(1, len(types)):
        if _spaced(types, index):
            pieces.append(" ")
        pieces.append(row.atoms[index].text)
        if index == sign:
            key = "".join(pieces[:-2])
            pieces = []
    blank = row.atoms[0].breaks > 1 and not row.opened and types[0] not in CLOSERS
    text = "".join(pieces)
    if sign is None:
        return Line(indent=row.indent, text=text, blank_before=blank)
    return Line(indent=row.indent, text=key, blank_before=blank, rest="=" + text)


def _aligned_sign(row: _Row) -> int | None:
    """The index of `=` in a line that is one item, whole and alone."""
    if row.around not in ("FILE", "LBLOCK", "LBRACE"):
        return None
    depth = 0
    sign = None
    for index, kind in enumerate(row.types):
        depth += (kind in BRACKETS) - (kind in CLOSERS)
        if depth < 0 or "\n" in row.atoms[index].text:
            return None
        if depth == 0 and kind == "EQUAL":
            if sign is not None:
                return None
            sign = index
        if kind == "LBLOCK" or (kind == "KEY_COLON" and depth == 0) or (kind == "COMMENT" and sign is None):
            return None
    return sign if depth == 0 else None


def _spaced(types: Sequence[str], index: int) -> bool:
    """Whether a blank stands between an atom and the one before."""
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


def _space_blocks(rows: Sequence[_Row], lines: Sequence[Line]) -> None:
    """A blank line before each top-level block, with the comments on top of it, and one after it."""
    after_block = False
    comments: int | None = None  # the first of the lines of comments directly above
    for index, (row, line) in enumerate(zip(rows, lines, strict=True)):
        if row.around != "FILE":
            continue
        line.blank_before = line.blank_before or after_block
        after_block = "LBLOCK" in row.types
        if after_block:
            first = index if comments is None or line.blank_before else comments
            lines[first].blank_before = first > 0
        if set(row.types) != {"COMMENT"}:
            comments = None
        elif comments is None or line.blank_before:
            comments = index
