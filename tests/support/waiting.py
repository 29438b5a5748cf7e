"""Wait for asynchronous events, on machines of any speed.

A test waits for an event without a time limit of its own: `PATIENCE` only ends tests that hang.
`tests/test_no_test_depends_on_time.py` enforces this.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from typing import Final

PATIENCE: Final = 600.0
"""Seconds after which a wait counts as a hang, even on a busy machine."""


_RESIGNED: Final = 20.0
"""The limit after the first hang: the suite has failed, and further tests with the same cause must not take an hour each."""
_hung = False


def comes_true(holds: Callable[[], bool]) -> bool:
    """Whether `holds` returns true in the end."""
    global _hung
    late = time.monotonic() + (_RESIGNED if _hung else PATIENCE)
    while not (result := holds()) and time.monotonic() < late:
        time.sleep(0.01)
    _hung = _hung or not result
    return result


def threads_end(before: Collection[threading.Thread]) -> bool:
    """Whether all threads except those of `before` end; gRPC's threads end when they are next scheduled."""
    return comes_true(lambda: not set(threading.enumerate()) - set(before))
