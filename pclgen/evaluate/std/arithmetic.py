"""Arithmetic of `std`: functions on numbers, and conversions to numbers, bools and texts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction, kind_of, scalar_text, shortest
from pclgen.trace.model import PropertyValue

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ANY_CASE: Final = 36
"""Up to this base, lowercase and uppercase digits are equal."""

_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LONGEST_RANGE: Final = 1024
"""The limit of Terraform."""


def _computed(compute: Callable[[], float], words: str) -> PropertyValue:
    try:
        result = compute()
    except (ValueError, OverflowError, ZeroDivisionError):
        raise StdFailureError(f"{words} is not a finite number") from None
    if isinstance(result, complex) or not math.isfinite(result):
        raise StdFailureError(f"{words} is not a finite number")
    return shortest(result)


def _log(args: Arguments) -> PropertyValue:
    number, base = args.number("input"), args.number("base")
    return _computed(lambda: math.log(number) / math.log(base), f"the logarithm of {number} to the base {base}")


def _pow(args: Arguments) -> PropertyValue:
    base, exponent = args.number("base"), args.number("exponent")
    return _computed(lambda: math.pow(base, exponent), f"{base} to the power of {exponent}")


def _signum(args: Arguments) -> PropertyValue:
    number = args.number("input")
    return (number > 0) - (number < 0)


def _parseint(args: Arguments) -> PropertyValue:
    text, base = args.text("input"), args.whole("base", 10)
    if not 2 <= base <= len(_DIGITS):
        raise StdFailureError(f"base must be between 2 and {len(_DIGITS)}, not {base}")
    digits = text[1:] if text[:1] in ("+", "-") else text
    if base <= _ANY_CASE:
        digits = digits.lower()
    number = 0
    for digit in digits:
        place = _DIGITS.find(digit)
        if not 0 <= place < base or number > 2**63:
            number = -1
            break
        number = number * base + place
    if not digits or not 0 <= number < 2**63:
        raise StdFailureError(f"{text!r} is not a whole number of at most 64 bits to the base {base}")
    return -number if text[0] == "-" else number


def _largest(args: Arguments, choose: Callable[[list[float]], float]) -> PropertyValue:
    numbers = list(args.numbers("input"))
    if not numbers:
        raise StdFailureError("input must have at least one number")
    return _computed(lambda: choose(numbers), "the result")


def _range(args: Arguments) -> PropertyValue:
    limit = args.number("limit")
    start = 0 if args.any("start") is None else args.number("start")
    step = (1 if limit >= start else -1) if args.any("step") is None else args.number("step")
    if step == 0 or (limit - start) * step < 0:
        raise StdFailureError(f"steps of {step} do not lead from {start} to {limit}")
    if (limit - start) / step > _LONGEST_RANGE:
        raise StdFailureError(f"more than {_LONGEST_RANGE} numbers from {start} to {limit}")
    numbers: list[int | float] = []
    number: int | float = start
    while number < limit if step > 0 else number > limit:
        numbers.append(shortest(number))
        number += step
    return tuple(numbers)


def _tonumber(args: Arguments) -> PropertyValue:
    match value := args.any("input"):
        case bool():
            pass
        case None | int() | float():
            return value
        case str() if _NUMBER.fullmatch(value):
            return int(value) if value.lstrip("+-").isdigit() and len(value) < 16 else _computed(lambda: float(value), value)
        case _:
            pass
    raise StdFailureError(f"{_shown(value)} is not a number")


def _tobool(args: Arguments) -> PropertyValue:
    match value := args.any("input"):
        case None | bool():
            return value
        case "true" | "false":
            return value == "true"
        case _:
            raise StdFailureError(f'{_shown(value)} is neither a bool nor "true" or "false"')


def _tostring(args: Arguments) -> PropertyValue:
    value = args.any("input")
    return None if value is None else scalar_text(value, "input")


def _shown(value: PropertyValue) -> str:
    return repr(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else kind_of(value)


NUMBERS: Final[dict[str, StdFunction]] = {
    "abs": lambda args: abs(args.number("input")),
    "ceil": lambda args: math.ceil(args.number("input")),
    "floor": lambda args: math.floor(args.number("input")),
    "log": _log,
    "pow": _pow,
    "signum": _signum,
    "parseint": _parseint,
    "max": lambda args: _largest(args, max),
    "min": lambda args: _largest(args, min),
    "sum": lambda args: _largest(args, sum),
    "range": _range,
    "tonumber": _tonumber,
    "tobool": _tobool,
    "tostring": _tostring,
}
