"""`python -m pclgen` and the `pclgen` command."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
import threading


def main() -> None:
    """Run the command line and leave the process with its status."""
    # Modules and trees stay until the end: to look for cycles among them every 700 objects costs a tenth of a short command,
    # and one look costs as much as binding.  A program of 1,000 resources makes some 200,000 objects.
    gc.set_threshold(250_000, 20, 50)
    from pclgen.cli.app import main as run

    status = run(sys.argv[1:])
    gc.freeze()  # the process ends: no cycle need be found any more
    if threading.active_count() == 1:
        _leave(status)
    sys.exit(status)  # waits for the other threads


def _leave(status: int) -> None:
    """End this process as `sys.exit` does, but leave modules and trees to the system, which frees them at once."""
    atexit._run_exitfuncs()  # what libraries left to do, and measurements of coverage
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # `run` reports what it cannot write, and closes what nobody reads
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
