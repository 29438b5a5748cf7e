"""Counted costs: calls of Python functions, the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType


def calls_of(act: Callable[[], object]) -> int:
    """The total number of Python functions that `act` calls."""
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


def calls_to(functions: Mapping[str, Callable[..., object]], act: Callable[[], object]) -> Mapping[str, int]:
    """The number of calls of each of `functions`, of Python or C, by key, and of all Python functions (`calls`)."""
    names = {getattr(function, "__code__", function): name for name, function in functions.items()}
    counts = dict.fromkeys([*functions, "calls"], 0)

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            counts["calls"] += 1
        called = frame.f_code if event == "call" else argument if event == "c_call" else None
        name = names.get(called)
        if name is not None:
            counts[name] += 1

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return counts
