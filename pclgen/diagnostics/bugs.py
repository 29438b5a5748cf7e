"""What is told of a mistake of pclgen itself, wherever it shows: on the command line, in a build, to the Pulumi CLI."""

from __future__ import annotations

from typing import Final

REPORT: Final = "this is a bug in pclgen, not in your program: please report it, with the program"
"""What to do about it."""
REPORT_WITH_TRACEBACK: Final = f"{REPORT} and what PCLGEN_TRACEBACK=1 prints"
"""The same where that variable is heeded."""


def own_failure(error: BaseException) -> str:
    """Return what failed, as the beginning of a sentence."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"pclgen itself failed ({what})"
