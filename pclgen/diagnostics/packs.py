"""Diagnostics of packs.

Their codes are PCL15xx. They have no place in a program, since packs are not written by hand.
"""

from __future__ import annotations

from pclgen.diagnostics.make import error, note
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import one_line

_AGAIN = "create it again from its sources: `pclgen pack PROGRAM`"


def no_pack(name: str, reason: str, pointer: str = "") -> Diagnostic:
    """PCL1501: a file is not a pack, or was changed."""
    where = f" at {one_line(pointer)}" if pointer else ""
    message = f"`{one_line(name)}` is not a valid pack: {one_line(reason)}{where}"
    return error("PCL1501", message, None, help=_AGAIN)


def inconsistent(name: str, reason: str) -> Diagnostic:
    """PCL1501: the parts of a pack are valid by themselves but contradict each other."""
    message = f"`{one_line(name)}` is not a valid pack: its parts contradict each other"
    return error("PCL1501", message, None, notes=[note(one_line(reason))], help=_AGAIN)


def newer_pack(name: str, reason: str) -> Diagnostic:
    """PCL1502: a pack in a format newer than this version of pclgen."""
    message = f"`{one_line(name)}` is a pack of a newer version of pclgen: {one_line(reason)}"
    return error("PCL1502", message, None, help="upgrade pclgen, or create the pack again with this version")
