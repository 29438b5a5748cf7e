"""Diagnostics of packs.

Their codes are PCL15xx. They have no place in a program, since packs are not written by hand.
"""

from __future__ import annotations

from pclgen.diagnostics.make import short
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.source.text import one_line


def no_pack(name: str, reason: str, pointer: str = "") -> Diagnostic:
    """PCL1501: a file is not a pack, or was changed."""
    where = f" at {one_line(pointer)}" if pointer else ""
    return Diagnostic(
        code="PCL1501",
        severity=Severity.ERROR,
        message=short(f"`{one_line(name)}` is not a valid pack: {one_line(reason)}{where}"),
        primary=None,
        help="create it again from its sources: `pclgen pack PROGRAM`",
    )


def inconsistent(name: str, reason: str) -> Diagnostic:
    """PCL1501: the parts of a pack are valid by themselves but contradict each other."""
    return Diagnostic(
        code="PCL1501",
        severity=Severity.ERROR,
        message=f"`{one_line(name)}` is not a valid pack: its parts contradict each other",
        primary=None,
        notes=(Note(message=short(one_line(reason))),),
        help="create it again from its sources: `pclgen pack PROGRAM`",
    )


def newer_pack(name: str, reason: str) -> Diagnostic:
    """PCL1502: a pack in a format newer than this version of pclgen."""
    return Diagnostic(
        code="PCL1502",
        severity=Severity.ERROR,
        message=short(f"`{one_line(name)}` is a pack of a newer version of pclgen: {one_line(reason)}"),
        primary=None,
        help="upgrade pclgen, or create the pack again with this version",
    )
