"""Text forms: `toJSON`, `toBase64`, `fromBase64`, `sha1`.

The evaluator writes JSON in its canonical form: keys in order of code points, no spaces, only JSON's necessary
escapes, numbers in the shortest form that means the same double, with an exponent from 1e21 on and below 1e-6 (as JavaScript
and Go have it).  `lower.program` decides which texts have that form in generated programs, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from pclgen.stdlib.model import (
    UNKNOWN,
    Argument,
    BadArgumentError,
    Blob,
    Function,
    Lifting,
    Parameter,
    Unknown,
    Value,
)
from pclgen.stdlib.values import Pieces, text
from pclgen.types import model as ty

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_ESCAPES = {**{code: f"\\u{code:04x}" for code in range(0x20)}, **{ord(char): text for char, text in _SHORT.items()}}
_WHOLE = 2**63  # ints are exact up to here; larger numbers are doubles
_NO_ASSET = "an asset or archive cannot be written as JSON"


def _json_result(arguments: Sequence[Argument]) -> ty.Type:
    if _has_asset(ty.resolve(arguments[0].type)):
        raise BadArgumentError(0, _NO_ASSET, "pass it to the property of a resource that takes assets")
    return ty.STRING


def _has_asset(t: ty.Type) -> bool:
    """Return whether a value of structural type `t` may contain an asset; declared objects are not searched."""
    if isinstance(t, ty.UnionType):
        return all(map(_has_asset, t.members))
    return t in (ty.ASSET, ty.ARCHIVE) or any(map(_has_asset, ty.parts(t)))


def _to_json(value: Value) -> Value:
    parts = Pieces()
    return parts.text() if _write(value, parts) else UNKNOWN


def _write(value: Value, parts: Pieces) -> bool:
    """Append the JSON of `value`; False when a part of it is unknown."""
    match value:
        case Unknown():
            return False
        case None:
            parts.append("null")
        case bool():
            parts.append("true" if value else "false")
        case int() | Decimal():
            parts.append(_number(value))
        case str():
            parts.append(_quote(value))
        case list():
            return _write_list(value, parts)
        case dict():
            return _write_object(value, parts)
        case Blob():
            raise BadArgumentError(0, _NO_ASSET)
        case _:
            raise BadArgumentError(0, "expected a value of PCL")
    return True


def _write_list(value: list[Value], parts: Pieces) -> bool:
    is_known = True
    parts.append("[")
    for index, element in enumerate(value):
        if index:
            parts.append(",")
        is_known = _write(element, parts) and is_known
    parts.append("]")
    return is_known


def _write_object(value: dict[str, Value], parts: Pieces) -> bool:
    is_known = True
    parts.append("{")
    for index, (key, member) in enumerate(sorted(value.items(), key=lambda item: item[0])):
        parts.append(f"{',' if index else ''}{_quote(key)}:")
        is_known = _write(member, parts) and is_known
    parts.append("}")
    return is_known


def _number(value: int | Decimal) -> str:
    if isinstance(value, int) and abs(value) < _WHOLE:
        return str(value)
    double = float(value)
    if double == 0:
        return "0"
    if 1e-6 <= abs(double) < 1e21:
        digits = format(Decimal(repr(double)), "f")
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    return repr(double).replace("e-0", "e-")


def _quote(value: str) -> str:
    escaped = value.translate(_ESCAPES)
    return f'"{escaped}"'


def _to_base64(value: Value) -> Value:
    from base64 import b64encode

    return b64encode(text(value, 0).encode()).decode("ascii")


def _from_base64(value: Value) -> Value:
    """Return the text; UNKNOWN where the bytes are not UTF-8, because their text depends on the program's SDK."""
    from binascii import Error, a2b_base64

    try:
        # Line ends are allowed, as in the reference host.
        data = a2b_base64(text(value, 0).replace("\r", "").replace("\n", "").encode("ascii"), strict_mode=True)
    except (Error, UnicodeEncodeError):
        raise BadArgumentError(0, "this is not base64", "the letters are A-Z a-z 0-9 + /, padded with =") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return UNKNOWN


def _sha1(value: Value) -> Value:
    from hashlib import sha1

    return sha1(text(value, 0).encode(), usedforsecurity=False).hexdigest()


_TO_JSON = Function(
    name="toJSON",
    doc="The value as JSON text.",
    result=_json_result,
    parameters=(Parameter(name="value", doc="Any value but assets.", allow_null=True),),
    lifting=Lifting.KEEP,
    implementation=_to_json,
    example='toJSON({ Version = "2012-10-17" })',
)

CANONICAL_JSON = replace(_TO_JSON, name="canonicalJSON")
"""The function that replaces `toJSON` in lowering where the text needs the same bytes in every language."""

FUNCTIONS = (
    _TO_JSON,
    Function(
        name="toBase64",
        doc="The UTF-8 bytes of a text, in base64 with padding.",
        result=lambda _: ty.STRING,
        parameters=(Parameter(name="text", doc="The text to encode.", type=ty.STRING),),
        implementation=_to_base64,
        example='toBase64("hello")',
    ),
    Function(
        name="fromBase64",
        doc="The text that base64 encodes.",
        result=lambda _: ty.STRING,
        parameters=(Parameter(name="encoded", doc="Base64 with padding.", type=ty.STRING),),
        implementation=_from_base64,
        example='fromBase64("aGVsbG8=")',
    ),
    Function(
        name="sha1",
        doc="The SHA-1 digest of a text's UTF-8 bytes, in lower-case hexadecimal.",
        result=lambda _: ty.STRING,
        parameters=(Parameter(name="text", doc="The text to digest.", type=ty.STRING),),
        implementation=_sha1,
        example='sha1("hello")',
    ),
)
