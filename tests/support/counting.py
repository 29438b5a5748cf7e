"""Costs that are counted: calls of functions of Python, the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls_of(act: Callable[[], object]) -> int:
    """How many functions of Python `act` calls, all told."""
    count = 0

    def count_one(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(count_one)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count
