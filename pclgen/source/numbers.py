"""Written numbers: in programs, texts, configuration and JSON.

Decimal digits are an int when the number is whole, else a `Decimal`, and None when no double can hold them. Every number
from here converts cheaply to an int, a double or a text.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Final

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_EXACT: Final = 400
"""Maximum length of a text whose digits are kept: more digits do not change the double."""


def read_number(text: str) -> int | Decimal | None:
    """Return the number in `text`, ignoring spaces around it; None if there is none, or it is larger than any double.

    A number too small for a double is 0.
    """
    stripped = text.strip()
    if _NUMBER.fullmatch(stripped) is None:
        return None
    double = float(stripped)
    if math.isinf(double):
        return None
    if double == 0:
        return 0
    value = Decimal(stripped if len(stripped) <= _EXACT else repr(double))
    return int(value) if value == value.to_integral_value() else value


def read_integer(text: str) -> int | None:
    """Return the int in `text`, in digits: `24`, `-7`; None for all other texts, such as `24.0` and `1e3`."""
    number = read_number(text) if _INTEGER.fullmatch(text) else None
    return number if isinstance(number, int) else None


def read_bool(text: str) -> bool | None:
    """Return the bool in `text`, as HCL reads it: `true` or `1`, `false` or `0`; None for all other texts."""
    return {"true": True, "1": True, "false": False, "0": False}.get(text)


def decimal_text(value: int | Decimal) -> str:
    """Return the shortest decimal form without an exponent, as a number has it in templates and JSON."""
    if isinstance(value, int):
        return str(value)
    digits = format(value, "f")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return "0" if digits in ("-0", "") else digits
