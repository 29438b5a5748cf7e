"""Functions of `std` on ranges of IP addresses in CIDR notation."""

from __future__ import annotations

import ipaddress
import re
from typing import Final, TypeAlias

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction, as_number
from pclgen.trace.model import PropertyValue

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
