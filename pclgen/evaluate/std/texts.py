"""Functions of `std` on texts and paths, and functions that encode, decode and hash.

`format` and `formatlist` have `%s`, `%d`, `%5.2f`, `%[2]q` and the other verbs of Terraform.
"""

from __future__ import annotations

import base64
import binascii
import csv
import hashlib
import io
import json
import posixpath
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final
from urllib.parse import quote_plus

from pclgen.evaluate.std.arguments import (
    Arguments,
    StdFailureError,
    StdFunction,
    as_number,
    as_text,
    json_text,
    kind_of,
    scalar_text,
    shortest,
)
from pclgen.stdlib.graphemes import graphemes
from pclgen.stdlib.values import Pieces, need_parts, need_text
from pclgen.trace.model import PropertyValue

# -- texts and paths --------------------------------------------------------------------------------------------------------

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


# -- formats ----------------------------------------------------------------------------------------------------------------

_VERB: Final = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d+)?(?:\.(?P<precision>\d*))?(?:\[(?P<index>\d+)\])?(?P<verb>.|\Z)", re.DOTALL
)
_LARGEST: Final = 10_000
"""Maximum of widths and precisions."""
_MOST_DIGITS: Final = 9
_SHOWN: Final = 40


def formatted(template: str, values: Sequence[PropertyValue]) -> str:
    """Return `template` with its verbs replaced by the values."""
    pieces = Pieces()
    at = next_value = used = 0
    for match in _VERB.finditer(template):
        pieces.append(template[at : match.start()])
        at = match.end()
        if match["verb"] == "%":
            pieces.append("%")
            continue
        index = next_value if match["index"] is None else _small(match, "index") - 1
        if not 0 <= index < len(values):
            raise StdFailureError(f"{match[0]} has no argument: there are {len(values)}")
        next_value = index + 1
        used = max(used, next_value)
        pieces.append(_written(match, values[index]))
    if used < len(values):
        raise StdFailureError(f"too many arguments: {used} are used of {len(values)}")
    pieces.append(template[at:])
    return pieces.text()


def _small(match: re.Match[str], what: str) -> int:
    """Return a number in a verb; 0 if it is missing."""
    digits = (match[what] or "0").lstrip("0")
    if len(digits) > _MOST_DIGITS:
        raise StdFailureError(f"the {what} of {match[0][:_SHOWN]} is larger than {_LARGEST}")
    return int(digits or "0")


def _written(match: re.Match[str], value: PropertyValue) -> str:
    flags, verb = match["flags"], match["verb"]
    width = _small(match, "width")
    if max(width, _small(match, "precision")) > _LARGEST:
        raise StdFailureError(f"{match[0]} is wider than {_LARGEST}")
    text = _plain(match, verb, value)
    fill = "0" if "0" in flags and "-" not in flags and verb not in "sqvt" else " "
    if fill == "0":
        sign = text[:1] if text[:1] in ("+", "-", " ") else ""
        return sign + text[len(sign) :].rjust(width - len(sign), "0")
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _plain(spec: re.Match[str], verb: str, value: PropertyValue) -> str:
    """Return a formatted value without padding."""
    name = f"the argument of {spec[0]}"
    precision = spec["precision"]
    match verb:
        case "v":
            return json_text(value) if "#" in spec["flags"] or value is None else _default(value)
        case "s":
            text = scalar_text(value, name)
            return text if precision is None else text[: _small(spec, "precision")]
        case "q":
            return json_text(scalar_text(value, name))
        case "t":
            if not isinstance(value, bool):
                raise StdFailureError(f"{name} must be a bool, not {kind_of(value)}")
            return "true" if value else "false"
        case "d" | "b" | "o" | "x" | "X":
            if isinstance(value, str) and verb in "xX":
                return _hexadecimal(as_text(value, name), verb)
            number = as_number(_numeric(value), name)
            if number != int(number):
                raise StdFailureError(f"{name} must be a whole number, not {number}")
            return format(int(number), f"{_sign(spec)}{'' if verb == 'd' or '#' not in spec['flags'] else '#'}{verb}")
        case "f" | "e" | "E" | "g" | "G":
            number = as_number(_numeric(value), name)
            if precision is None and verb in "gG":
                return _general(spec, number, verb)
            digits = 6 if precision is None else _small(spec, "precision")
            return format(float(number), f"{_sign(spec)}.{digits}{verb}")
        case _:
            raise StdFailureError(f"{spec[0] if verb else '%'} is no verb of a format")


def _hexadecimal(text: str, verb: str) -> str:
    """The bytes of a text in hexadecimal digits."""
    digits = text.encode().hex()
    return digits.upper() if verb == "X" else digits


def _default(value: PropertyValue) -> str:
    return scalar_text(value, "the argument") if isinstance(value, str | bool | int | float) else json_text(value)


def _general(match: re.Match[str], number: float, verb: str) -> str:
    """Format `%g` without a precision: with the shortest exact digits."""
    exact = Decimal(repr(float(number))).normalize()
    exponent = exact.adjusted() if exact else 0
    if -4 <= exponent < 6:
        return format(exact, f"{_sign(match)}f")
    mantissa = format(exact.scaleb(-exponent).normalize(), f"{_sign(match)}f")
    return f"{mantissa}{'e' if verb == 'g' else 'E'}{exponent:+03d}"


def _numeric(value: PropertyValue) -> PropertyValue:
    """Return a number, also from its text."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _sign(match: re.Match[str]) -> str:
    return "+" if "+" in match["flags"] else " " if " " in match["flags"] else ""


def _format(args: Arguments) -> PropertyValue:
    return formatted(args.text("input"), args.list("args"))


def _formatlist(args: Arguments) -> PropertyValue:
    template, values = args.text("input"), args.list("args")
    lengths = {len(value) for value in values if isinstance(value, tuple)}
    if len(lengths) > 1:
        raise StdFailureError("the lists among the arguments must have one length")
    pieces = Pieces()
    listed: list[str] = []
    for i in range(next(iter(lengths), 1)):
        text = formatted(template, [value[i] if isinstance(value, tuple) else value for value in values])
        pieces.append(text)
        listed.append(text)
    return tuple(listed)


FORMATS: Final[dict[str, StdFunction]] = {"format": _format, "formatlist": _formatlist}


# -- encodings --------------------------------------------------------------------------------------------------------------


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _base64decode(args: Arguments) -> PropertyValue:
    try:
        return base64.b64decode(args.text("input"), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise StdFailureError("input is not the base64 form of a text in UTF-8") from None


def _jsondecode(args: Arguments) -> PropertyValue:
    text = args.text("input")
    need_parts(sum(map(text.count, "[{,")))
    try:
        return _as_property(json.loads(text, parse_constant=_refuse), _DEEPEST)
    except (ValueError, RecursionError):
        return text  # by the function's description, invalid JSON is returned unchanged


_DEEPEST: Final = 100  # as in a program


def _refuse(word: str) -> PropertyValue:
    raise ValueError(word)


def _as_property(value: object, depth: int) -> PropertyValue:
    if depth == 0:
        raise StdFailureError(f"input is nested too deeply: more than {_DEEPEST} levels")
    match value:
        case list():
            return tuple(_as_property(element, depth - 1) for element in value)
        case dict():
            return {str(key): _as_property(member, depth - 1) for key, member in value.items()}
        case bool() | str() | None:
            return value
        case int() | float():
            return shortest(float(value))
        case _:
            raise ValueError(value)


def _csvdecode(args: Arguments) -> PropertyValue:
    try:
        text = args.text("input")
        need_parts(sum(map(text.count, ",\r\n")))
        rows = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    except csv.Error as problem:
        raise StdFailureError(f"input is not CSV: {problem}") from None
    if not rows:
        raise StdFailureError("input has no line with the names of the columns")
    header, *lines = rows
    if len(set(header)) != len(header):
        raise StdFailureError("two columns have the same name")
    for i, line in enumerate(lines, start=2):
        if len(line) != len(header):
            raise StdFailureError(f"line {i} has {len(line)} fields where the first has {len(header)}")
    return tuple(dict(zip(header, line, strict=True)) for line in lines)


def _md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


def _sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def _bytes(args: Arguments) -> bytes:
    return args.text("input").encode("utf-8", "replace")


ENCODINGS: Final[dict[str, StdFunction]] = {
    "base64decode": _base64decode,
    "base64encode": lambda args: _base64(_bytes(args)),
    "base64sha256": lambda args: _base64(hashlib.sha256(_bytes(args)).digest()),
    "base64sha512": lambda args: _base64(hashlib.sha512(_bytes(args)).digest()),
    "csvdecode": _csvdecode,
    "jsondecode": _jsondecode,
    "jsonencode": lambda args: json_text(args.any("input")),
    "md5": lambda args: _md5(_bytes(args)),
    "sha1": lambda args: _sha1(_bytes(args)),
    "sha256": lambda args: hashlib.sha256(_bytes(args)).hexdigest(),
    "sha512": lambda args: hashlib.sha512(_bytes(args)).hexdigest(),
    "urlencode": lambda args: quote_plus(args.text("input"), errors="replace"),
}
