"""gofmt's columns: keys of composite literals, fields of structs, constants.

Comes in: heads of rows, or the cells of a whole section.  Goes out: how wide columns are.  Widths are counted in characters,
as gofmt does, not in columns of a terminal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from pclgen.layout import Cell

_SMALL_KEY: Final = 40
"""Keys up to this size always share a column."""
_KEY_RATIO: Final = 2.5
"""Beyond it, keys share one unless their sizes differ by this factor."""


def pad_keys(rows: Sequence[Cell | None]) -> list[int]:
    """The blanks behind each key (with its colon) of a composite literal.

    Neighbours that take one line each share a column; a value of several lines, a line without a key, or a large change
    of key size (in bytes) begins a new one.
    """
    blanks = [0] * len(rows)
    section: dict[int, str] = {}
    logs: list[float] = []
    previous = 0

    def close() -> None:
        width = max(map(len, section.values()), default=0)
        blanks_of = {index: width - len(head) for index, head in section.items()}
        for index, count in blanks_of.items():
            blanks[index] = count
        section.clear()
        logs.clear()

    for index, cell in enumerate(rows):
        size = 0 if cell is None or cell.tall else len(cell.head.encode()) - 1
        together = previous > 0 and size > 0
        if together and not (previous <= _SMALL_KEY and size <= _SMALL_KEY):
            ratio = size / math.exp(sum(logs) / len(logs))
            together = 1 / _KEY_RATIO < ratio < _KEY_RATIO
        if not together:
            close()
        if cell is not None and size:
            section[index] = cell.head
            logs.append(math.log(size))
        previous = size
    close()
    return blanks


def in_columns(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """Lines of a name, a type and what follows it; embedded fields have no name, and types in front of nothing take no
    part in the width of theirs.
    """
    names = max((len(name) for name, _, _ in rows), default=0)
    types = max((len(type_) for name, type_, tag in rows if name and tag), default=0)
    lines = []
    for name, type_, tag in rows:
        if not name:
            lines.append(type_)
        elif tag:
            lines.append(f"{name.ljust(names)} {type_.ljust(types)} {tag}")
        else:
            lines.append(f"{name.ljust(names)} {type_}")
    return lines
