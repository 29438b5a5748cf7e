"""How many lines of helpers stand in the files of a program.

More than `MOST` stand in a file beside the program: `_helpers.py`, `helpers.ts`, `helpers.go`.
"""

from __future__ import annotations

from collections.abc import Iterable

from pclgen.emit.overlay import Overlay

MOST = 20


def are_too_many(templates: Iterable[str], overlay: Overlay | None = None) -> bool:
    """Whether the helpers in `templates` have more than `MOST` lines, without blank lines and comments above them."""
    return sum(_lines(template, overlay) for template in set(templates)) > MOST


def _lines(template: str, overlay: Overlay | None) -> int:
    from pclgen.emit.environment import render

    text = render(template, overlay)
    return sum(1 for line in text.splitlines() if line.strip() and not line.startswith(("//", "/*", "#")))
