"""PCL text of values, for tests: texts, numbers and nested values, independent of the program under test.

Python values become PCL expressions with that value (language.md, Literals; Heredocs; Expressions).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
MARKER = "END_OF_TEXT"
_MARK = "\ufeff"  # a byte order mark is valid only at the beginning of a file


def quoted(text: str, *, escaped: bool = False) -> str:
    """`text` as a quoted template; if `escaped`, with escapes for all non-ASCII characters."""
    return '"' + quoted_part(text, escaped=escaped) + '"'


def quoted_part(text: str, *, escaped: bool = False) -> str:
    """The text between the quotes, valid before any following text."""
    parts: list[str] = []
    for index, c in enumerate(text):
        if c in _ESCAPES:
            parts.append(_ESCAPES[c])
        elif c in "$%" and text[index + 1 : index + 2] in ("{", ""):
            doubled = text[index + 1 :] and not escaped
            parts.append(c * 2 if doubled else f"\\u{ord(c):04x}")
        elif unicodedata.category(c) in ("Cc", "Zl", "Zp") or c == _MARK or (escaped and not c.isascii()):
            parts.append(f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}")
        else:
            parts.append(c)
    return "".join(parts)


def fits_heredoc(text: str) -> bool:
    """Whether a heredoc can represent the text: it ends with a newline, without control characters or the marker.

    Tabs are allowed, and the marker may not be a line of its own.
    """
    plain = all(c in "\n\t" or (unicodedata.category(c) != "Cc" and c != _MARK) for c in text)
    return plain and text.endswith("\n") and all(line.strip() != MARKER for line in text.split("\n"))


def heredoc(text: str) -> str:
    """`text`, for which `fits_heredoc` holds, as a heredoc, up to the marker (a newline must follow)."""
    content = "".join(
        c * 2 if c in "$%" and text[index + 1 : index + 2] == "{" else c for index, c in enumerate(text)
    )
    return f"<<{MARKER}\n{content}{MARKER}"


def number(value: float) -> str:
    """A number; its text may have an exponent."""
    return str(value) if isinstance(value, int) else repr(value)


def decimal_text(value: float) -> str:
    """The text of a number inside a template: its shortest decimal form."""
    digits = f"{Decimal(repr(value)):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def literal(value: object, *, escaped: bool = False) -> str:
    """Any JSON value."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number(value)
        case str():
            return quoted(value, escaped=escaped)
        case Mapping():
            items = [f"{quoted(key, escaped=escaped)} = {literal(v, escaped=escaped)}" for key, v in value.items()]
            return "{ " + ", ".join(items) + " }" if items else "{}"
        case Sequence():
            return "[" + ", ".join(literal(element, escaped=escaped) for element in value) + "]"
        case _:
            raise TypeError(f"no JSON value: {value!r}")
