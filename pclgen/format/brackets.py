"""Lays out long calls as black does, for the plain cases that make up most of a program.

Comes in: one logical line of Python, normalised (double quotes, one space where black has one).  Goes out: its lines in
black's layout, or None when the line needs more than brackets: then black itself is asked.

    vpc = net.Vpc("vpc", region="a", tags={"team": "…"})        longer than 88 columns

    vpc = net.Vpc(
        "vpc",
        region="a",
        tags={"team": "…"},
    )

Black's rule for these: a pair of brackets that does not fit is opened; the arguments of a call go on one line of their own
if they fit there; else, and in lists and dicts always, there is one element a line with a comma after each (none after
an only element); and so on inside.  What holds
an operator, a lambda, a conditional or a loop at the place that would have to be opened is not for this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pclgen.records import dataclass

WIDTH = 88
_STEP = "    "

# A string (any prefix), a bracket, a comma, or a word; other characters stand for themselves.
_TOKEN = re.compile(
    r"""(?P<string>[A-Za-z]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<word>\w+)"""
)
_KEYWORDS = frozenset(("lambda", "if", "else", "for", "in", "and", "or", "not", "is", "await", "yield", "async"))
_PREFIX = re.compile(r"""(?:[\w.]+ = )?(?:\*{0,2}[\w.]*|\w+=[\w.]*|(?:"(?:[^"\\]|\\.)*"|[\w.]+): [\w.]*)""")
"""What may stand before a bracket: `x = a.b`, `a.b`, `key=a.b`, `"key": a.b`, or nothing."""
_ATOM = re.compile(
    r"""(?:[\w.]+ = |\w+=|(?:"(?:[^"\\]|\\.)*"|[\w.]+): )?"""
    r"""(?:[A-Za-z]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|-?[\w.]+)"""
)
"""What cannot be opened, and stays as it is when it is too long."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A text of the form `prefix(elements)`."""

    head: str  # with the opening bracket
    elements: tuple[str, ...]
    trailing_comma: bool
    close: str


class _NotPlainError(Exception):
    """The text needs more than its brackets opened."""


def lay_out(line: str) -> list[str] | None:
    """The lines of one logical line in black's layout, or None when black has to be asked."""
    indent = line[: len(line) - len(line.lstrip(" "))]
    try:
        return list(_lines(line.strip(), indent, ""))
    except _NotPlainError:
        return None


def _lines(text: str, indent: str, after: str) -> Iterator[str]:
    if len(indent) + len(text) + len(after) <= WIDTH:
        if not _has_magic_comma(text):
            yield indent + text + after
            return
        raise _NotPlainError
    opened = _open(text)
    if opened is None:
        if _ATOM.fullmatch(text) is None:
            raise _NotPlainError
        yield indent + text + after
        return
    if opened.trailing_comma or not opened.elements:
        raise _NotPlainError
    inner = indent + _STEP
    if len(indent) + len(opened.head) > WIDTH:
        raise _NotPlainError
    yield indent + opened.head
    body = ", ".join(opened.elements)
    is_call = re.search(r"\w\($", opened.head) is not None
    if not is_call and re.search(r"\w\[$", opened.head):
        raise _NotPlainError  # a subscript
    together = is_call or len(opened.elements) == 1
    if together and len(inner) + len(body) <= WIDTH and not _has_magic_comma(body):
        yield inner + body
    else:
        comma = "," if len(opened.elements) > 1 else ""
        for element in opened.elements:
            yield from _lines(element, inner, comma)
    yield indent + opened.close + after


def _has_magic_comma(text: str) -> bool:
    """Whether a comma stands before a closing bracket, which black takes as an order to open it."""
    return ",)" in text or ",]" in text or ",}" in text


def _open(text: str) -> _Opened | None:
    """`text` taken apart at its only outermost pair of brackets; None when it has none.

    Raises `_NotPlainError` when there are several, or something stands after the last, or the contents are not a plain list.
    """
    depth, start, begin = 0, -1, 0
    elements: list[str] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            if depth == 0:
                if start >= 0:
                    raise _NotPlainError
                start, begin = match.start(), match.end()
            depth += 1
        elif kind == "close":
            depth -= 1
            if depth == 0:
                if match.end() != len(text):
                    raise _NotPlainError
                if text[begin : match.start()].strip():
                    elements.append(text[begin : match.start()].strip())
        elif kind == "comma" and depth == 1:
            elements.append(text[begin : match.start()].strip())
            begin = match.end()
        elif kind == "word" and depth <= 1 and match[0] in _KEYWORDS:
            raise _NotPlainError
    if start < 0:
        return None
    if _PREFIX.fullmatch(text, 0, start) is None or depth:
        raise _NotPlainError
    trailing = text[:-1].rstrip().endswith(",")
    return _Opened(text[: start + 1], tuple(elements), trailing, text[-1])
