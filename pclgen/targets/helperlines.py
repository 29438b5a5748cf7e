"""The file for the helpers of a program.

Helpers with more than `MOST` lines in total go to a file beside the program: `_helpers.py`, `helpers.ts`, `helpers.go`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pclgen.source.text import split_lines

MOST = 20


def go_beside(templates: Iterable[str]) -> bool:
    """Return whether the helpers in `templates` go to a file beside the program.

    Users' templates do not count, so they cannot change the set of files.
    """
    return sum(map(_lines, set(templates))) > MOST


@cache
def _lines(template: str) -> int:
    """Return the number of lines of a helper, without blank lines and comments outside the function."""
    from pclgen.emit.environment import render

    return sum(1 for line in split_lines(render(template)) if line.strip() and not line.startswith(("//", "/*", "#")))
