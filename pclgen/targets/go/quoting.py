"""Go string literals: the only module that quotes.

To the Go compiler, the value of the literal is the text.
"""

from __future__ import annotations

import re
from functools import lru_cache

_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    '"': '\\"',
    "\\": "\\\\",
}


def quote(text: str) -> str:
    """Return an interpreted literal: `"a\\n"`. Lone surrogates, invalid in Go, become the replacement character."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(map(_escaped, text)) + '"'


@lru_cache(maxsize=4096)
def _escaped(c: str) -> str:
    escape = _ESCAPES.get(c)
    if escape is not None:
        return escape
    if c.isprintable():
        return c
    code = ord(c)
    if 0xD800 <= code <= 0xDFFF:
        return "\\ufffd"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def can_be_raw(text: str) -> bool:
    """Return whether a raw literal can contain `text` (it drops carriage returns, has no escapes) and show it faithfully."""
    return all(c in "\n\t" or (c != "`" and c.isprintable()) for c in text)


def raw(text: str) -> str:
    """Return a raw literal; only for texts that `can_be_raw`."""
    return f"`{text}`"


def literals(text: str, *, multiline: bool) -> list[str]:
    """Return the most readable literals for `text`, to be joined.

    For text of several lines, `multiline` requests a raw literal, or one literal per line if a raw literal cannot contain
    the text.
    """
    if not multiline or "\n" not in text.rstrip("\n"):
        return [quote(text)]
    if can_be_raw(text):
        return [raw(text)]
    return [quote(line) for line in re.findall(r"[^\n]*\n|[^\n]+", text)]


def tag(**names: str) -> str:
    """Return the text of a struct tag: `pulumi:"size"`."""
    return " ".join(f"{key}:{quote(name)}" for key, name in names.items())


def tag_literal(text: str) -> str:
    """Return the literal of a struct tag."""
    return raw(text) if can_be_raw(text) else quote(text)
