"""Arithmetic of `std`: functions on numbers, on ranges of IP addresses (in CIDR notation), on points in time (RFC 3339).

The conversions to numbers, bools and texts are here, too.
"""

from __future__ import annotations

import ipaddress
import math
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, TypeAlias

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction, as_number, kind_of, scalar_text, shortest
from pclgen.trace.model import PropertyValue

# -- numbers ----------------------------------------------------------------------------------------------------------------

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


# -- networks ---------------------------------------------------------------------------------------------------------------

_Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_CIDR: Final = re.compile(r"[^/%]+/\d{1,3}", re.ASCII)


def _network(args: Arguments) -> _Network:
    text = args.text("input")
    try:
        if _CIDR.fullmatch(text):
            return ipaddress.ip_network(text, strict=False)
    except ValueError:
        pass
    raise StdFailureError(f"{text!r} is no range of addresses in CIDR notation, as 10.0.0.0/8 is")


def _cidrhost(args: Arguments) -> PropertyValue:
    network, host = _network(args), args.whole("host")
    if not -network.num_addresses <= host < network.num_addresses:
        raise StdFailureError(f"{network} has no host {host}: it has {network.num_addresses} addresses")
    return str(network[host])


def _cidrnetmask(args: Arguments) -> PropertyValue:
    network = _network(args)
    if network.version != 4:
        raise StdFailureError(f"{network} is a range of IPv6 addresses, which have no netmask")
    return str(network.netmask)


def _longer(network: _Network, bits: int) -> int:
    """The prefix length with `bits` more."""
    length = network.prefixlen + bits
    if bits < 0 or length > network.max_prefixlen:
        raise StdFailureError(f"{network} cannot be extended by {bits} bits")
    return length


def _at(network: _Network, address: int, length: int) -> str:
    kind = ipaddress.IPv4Network if network.version == 4 else ipaddress.IPv6Network
    return str(kind((address, length)))


def _cidrsubnet(args: Arguments) -> PropertyValue:
    network, bits, number = _network(args), args.whole("newbits"), args.whole("netnum")
    length = _longer(network, bits)
    if not 0 <= number < 2**bits:
        raise StdFailureError(f"{bits} more bits have no network number {number}")
    return _at(network, int(network.network_address) + (number << (network.max_prefixlen - length)), length)


def _cidrsubnets(args: Arguments) -> PropertyValue:
    network = _network(args)
    subnets: list[str] = []
    address = int(network.network_address)
    end = address + network.num_addresses
    for i, newbits in enumerate(args.list("newbits")):
        bits = int(as_number(newbits, f"newbits[{i}]"))
        if bits < 1:
            raise StdFailureError(f"newbits[{i}] must be at least 1, not {bits}")
        length = _longer(network, bits)
        size = 1 << (network.max_prefixlen - length)
        address = -(-address // size) * size  # the next aligned address
        if address + size > end:
            raise StdFailureError(f"{network} has no room for newbits[{i}]")
        subnets.append(_at(network, address, length))
        address += size
    return tuple(subnets)


NETWORKS: Final[dict[str, StdFunction]] = {
    "cidrhost": _cidrhost,
    "cidrnetmask": _cidrnetmask,
    "cidrsubnet": _cidrsubnet,
    "cidrsubnets": _cidrsubnets,
}


# -- times ------------------------------------------------------------------------------------------------------------------

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
