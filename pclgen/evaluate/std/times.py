"""Functions of `std` on points in time, in the notation of RFC 3339."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction
from pclgen.trace.model import PropertyValue

_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\d*(Z|[+-]\d\d:\d\d)", re.ASCII)
_DURATION: Final = re.compile(r"[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)", re.ASCII)
_PART: Final = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_MICROSECONDS: Final = {
    "ns": Decimal("0.001"),
    "us": Decimal(1),
    "µs": Decimal(1),
    "μs": Decimal(1),
    "ms": Decimal(1000),
    "s": Decimal(10**6),
    "m": Decimal(60 * 10**6),
    "h": Decimal(3600 * 10**6),
}


def _time(args: Arguments, name: str) -> datetime:
    text = args.text(name)
    match = _STAMP.fullmatch(text)
    try:
        if match is not None:
            return datetime.fromisoformat(f"{text[:19]}{match[1] or ''}{match[2]}")
    except ValueError:
        pass
    raise StdFailureError(f"{name} must be a time as 2017-11-22T00:00:00Z is, not {text!r}")


def _duration(args: Arguments) -> timedelta:
    text = args.text("duration")
    if _DURATION.fullmatch(text) is None:
        raise StdFailureError(f"duration must be one as 1h30m is, not {text!r}")
    try:
        total = sum((Decimal(number) * _MICROSECONDS[unit] for number, unit in _PART.findall(text)), Decimal())
        return timedelta(microseconds=int(-total if text.startswith("-") else total))
    except ArithmeticError:
        raise StdFailureError(f"the duration {text!r} is too long") from None


def _timeadd(args: Arguments) -> PropertyValue:
    try:
        later = _time(args, "timestamp") + _duration(args)
    except OverflowError:
        raise StdFailureError("the resulting time is not in the years 1 to 9999") from None
    return later.isoformat(timespec="seconds").replace("+00:00", "Z")


def _timecmp(args: Arguments) -> PropertyValue:
    first, second = _time(args, "timestampa"), _time(args, "timestampb")
    return (first > second) - (first < second)


TIMES: Final[dict[str, StdFunction]] = {"timeadd": _timeadd, "timecmp": _timecmp}
