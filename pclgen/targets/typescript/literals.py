"""Strings, names and numbers as TypeScript text.

Every string of a generated program is written here. Quotes follow prettier: double, unless they need more escapes than
single quotes.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Final

from pclgen.types.model import ConstValue

_SHORT: Final = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v"}

# Joiners belong to emoji and to scripts: they stay. Other invisible characters are shown as escapes.
_JOINERS: Final = "\u200c\u200d"
_HIDDEN: Final = ("Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co")

_SPECIAL: Final = re.compile(r"[\\`]|\$\{")
"""Printable ASCII text that has an escape in a template literal."""

_ASCII_NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")
_LETTERS: Final = ("Lu", "Ll", "Lt", "Lm", "Lo", "Nl")
_MARKS: Final = ("Mn", "Mc", "Nd", "Pc")


def quote(value: str) -> str:
    """`value` as a string literal."""
    mark = "'" if value.count('"') > value.count("'") else '"'
    if value.isascii() and value.isprintable() and mark not in value and "\\" not in value:
        return mark + value + mark
    return mark + "".join("\\" + c if c == mark else _escaped(c) for c in value) + mark


def template_text(value: str) -> str:
    """`value` as text inside a template literal; line breaks and tabs stay as they are."""
    if value.isascii() and value.isprintable() and not _SPECIAL.search(value):
        return value
    parts: list[str] = []
    for at, c in enumerate(value):
        if c in "\n\t":
            parts.append(c)
        elif c == "`" or (c == "$" and value[at + 1 : at + 2] == "{"):
            parts.append("\\" + c)
        else:
            parts.append(_escaped(c))
    return "".join(parts)


@lru_cache(maxsize=4096)
def _escaped(c: str) -> str:
    short = _SHORT.get(c)
    if short is not None:
        return short
    if (c.isascii() and c.isprintable()) or c in _JOINERS or unicodedata.category(c) not in _HIDDEN:
        return c
    code = ord(c)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\u{{{code:x}}}"


def is_identifier(name: str) -> bool:
    """Return whether `name` may be a variable's name, apart from reserved words."""
    if name.isascii():
        return _ASCII_NAME.match(name) is not None
    return _starts_name(name[0]) and all(_starts_name(c) or unicodedata.category(c) in _MARKS for c in name)


def _starts_name(c: str) -> bool:
    return c in "_$" or unicodedata.category(c) in _LETTERS


def is_identifier_part(c: str) -> bool:
    """Return whether `c` may be inside a variable's name."""
    return _starts_name(c) or unicodedata.category(c) in _MARKS


@lru_cache(maxsize=4096)
def property_key(name: str) -> str:
    """`name` as a key of an object: quoted only where it must be."""
    plain = is_identifier(name) and (name.isascii() or all(ord(c) <= 0xFFFF for c in name))
    return name if plain else quote(name)


def number(value: int | Decimal) -> str:
    """The absolute value of a number as a literal: `3`, `0.25`, `1e21`."""
    magnitude = abs(Decimal(value))
    if magnitude == int(magnitude) and magnitude < 10**21:
        return str(int(magnitude))
    return _exponent_form(repr(float(magnitude)))


def constant(value: ConstValue) -> str:
    """A value as a literal: `"x"`, `true`, `-3`."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case _:
            return f"{'-' if value < 0 else ''}{number(value)}"


def _exponent_form(text: str) -> str:
    """Prettier's form: no `+`, no redundant zeros."""
    mantissa, _, exponent = text.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
