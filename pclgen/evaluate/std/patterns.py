"""Functions of `std` with regular expressions.  They are RE2's; what Python's engine has beyond that is refused, and what it
lacks is said to be so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction
from pclgen.trace.model import PropertyValue

_CLASSES: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7F",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1F\x7F",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
}
_PIECE: Final = re.compile(
    r"\\Q(?P<literal>.*?)(?:\\E|\Z)|\\(?P<escape>.)|\[:(?P<class>\w+):\]|\(\?(?P<group>P?<(?![=!])|P?[=!]|<[=!]|P=|\(|#)"
    r"|\$|[\[\]]",
    re.DOTALL,
)
"""What RE2 and Python write in different ways, or only one of them has."""


def _compiled(pattern: str) -> re.Pattern[str]:
    made: list[str] = []
    at = 0
    opened = -1  # where the class begins in which the piece stands
    several_lines = re.match(r"\(\?[is]*m", pattern) is not None
    for piece in _PIECE.finditer(pattern):
        made.append(pattern[at : piece.start()])
        at = piece.end()
        inside = opened >= 0
        if piece[0] == "[":
            made.append("\\[" if inside else "[")
            opened = opened if inside else piece.start()
        elif piece[0] == "]":
            first = inside and pattern[opened : piece.start()] in ("[", "[^")  # then it stands for itself
            made.append("\\]" if first else "]")
            opened = opened if first else -1
        elif piece[0] == "$":
            made.append("$" if inside or several_lines else r"\Z")
        elif inside and piece["group"] is not None:
            made.append(piece[0])
        else:
            made.append(_translated(piece, pattern))
    made.append(pattern[at:])
    try:
        return re.compile("".join(made), re.ASCII)
    except (re.error, OverflowError, RecursionError) as problem:
        raise StdFailureError(f"the regular expression {pattern!r} is not understood: {problem}") from None


def _translated(piece: re.Match[str], pattern: str) -> str:
    if piece["literal"] is not None:
        return re.escape(piece["literal"])
    if piece["escape"] is not None:
        escape = piece["escape"]
        if escape in "pPCZ" or escape in "123456789":
            raise StdFailureError(f"the regular expression {pattern!r} has \\{escape}, which is not known here")
        return r"\Z" if escape == "z" else piece[0]
    if piece["class"] is not None:
        found = _CLASSES.get(piece["class"])
        if found is None:
            raise StdFailureError(f"the regular expression {pattern!r} has an unknown class {piece[0]}")
        return found
    if piece["group"] in ("P<", "<"):
        return "(?P<"
    raise StdFailureError(f"the regular expression {pattern!r} has {piece[0]}, which RE2 does not know")


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """All matches; an empty one right behind another is none."""
    end = -1
    for match in pattern.finditer(text):
        if match.start() == match.end() == end:
            continue
        end = match.end()
        yield match


def _captured(match: re.Match[str]) -> PropertyValue:
    """The whole match; with groups, these, by name when they have names."""
    pattern = match.re
    if pattern.groups == 0:
        return match[0]
    if not pattern.groupindex:
        return tuple(match.groups(""))
    if len(pattern.groupindex) != pattern.groups:
        raise StdFailureError("the groups of a regular expression must all have names, or none")
    return match.groupdict("")


def _regex(args: Arguments) -> PropertyValue:
    pattern, text = args.text("pattern"), args.text("string")
    for match in _matches(_compiled(pattern), text):
        return _captured(match)
    raise StdFailureError(f"the pattern {pattern!r} matches no part of the text")


def _regexall(args: Arguments) -> PropertyValue:
    return tuple(_captured(match) for match in _matches(_compiled(args.text("pattern")), args.text("string")))


_REFERENCE: Final = re.compile(r"\$(?:(\$)|(\w+)|\{(\w+)\})", re.ASCII)


def _replace(args: Arguments) -> PropertyValue:
    text, search, replacement = args.text("text"), args.text("search"), args.text("replace")
    if len(search) < 2 or not (search.startswith("/") and search.endswith("/")):
        return text.replace(search, replacement)
    made: list[str] = []
    at = 0
    for match in _matches(_compiled(search[1:-1]), text):
        made.append(text[at : match.start()])
        made.append(_REFERENCE.sub(partial(_referenced, match), replacement))
        at = match.end()
    return "".join(made) + text[at:]


def _referenced(match: re.Match[str], found: re.Match[str]) -> str:
    """What `$1`, `$name`, `${name}` or `$$` stands for; nothing for a group that there is not."""
    if found[1]:
        return "$"
    name = found[2] or found[3]
    try:
        return match[int(name) if name.isdigit() else name] or ""
    except IndexError:
        return ""


PATTERNS: Final[dict[str, StdFunction]] = {"regex": _regex, "regexall": _regexall, "replace": _replace}
