"""Functions of `std` on texts and paths."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Final

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction
from pclgen.stdlib.graphemes import graphemes
from pclgen.stdlib.values import need_parts, need_text
from pclgen.trace.model import PropertyValue

_SPACES: Final = "\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""White space by Unicode; Python's `strip` also removes some control characters."""


def _upper_character(character: str) -> str:
    raised = character.upper()
    return raised if len(raised) == 1 else character  # no ß to SS: characters are mapped one by one


def _lower_character(character: str) -> str:
    return character.lower()[0]


def _upper(args: Arguments) -> PropertyValue:
    text = args.text("input")
    return text.upper() if text.isascii() else "".join(map(_upper_character, text))


def _lower(args: Arguments) -> PropertyValue:
    text = args.text("input")
    return text.lower() if text.isascii() else "".join(map(_lower_character, text))


def _title(args: Arguments) -> PropertyValue:
    characters: list[str] = []
    inside = False
    for character in args.text("input"):
        characters.append(character if inside else _upper_character(character))
        # An apostrophe separates words, an underscore does not.
        inside = character.isalnum() or character == "_"
    return "".join(characters)


def _substr(args: Arguments) -> PropertyValue:
    clusters = _characters(args)
    offset, length = args.whole("offset"), args.whole("length")
    if offset < 0:
        offset = max(0, offset + len(clusters))
    return "".join(clusters[offset:] if length < 0 else clusters[offset : offset + length])


def _characters(args: Arguments) -> Sequence[str]:
    text = args.text("input")
    need_parts(len(text))
    return graphemes(text)


def _join(args: Arguments) -> PropertyValue:
    separator, texts = args.text("separator"), args.texts("input")
    need_text(len(separator) * max(0, len(texts) - 1) + sum(map(len, texts)))
    return separator.join(texts)


def _split(args: Arguments) -> PropertyValue:
    text, separator = args.text("text"), args.text("separator")
    need_parts(text.count(separator))
    return tuple(text.split(separator) if separator else text)


def _indent(args: Arguments) -> PropertyValue:
    spaces = args.whole("spaces")
    if not 0 <= spaces <= _MOST_SPACES:
        raise StdFailureError(f"spaces must be between 0 and {_MOST_SPACES}, not {spaces}")
    text = args.text("input")
    need_text(len(text) + text.count("\n") * spaces)
    return text.replace("\n", "\n" + " " * spaces)


_MOST_SPACES: Final = 10_000


def _basename(args: Arguments) -> PropertyValue:
    path = args.text("input")
    return posixpath.basename(path.rstrip("/")) or ("/" if path else ".")


def _dirname(args: Arguments) -> PropertyValue:
    head = posixpath.split(args.text("input"))[0]
    return "/" if head.startswith("/") and not head.strip("/") else posixpath.normpath(head)


TEXTS: Final[dict[str, StdFunction]] = {
    "upper": _upper,
    "lower": _lower,
    "title": _title,
    "substr": _substr,
    "strrev": lambda args: "".join(reversed(_characters(args))),
    "split": _split,
    "join": _join,
    "indent": _indent,
    "chomp": lambda args: args.text("input").rstrip("\r\n"),
    "trim": lambda args: args.text("input").strip(args.text("cutset")),
    "trimprefix": lambda args: args.text("input").removeprefix(args.text("prefix")),
    "trimsuffix": lambda args: args.text("input").removesuffix(args.text("suffix")),
    "trimspace": lambda args: args.text("input").strip(_SPACES),
    "startswith": lambda args: args.text("input").startswith(args.text("prefix")),
    "endswith": lambda args: args.text("input").endswith(args.text("suffix")),
    "basename": _basename,
    "dirname": _dirname,
}
