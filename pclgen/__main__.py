"""`python -m pclgen` and the `pclgen` command."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and leave the process with its status."""
    # Modules and trees stay until the end: to look for cycles among them every 700 objects costs a tenth of a short command,
    # and one look costs as much as binding.  A program of 1,000 resources makes some 200,000 objects.
    gc.set_threshold(250_000, 20, 50)
    from pclgen.cli.app import main as run

    status = run(sys.argv[1:])
    gc.freeze()  # the process ends: no cycle need be found any more
    sys.exit(status)


if __name__ == "__main__":
    main()
