"""Functions of `std` that encode, decode and hash."""

from __future__ import annotations

import base64
import binascii
import csv
import hashlib
import io
import json
from typing import Final
from urllib.parse import quote_plus

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction, json_text, shortest
from pclgen.stdlib.values import need_parts
from pclgen.trace.model import PropertyValue


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
