"""The report of a bug in pclgen itself, on the command line, in a build and to the Pulumi CLI."""

from __future__ import annotations

from typing import Final

REPORT: Final = "this is a bug in pclgen, not in your program: please report it, with the program"
"""The request to the user."""
REPORT_WITH_TRACEBACK: Final = f"{REPORT} and what PCLGEN_TRACEBACK=1 prints"
"""The same, where pclgen reads that variable."""


def own_failure(error: BaseException) -> str:
    """Return the failure as the start of a sentence."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"pclgen itself failed ({what})"
