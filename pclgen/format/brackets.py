"""Lays out long statements as black does, for the cases that make up most of a program.

The input is one logical line of Python, normalized (double quotes, one space where black has one); the result is its lines
in black's layout, or None if the line needs rules that this module does not have: then black itself formats it.

    vpc = net.Vpc("vpc", region="a", tags={"team": "…"})        longer than 88 columns

    vpc = net.Vpc(
        "vpc",
        region="a",
        tags={"team": "…"},
    )

Black's rule: a pair of brackets that does not fit is opened. The arguments of a call go on one line if they fit there;
otherwise, and always in lists and dicts, each element has its own line, followed by a comma (none after an only element).
The same holds inside. A conditional gets its own brackets and is split before `if` and `else`, a comprehension before
`for` and `if`. Operators and lambdas that would have to be split are left to black.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

WIDTH = 88
_STEP = "    "

_UNDIVIDED = frozenset(("lambda", "await", "yield", "async"))
"""Keywords of constructs with commas that do not separate elements."""
_KEYWORDS = _UNDIVIDED | {"for", "if", "else", "in", "and", "or", "not", "is"}
_KEYWORD = rf"(?:{'|'.join(sorted(_KEYWORDS))})\b"
# A bracket, a comma, a keyword or the end, after anything else: texts, other words, single characters.
_TOKEN = re.compile(
    rf"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?!{_KEYWORD})\w++|[^\w()\[\]{{}},])*+"""
    rf"""(?:(?P<open>[(\[{{])|(?P<close>[)\]}}])|(?P<comma>,)|(?P<word>{_KEYWORD})|\Z)"""
)
_NAMED = re.compile(r"""(?:[\w.]+ = |\w+=|(?:"(?:[^"\\]|\\.)*"|[\w.]+): )?""")
"""The text allowed before a conditional: `x = `, `key=`, `"key": `, or nothing."""
_PREFIX = re.compile(r"""(?:[\w.]+ = )?(?:\*{0,2}[\w.]*|\w+=[\w.]*|(?:"(?:[^"\\]|\\.)*"|[\w.]+): [\w.]*)""")
"""The text allowed before a bracket: `x = a.b`, `a.b`, `key=a.b`, `"key": a.b`, or nothing."""
_ATOM = re.compile(
    r"""(?:[\w.]+ = |\w+=|(?:"(?:[^"\\]|\\.)*"|[\w.]+): )?"""
    r"""(?:[A-Za-z]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|-?[\w.]+)"""
)
"""Text without brackets to open, which stays unchanged even if it is too long."""


class _Opened(Struct, frozen=True):
    """A text of the form `prefix(elements)`."""

    head: str  # with the opening bracket
    elements: tuple[str, ...]
    clauses: tuple[str, ...]  # of a comprehension: the element, `for …`, `if …`
    trailing_comma: bool
    close: str


class _NotPlainError(Exception):
    """The text needs more rules than opening its brackets."""


def lay_out(line: str) -> list[str] | None:
    """Return the lines of one logical line in black's layout, or None if only black can lay it out."""
    indent = line[: len(line) - len(line.lstrip(" "))]
    try:
        return list(_lines(line.strip(), indent, ""))
    except _NotPlainError:
        return None


def _lines(text: str, indent: str, after: str) -> Iterator[str]:
    if len(indent) + len(text) + len(after) <= WIDTH:
        if _has_magic_comma(text):
            raise _NotPlainError
        yield indent + text + after
    elif parts := _conditional(text):
        yield from _divided(parts, indent, after)
    elif (opened := _open(text)) is not None:
        yield from _opened_lines(opened, indent, after)
    elif _ATOM.fullmatch(text) is not None:
        yield indent + text + after
    else:
        raise _NotPlainError


def _divided(parts: tuple[str, str, str, str], indent: str, after: str) -> Iterator[str]:
    """Yield a conditional in its own brackets: the text before it, its value, its condition, its alternative."""
    name, *clauses = parts
    if not name and not indent:
        raise _NotPlainError  # a statement of its own
    inner = indent + _STEP
    yield f"{indent}{name}("
    yield from _clauses(clauses, inner)
    yield f"{indent}){after}"


def _clauses(clauses: Sequence[str], indent: str) -> Iterator[str]:
    """Yield the parts of a conditional or a comprehension: on one line if they fit, else one per line."""
    body = " ".join(clauses)
    if len(indent) + len(body) <= WIDTH and not _has_magic_comma(body):
        yield indent + body
        return
    first, *others = clauses
    if _conditional(first):
        raise _NotPlainError
    yield from _lines(first, indent, "")
    for clause in others:
        if len(indent) + len(clause) > WIDTH or _has_magic_comma(clause):
            raise _NotPlainError
        yield indent + clause


def _opened_lines(opened: _Opened, indent: str, after: str) -> Iterator[str]:
    if opened.trailing_comma or not opened.elements or len(indent) + len(opened.head) > WIDTH:
        raise _NotPlainError
    inner = indent + _STEP
    yield indent + opened.head
    body = ", ".join(opened.elements)
    is_call = re.search(r"\w\($", opened.head) is not None
    if not is_call and re.search(r"\w\[$", opened.head):
        raise _NotPlainError  # a subscript
    together = is_call or len(opened.elements) == 1
    if opened.clauses:
        yield from _clauses(opened.clauses, inner)
    elif together and len(inner) + len(body) <= WIDTH and not _has_magic_comma(body):
        yield inner + body
    elif len(opened.elements) == 1:
        parts = _conditional(body) if opened.close == ")" else None
        yield from _clauses(parts[1:], inner) if parts and not parts[0] else _lines(body, inner, "")
    else:
        for element in opened.elements:
            yield from _lines(element, inner, ",")
    yield indent + opened.close + after


def _has_magic_comma(text: str) -> bool:
    """Return whether a comma precedes a closing bracket, which makes black open the bracket."""
    return ",)" in text or ",]" in text or ",}" in text


def _conditional(text: str) -> tuple[str, str, str, str] | None:
    """Return the text before a conditional, its value, `if` with the condition, `else` with the alternative; or None."""
    if "if" not in text:
        return None
    keywords = [(word, start) for word, start in _outer(text) if word not in ("and", "or", "not", "in", "is")]
    if [word for word, _ in keywords] != ["if", "else"]:
        return None
    condition, alternative = (start for _, start in keywords)
    named = _NAMED.match(text)
    begin = named.end() if named else 0
    value = text[begin : condition - 1]
    return text[:begin], value, text[condition : alternative - 1], text[alternative:]


def _outer(text: str) -> Iterator[tuple[str, int]]:
    """The keywords of `text` outside of brackets, and where they start."""
    depth = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "word" and depth == 0:
            yield match["word"], match.start("word")


def _comprehension(text: str) -> tuple[str, ...]:
    """Return the element and the clauses of the comprehension in the bracketed `text`; empty for any other text."""
    starts = [start for word, start in _outer(text) if word in ("for", "if")]
    if not starts or not text.startswith("for", starts[0]):
        return ()
    edges = [0, *starts, len(text) + 1]
    return tuple(text[start : end - 1] for start, end in pairwise(edges))


def _open(text: str) -> _Opened | None:
    """Return `text` split at its only outermost pair of brackets; None without brackets.

    Raises `_NotPlainError` if there are several, or text follows the last, or the contents are not a plain list.
    """
    depth, start, begin, is_loop = 0, -1, 0, False
    elements: list[str] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            if depth == 0:
                if start >= 0:
                    raise _NotPlainError
                start, begin = match.start(kind), match.end()
            depth += 1
        elif kind == "close":
            depth -= 1
            if depth == 0:
                if match.end() != len(text):
                    raise _NotPlainError
                if text[begin : match.start(kind)].strip():
                    elements.append(text[begin : match.start(kind)].strip())
        elif kind == "comma" and depth == 1:
            elements.append(text[begin : match.start(kind)].strip())
            begin = match.end()
        elif kind == "word" and depth <= 1:
            if depth == 0 or match[kind] in _UNDIVIDED:
                raise _NotPlainError
            is_loop = is_loop or match[kind] == "for"
    if start < 0:
        return None
    if _PREFIX.fullmatch(text, 0, start) is None or depth:
        raise _NotPlainError
    trailing = text[:-1].rstrip().endswith(",")
    clauses = _comprehension(text[start + 1 : -1]) if is_loop else ()
    if is_loop and not clauses:
        raise _NotPlainError
    return _Opened(text[: start + 1], tuple(elements), clauses, trailing, text[-1])
