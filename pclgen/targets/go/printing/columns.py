"""gofmt's columns: keys of composite literals, fields of structs, constants.

The widths of columns follow from the heads of rows, or the cells of a whole section. Widths are counted in characters, as
gofmt does, not in columns of a terminal.
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
    blanks: list[int] = []
    section: list[str] = []
    logs = 0.0  # the sum of the logarithms of the sizes in the section
    previous = 0
    for cell in rows:
        size = 0 if cell is None or cell.tall else len(cell.head.encode()) - 1
        if not (previous and size and _share_column(previous, size, logs / len(section))):
            blanks += _filled(section)
            section, logs = [], 0.0
        if cell is not None and size:
            section.append(cell.head)
            logs += math.log(size)
        else:
            blanks.append(0)
        previous = size
    return blanks + _filled(section)


def _share_column(previous: int, size: int, mean: float) -> bool:
    """Return whether a key of `size` bytes goes with those above: the last one has `previous`, their logarithms this `mean`.
    """
    if previous <= _SMALL_KEY and size <= _SMALL_KEY:
        return True
    return 1 / _KEY_RATIO < size / math.exp(mean) < _KEY_RATIO


def _filled(section: Sequence[str]) -> list[int]:
    """Return what makes all heads as wide as the widest."""
    width = max(map(len, section), default=0)
    return [width - len(head) for head in section]


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
