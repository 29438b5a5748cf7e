"""The canonical layout of a file.

Comes in: a source.  Goes out: its text with the same tokens and comments, laid out anew: two blanks of indentation a
bracket, one blank around operators, `=` in one column over consecutive lines, at most one blank line.  Line breaks stay
where they are, so lists and objects keep the shape that their author chose.  Templates, heredocs and comments are copied.

    a=1                 a   = 1
    bcd  = [ 1,2 ]      bcd = [1, 2]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.syntax.lexer import lex
from pclgen.syntax.parser import parse_file
from pclgen.syntax.tokens import OPERAND_ENDS, Lexed, Token

INDENT = "  "

_OPENING = frozenset({"LPAR", "LSQB", "LBRACE", "LBLOCK"})
_CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})
_BEGINS = {"OQUOTE": "CQUOTE", "HEREDOC": "HEREDOC_END"}
_TIGHT_AFTER = frozenset({"LPAR", "LSQB", "DOT", "UNARY"})
_TIGHT_BEFORE = frozenset({"RPAR", "RSQB", "COMMA", "DOT", "ELLIPSIS", "KEY_COLON"})


@dataclass(slots=True, kw_only=True)
class _Atom:
    """A token, a whole template or a comment; `breaks` counts the newlines before it."""

    type: str
    text: str
    start: int
    end: int
    breaks: int = 0


@dataclass(slots=True, kw_only=True)
class _Line:
    """A line to be; one that may be aligned is cut before its `=`."""

    indent: int
    text: str
    blank_before: bool
    rest: str | None = None


def format_source(source: SourceFile, bag: DiagnosticBag) -> str | None:
    """The text of `source` in canonical layout; None when it does not parse, which is reported to `bag`."""
    found = DiagnosticBag()
    parse_file(source, found)
    bag.extend(found)
    if found.has_errors:
        return None
    breaks = source.text.count("\n")
    newline = "\r\n" if breaks and source.text.count("\r\n") == breaks else "\n"
    atoms = list(_atoms(source.text, lex(source)))
    lines = [_lay_out(start, line) for start, line in _indented(_lines(atoms))]
    return _print(lines, newline)


def _atoms(text: str, lexed: Lexed) -> Iterator[_Atom]:
    """Tokens without newlines, whole templates, and the comments between, in order."""
    comments = iter(lexed.comments)
    comment = next(comments, None)
    tokens = [token for token in lexed.tokens if token.type != "NL"]
    index = last = 0
    previous = ""
    while index < len(tokens) or comment is not None:
        if comment is not None and (index == len(tokens) or comment[0] < tokens[index].start):
            start, end = comment
            atom = _Atom(type="COMMENT", text=text[start:end].rstrip(), start=start, end=end)
            comment = next(comments, None)
        else:
            first = tokens[index]
            index = _template_end(tokens, index)
            end = tokens[index].end
            index += 1
            kind = "TEMPLATE" if first.type in _BEGINS else first.type
            if kind in ("MINUS", "BANG") and previous not in OPERAND_ENDS and previous != "TEMPLATE":
                kind = "UNARY"
            previous = kind
            atom = _Atom(type=kind, text=text[first.start : end], start=first.start, end=end)
            while comment is not None and comment[0] < end:  # a comment inside a template stays in its text
                comment = next(comments, None)
        atom.breaks = text.count("\n", last, atom.start)
        last = atom.end
        yield atom


def _template_end(tokens: Sequence[Token], index: int) -> int:
    """The index of the token that ends what begins at `index`: itself, but for templates."""
    depth = 0
    while True:
        kind = tokens[index].type
        if kind in _BEGINS:
            depth += 1
        elif kind in ("CQUOTE", "HEREDOC_END"):
            depth -= 1
        if depth == 0:
            return index
        index += 1


def _lines(atoms: Sequence[_Atom]) -> Iterator[list[_Atom]]:
    """Atoms by the lines that they begin on."""
    line: list[_Atom] = []
    for atom in atoms:
        if line and atom.breaks:
            yield line
            line = []
        line.append(atom)
    if line:
        yield line


@dataclass(slots=True, kw_only=True)
class _Open:
    """An open bracket: its type, the indentation of its line, and whether a `?` in it waits for its `:`."""

    type: str
    indent: int
    loop: bool = False
    choices: int = 0


@dataclass(slots=True, kw_only=True)
class _Start:
    """How a line begins: its indentation, the bracket around it, and whether that bracket has just been opened."""

    indent: int
    around: str
    first: bool
    types: list[str]


def _indented(lines: Iterator[list[_Atom]]) -> Iterator[tuple[_Start, list[_Atom]]]:
    """Each line with its indentation: one more than the line of the bracket around it."""
    stack: list[_Open] = [_Open(type="FILE", indent=-1)]
    first = True
    for line in lines:
        around = stack[-1].type
        indent = stack[-1].indent + 1
        popped = _leading_closers(line)
        for _ in range(popped):
            indent = stack.pop().indent
        types = [atom.type for atom in line[:popped]]
        types.extend([_step(stack, atom.type, indent) for atom in line[popped:]])
        yield _Start(indent=indent, around=around, first=first, types=types), line
        first = line[-1].type in _OPENING


def _leading_closers(line: Sequence[_Atom]) -> int:
    count = 0
    while count < len(line) and line[count].type in _CLOSING:
        count += 1
    return count


def _step(stack: list[_Open], kind: str, indent: int) -> str:
    """Follow brackets and conditionals over one atom; gives its type, with the `:` of object keys told apart."""
    top = stack[-1]
    if kind in _OPENING:
        stack.append(_Open(type=kind, indent=indent))
    elif kind in _CLOSING and len(stack) > 1:
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


def _lay_out(start: _Start, line: Sequence[_Atom]) -> _Line:
    """One line: its texts with blanks between."""
    types = start.types
    sign = _aligned_sign(start, line)
    key = ""
    pieces = [line[0].text]
    for index in range(1, len(line)):
        if _spaced(types, index):
            pieces.append(" ")
        pieces.append(line[index].text)
        if index == sign:
            key = "".join(pieces[:-2])
            pieces = []
    blank = line[0].breaks > 1 and not start.first and types[0] not in _CLOSING
    text = "".join(pieces)
    if sign is None:
        return _Line(indent=start.indent, text=text, blank_before=blank)
    return _Line(indent=start.indent, text=key, blank_before=blank, rest="=" + text)


def _aligned_sign(start: _Start, line: Sequence[_Atom]) -> int | None:
    """The index of `=` in a line that is one item, whole and alone."""
    if start.around not in ("FILE", "LBLOCK", "LBRACE"):
        return None
    depth = 0
    sign = None
    types = start.types
    for index, kind in enumerate(types):
        depth += (kind in _OPENING) - (kind in _CLOSING)
        if depth < 0 or "\n" in line[index].text:
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
        return not (before in OPERAND_ENDS or before == "TEMPLATE") or before == "STAR"
    if before in ("LBRACE", "LBLOCK") and kind == "RBRACE":
        return False
    if before == "STAR" and index > 1 and types[index - 2] in ("DOT", "LSQB"):
        return kind not in ("LSQB",)
    return True


def _print(lines: Sequence[_Line], newline: str) -> str:
    """The text, with `=` in one column over runs of lines."""
    out: list[str] = []
    index = 0
    while index < len(lines):
        stop = index + 1
        first = lines[index]
        if first.rest is not None:
            while stop < len(lines) and _same_run(first, lines[stop]):
                stop += 1
        width = max(len(line.text) for line in lines[index:stop])
        for line in lines[index:stop]:
            if line.blank_before:
                out.append(newline)
            text = line.text if line.rest is None else f"{line.text:<{width}} {line.rest}"
            out.append(f"{INDENT * line.indent}{text}{newline}")
        index = stop
    return "".join(out)


def _same_run(first: _Line, line: _Line) -> bool:
    return line.rest is not None and not line.blank_before and line.indent == first.indent
