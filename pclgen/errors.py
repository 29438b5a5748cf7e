"""Failures: the base of errors that a user can resolve, and the report of a bug in pclgen itself.

The command line, a build and the Pulumi CLI get the same report.
"""

from __future__ import annotations

from typing import Final


class UserError(Exception):
    """A failure that is no bug of pclgen: the text says what is wrong, `hint` is the next step, if it is known."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


REPORT: Final = "this is a bug in pclgen, not in your program: please report it, with the program"
"""The request to the user."""
REPORT_WITH_TRACEBACK: Final = f"{REPORT} and what PCLGEN_TRACEBACK=1 prints"
"""The same, where pclgen reads that variable."""


def own_failure(error: BaseException) -> str:
    """Return the failure as the start of a sentence."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"pclgen itself failed ({what})"
