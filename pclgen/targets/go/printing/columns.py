"""gofmt's columns: keys of composite literals, fields of structs, constants.

The heads of rows, or the cells of a whole section, determine the widths of columns. Like gofmt, this module counts
characters, not terminal columns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from pclgen.layout import Cell

_SMALL_KEY: Final = 40
"""Keys up to this size always share a column."""
_KEY_RATIO: Final = 2.5
"""Larger keys share a column unless their sizes differ by this factor."""


def pad_keys(rows: Sequence[Cell | None]) -> list[int]:
    """Return the number of blanks after each key (with its colon) of a composite literal.

    Neighboring rows of one line each share a column. A value of several lines, a line without a key, or a large change
    of key size (in bytes) begins a new column.
    """
    blanks: list[int] = []
    section: list[str] = []
    logs = 0.0  # sum of the logarithms of the sizes in the section
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
    """Return whether a key of `size` bytes shares the column of the keys above.

    The previous key has `previous` bytes; `mean` is the mean of the logarithms of the sizes.
    """
    if previous <= _SMALL_KEY and size <= _SMALL_KEY:
        return True
    return 1 / _KEY_RATIO < size / math.exp(mean) < _KEY_RATIO


def _filled(section: Sequence[str]) -> list[int]:
    """Return the number of blanks that makes each head as wide as the widest."""
    width = max(map(len, section), default=0)
    return [width - len(head) for head in section]


def in_columns(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return aligned lines for rows of a name, a type and a tag.

    Embedded fields have no name. Types without a tag do not count for the width of the type column.
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
