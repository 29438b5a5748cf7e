"""`format` and `formatlist` of `std`: `%s`, `%d`, `%5.2f`, `%[2]q` and the other verbs of Terraform."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from pclgen.evaluate.std.arguments import (
    Arguments,
    StdFailureError,
    StdFunction,
    as_number,
    as_text,
    json_text,
    kind_of,
    scalar_text,
)
from pclgen.stdlib.values import Pieces
from pclgen.trace.model import PropertyValue

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
