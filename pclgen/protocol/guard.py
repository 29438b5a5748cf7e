"""Ends all processes that a process started, even if that process was killed: a module, and a script.

Processes are found by a mark in their environment. The script runs without pclgen and without any installed package (`python
-I -S guard.py MARK`), so it imports the standard library only, which a test checks.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

MARK: Final = "PCLGEN_STARTED"
"""The environment variable of every process that pclgen starts, and of their children."""
_LOOKS: Final = 100


def end_marked(mark: str) -> None:
    """End all processes with this mark, until a scan finds none: a process may start another meanwhile."""
    variable = f"{MARK}={mark}".encode()
    for _ in range(_LOOKS):
        ended = False
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):  # gone, or of another user
                if variable in path.read_bytes().split(b"\0"):
                    os.kill(int(path.parent.name), signal.SIGKILL)
                    ended = True
        if not ended:
            return


def _wait_and_end(mark: str) -> None:
    """Wait for the end of the process that holds the other end of the input; it is the only holder."""
    sys.stdin.buffer.read()
    end_marked(mark)


if __name__ == "__main__":
    _wait_and_end(sys.argv[1])
