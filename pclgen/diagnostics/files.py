"""Diagnostics of the files that a program names.

They are warnings with codes PCL11xx.
"""

from __future__ import annotations

from typing import Final

from pclgen.diagnostics.make import warning
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import Span

MISSING_FILE: Final = "PCL1101"


def missing_file(path: str, span: Span, reason: str) -> Diagnostic:
    """PCL1101: the program names a missing file."""
    return warning(
        MISSING_FILE,
        f"`{path}`: {reason}",
        span,
        "used here",
        help="correct the path: it is relative to the directory of the program",
    )


def file_not_copied(path: str, span: Span, reason: str) -> Diagnostic:
    """PCL1102: a file that the program names exists, but is not copied beside the generated program."""
    return warning(
        "PCL1102",
        f"`{path}` is not copied: {reason}",
        span,
        "used here",
        help="move it into the directory of the program, or copy it to each project yourself",
    )
