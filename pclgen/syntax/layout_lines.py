"""Atoms to lines: blanks between atoms, blank lines, and the `=` that may be aligned.

The breaks of the atoms are those of the canonical layout; `layout_document` indents the `Line`s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from pclgen.syntax.layout_atoms import BRACKETS, CLOSERS, ENDS, Atom

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
