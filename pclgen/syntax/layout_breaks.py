"""The atoms that the formatter moves, and the line breaks and commas of the canonical layout.

`Atom`s are tokens, whole templates and comments, in order. Newlines are no atoms; each atom counts those before it. A
template, a heredoc and a comment is one atom with its text as written.

    a = [1, # one      IDENT  EQUAL  LSQB  NUMBER  COMMA  COMMENT
      "x${b}"]         TEMPLATE (breaks=1)  RSQB

Atoms with the line breaks of their author get those of the canonical layout (`format`). A first walk measures the content of
each bracket, a second walk moves breaks and commas.

    {a=1,b = [1,       {            Comments keep their element: one behind it stays behind it (and behind the comma), one
      2]}                a=1        before it on the same line stays there, one on its own line stays on its own line.
                         b = [      A call or a loop with a comment on its last line is left as it is: with the bracket
                           1,       on a line of its own that comment would no longer stand on the last line of its
                           2,       attribute, and belong before it (`ast.attach`).
                         ]
                       }
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from pclgen.syntax.tokens import OPERAND_ENDS, Lexed, Token

# -- atoms ------------------------------------------------------------------------------------------------------------------

BRACKETS: Final = frozenset({"LPAR", "LSQB", "LBRACE", "LBLOCK"})
"""Atoms that open a bracket."""

CLOSERS: Final = frozenset({"RPAR", "RSQB", "RBRACE"})
"""Atoms that close a bracket."""

ENDS: Final = (OPERAND_ENDS - {"STAR"}) | {"TEMPLATE", "HEREDOC", "SPLAT"}
"""Atoms that can end an operand."""

_BEGINS = {"OQUOTE": "TEMPLATE", "HEREDOC": "HEREDOC"}
_TEMPLATE_ENDS = frozenset({"CQUOTE", "HEREDOC_END"})


class Atom(Struct, kw_only=True):
    """A token, a whole template or a comment.

    `type` is the terminal, `TEMPLATE`, `HEREDOC`, `COMMENT`, `UNARY` for a prefix operator or `SPLAT` for the `*` of a
    splat; `breaks` counts the newlines before it; `hanging` is for a line that continues the element of a list.
    """

    type: str
    text: str
    breaks: int = 0
    hanging: bool = False


def read_atoms(text: str, lexed: Lexed) -> Iterator[Atom]:
    """Yield tokens without newlines, whole templates, and the comments between them, in order."""
    comments = iter(lexed.comments)
    comment = next(comments, None)
    tokens = [token for token in lexed.tokens if token.type != "NL"]
    index = last = 0
    previous = ""
    while index < len(tokens) or comment is not None:
        if comment is not None and (index == len(tokens) or comment[0] < tokens[index].start):
            kind, (start, end) = "COMMENT", comment
            comment = next(comments, None)
        else:
            stop = _template_end(tokens, index)
            kind, start, end = _kind(previous, tokens[index].type), tokens[index].start, tokens[stop].end
            previous = kind
            index = stop + 1
            while comment is not None and comment[0] < end:  # a comment inside a template stays in its text
                comment = next(comments, None)
        yield Atom(type=kind, text=text[start:end].rstrip(), breaks=text.count("\n", last, start))
        last = end


def _kind(previous: str, kind: str) -> str:
    """Return the type of an atom that begins with a token `kind`, after an atom of type `previous`."""
    if kind in ("MINUS", "BANG") and previous not in ENDS:
        return "UNARY"
    if kind == "STAR" and previous in ("DOT", "LSQB"):
        return "SPLAT"
    return _BEGINS.get(kind, kind)


def _template_end(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the last token of the template, or the single token, that begins at `index`."""
    depth = 0
    while True:
        kind = tokens[index].type
        if kind in _BEGINS:
            depth += 1
        elif kind in _TEMPLATE_ENDS:
            depth -= 1
        if depth == 0:
            return index
        index += 1


# -- breaks and commas ------------------------------------------------------------------------------------------------------

class Shape(Enum):
    """The kind of a bracket's content."""

    BLOCK = auto()
    OBJECT = auto()
    LIST = auto()
    CALL = auto()
    LOOP = auto()  # `[for …]` and `{for …}`
    OTHER = auto()  # parentheses, an index; and the file


_LISTED = frozenset({Shape.LIST, Shape.CALL})  # elements have commas, also when each has a line
_ELEMENTS = _LISTED | {Shape.OBJECT}


class Group(Struct, kw_only=True):
    """Facts about the content of a bracket.

    `direct`: it has a line break outside of inner brackets, except a break that a heredoc forces; `spans`: it has any line
    break; `late_comment`: its last line has a comment that belongs to no element of a list or object; `crowded`: the
    attribute has a comment before it.  `bare` is for a block: its `{` is followed on the line by an item with comments of
    its own, so the comments between `{` and item are no comments on the block (`Comments.header`).
    """

    shape: Shape
    elements: int = 0
    comments: bool = False
    direct: bool = False
    spans: bool = False
    late_comment: bool = False
    crowded: bool = False
    bare: bool = False

    @property
    def hollow(self) -> bool:
        """An empty list or object over several lines, which becomes `[]` or `{}`.

        Not where a comment would then be on the last line of its attribute.
        """
        return self.shape in _ELEMENTS and not (self.elements or self.comments or self.crowded)

    @property
    def broken(self) -> bool:
        """Whether the content has separate lines."""
        match self.shape:
            case Shape.BLOCK | Shape.OBJECT:
                return self.spans and not self.hollow
            case Shape.LIST:
                return (self.direct or (self.spans and self.elements > 1)) and not self.hollow
            case Shape.CALL | Shape.LOOP:
                return self.direct and not self.late_comment and not self.hollow
            case Shape.OTHER:
                return False


def break_lines(atoms: Sequence[Atom]) -> list[Atom]:
    """Return the atoms with canonical line breaks and commas; the arguments are changed."""
    groups = iter(measure(atoms))
    out: list[Atom] = []
    stack = [_Open(group=Group(shape=Shape.OTHER))]
    for atom in atoms:
        top = stack[-1]
        if out and out[-1].type == "HEREDOC":
            atom.breaks = max(1, atom.breaks)
        if atom.type == "COMMENT":
            top.add_comment(out, atom)
        elif atom.type == "COMMA" and top.group.shape in _ELEMENTS:
            top.add_comma(out, atom)
        elif atom.type in CLOSERS and len(stack) > 1:
            stack.pop().close(out, atom)
            stack[-1].tail = len(out)
        else:
            top.add(out, atom)
            if atom.type in BRACKETS:
                stack.append(_Open(group=next(groups), tail=len(out)))
    return out


def measure(atoms: Sequence[Atom]) -> Iterator[Group]:
    """Return the groups of the brackets, in the order of their opening brackets."""
    groups: list[Group] = []
    stack = [Group(shape=Shape.OTHER)]
    commas = [0]  # of each open bracket, the elements when its last comma came
    previous = Atom(type="", text="")
    fresh = True  # a line has begun since the last atom that is no comment
    crowded = False
    for index, atom in enumerate(atoms):
        top = stack[-1]
        if atom.breaks:
            fresh = True
            closes = atom.type in CLOSERS
            top.direct = top.direct or not (closes and atoms[index - 1].type == "HEREDOC")
            top.spans, top.late_comment = True, False
        if atom.type == "COMMENT":
            top.comments = top.late_comment = crowded = True
            continue
        if (fresh or previous.type == "LBLOCK") and (len(stack) == 1 or top.shape is Shape.BLOCK):
            crowded = False
        fresh = False
        if atom.type in CLOSERS and len(stack) > 1:
            _leave(stack.pop(), stack[-1])
            commas.pop()
        elif atom.type == "COMMA":
            commas[-1] = top.elements
        else:
            top.spans = top.spans or atom.type == "HEREDOC"
            top.elements = commas[-1] + 1
        if atom.type in BRACKETS:
            groups.append(Group(shape=_shape(previous.type, atoms, index), crowded=crowded))
            groups[-1].bare = groups[-1].shape is Shape.BLOCK and _is_bare(atoms, index)
            stack.append(groups[-1])
            commas.append(0)
        previous = atom
    return iter(groups)


def _is_bare(atoms: Sequence[Atom], index: int) -> bool:
    """Return whether an item with its own comments begins on the line of the `{` at `index`."""
    item = False
    inner: list[Shape] = []
    for at in range(index + 1, len(atoms)):
        atom = atoms[at]
        if atom.breaks or (not inner and atom.type == "RBRACE"):
            return False
        if atom.type != "COMMENT":
            item = True
        elif item and not {Shape.LIST, Shape.OBJECT}.intersection(inner):
            return True
        elif "\n" in atom.text:
            return False
        if atom.type in BRACKETS:
            inner.append(_shape(_before(atoms, at), atoms, at))
        elif atom.type in CLOSERS:
            inner.pop()
    return False


def _before(atoms: Sequence[Atom], index: int) -> str:
    """Return the type of the last atom before `index` that is no comment."""
    return next((atoms[at].type for at in range(index - 1, -1, -1) if atoms[at].type != "COMMENT"), "")


def _leave(inner: Group, outer: Group) -> None:
    """Add the facts about a finished group to the group around it."""
    if inner.spans:
        outer.late_comment = False
    outer.spans = outer.spans or inner.spans
    if inner.shape not in (Shape.LIST, Shape.OBJECT):
        outer.late_comment = outer.late_comment or inner.late_comment


def _shape(previous: str, atoms: Sequence[Atom], index: int) -> Shape:
    """Return the shape of the bracket at `index`; `previous` is the type of the atom before it that is no comment."""
    kind = atoms[index].type
    if kind == "LBLOCK":
        return Shape.BLOCK
    if kind == "LPAR":
        return Shape.CALL if previous in ("IDENT", "QNAME") else Shape.OTHER
    if kind == "LSQB" and previous in ENDS:
        return Shape.OTHER
    inside = index + 1
    while atoms[inside].type == "COMMENT":
        inside += 1
    if atoms[inside].type == "FOR":
        return Shape.LOOP
    return Shape.LIST if kind == "LSQB" else Shape.OBJECT


class _Open(Struct, kw_only=True):
    """A bracket whose content is being written.

    `tail` is the length of the output after its last atom that is no comment: comments after that wait for the next atom.
    `fresh` means that the next atom begins an element; `comma` is the index of the last comma of a group on one line;
    `carried` are the breaks before an omitted comma.
    """

    group: Group
    tail: int = 0
    fresh: bool = True
    comma: int | None = None
    carried: int = 0

    def add_comment(self, out: list[Atom], atom: Atom) -> None:
        """Append a comment."""
        atom.breaks = max(atom.breaks, self.carried)
        self.carried = 0
        out.append(atom)

    def add(self, out: list[Atom], atom: Atom) -> None:
        """Append an atom of an element."""
        atom.breaks = max(atom.breaks, self.carried)
        self.carried = 0
        waiting = out[self.tail :]
        if self.group.broken:
            if self.fresh or (self.group.shape is Shape.OBJECT and any(member.breaks for member in (*waiting, atom))):
                self._begin(waiting, atom)
            elif self.group.shape in _LISTED:
                for member in (*waiting, atom):
                    member.hanging = member.breaks > 0
        self.fresh = False
        self.comma = None
        out.append(atom)
        self.tail = len(out)

    def _begin(self, waiting: Sequence[Atom], atom: Atom) -> None:
        """Break the line before an element, or before the comments that precede it on its line."""
        if self.group.shape is Shape.BLOCK and not self.group.bare:  # comments beside `{` are about the block
            if not any(member.breaks for member in (*waiting, atom)):
                atom.breaks = 1
            return
        first = atom
        for comment in reversed(waiting):
            if first.breaks or (first is not atom and "\n" in first.text):
                break
            first = comment
        first.breaks = max(1, first.breaks)

    def add_comma(self, out: list[Atom], atom: Atom) -> None:
        """Append a comma: behind the last element, or nowhere in an object over several lines."""
        self.fresh = True
        if not self.group.broken:
            self.comma = len(out)
            self.tail = len(out) + 1
            out.append(atom)
            return
        self.carried = max(self.carried, atom.breaks)
        if self.group.shape in _LISTED:
            self._put_comma(out, atom)

    def _put_comma(self, out: list[Atom], atom: Atom) -> None:
        atom.breaks = int(out[self.tail - 1].type == "HEREDOC")
        out.insert(self.tail, atom)
        self.tail += 1

    def close(self, out: list[Atom], atom: Atom) -> None:
        """Append the closing bracket, after the last comma of its group."""
        breaks = max(atom.breaks, self.carried)
        if self.group.broken:
            atom.breaks = max(1, breaks)
            self._last_comma(out, atom)
        elif self.comma is not None:
            self._drop_comma(out, self.comma, atom)
        elif self.group.hollow:
            atom.breaks = 0
        out.append(atom)

    def _last_comma(self, out: list[Atom], closer: Atom) -> None:
        """End the last element with a comma, except after a heredoc, where the comma would need a separate line."""
        if self.group.shape not in _LISTED:
            return
        last, before = out[self.tail - 1].type, out[self.tail - 2].type
        if last == "COMMA" and before == "HEREDOC":
            self._drop_comma(out, self.tail - 1, closer)
        elif not self.fresh and last not in ("HEREDOC", "ELLIPSIS"):
            self._put_comma(out, Atom(type="COMMA", text=","))

    def _drop_comma(self, out: list[Atom], index: int, closer: Atom) -> None:
        """Remove the comma at `index`; the next atom (`closer`, if none is written yet) gets its breaks."""
        gone = out.pop(index)
        after = out[index] if index < len(out) else closer
        after.breaks = max(after.breaks, gone.breaks)
