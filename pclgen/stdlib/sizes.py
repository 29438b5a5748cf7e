"""Size limits for the results of functions.

Functions whose results can be much larger than their arguments check the size before they make them: afterwards the
memory is exhausted.
"""

from __future__ import annotations

from typing import Final

MOST_TEXT: Final = 20_000_000
"""Maximum number of characters in a text of a function or a template: repeated use of its own result doubles it each time.
"""

MOST_PARTS: Final = 1_000_000
"""Maximum number of parts of a value, including parts of parts."""


class TooLargeError(Exception):
    """A function would make a value larger than any deployment can need; the message states the limit."""


def need_text(characters: int) -> None:
    """Check that a text of this length may be made.  Raises `TooLargeError`."""
    if characters > MOST_TEXT:
        raise TooLargeError(f"a text of more than {MOST_TEXT:,} characters is too large")


def need_parts(parts: int) -> None:
    """Check that a value of this many parts may be made.  Raises `TooLargeError`."""
    if parts > MOST_PARTS:
        raise TooLargeError(f"a value of more than {MOST_PARTS:,} parts is too large")


class Pieces:
    """The pieces of a text under construction, counted on arrival."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0

    def append(self, piece: str) -> None:
        """Append a piece.  Raises `TooLargeError`."""
        self._size += len(piece)
        need_text(self._size)
        self._pieces.append(piece)

    def text(self) -> str:
        """Return the text of all pieces."""
        return "".join(self._pieces)
