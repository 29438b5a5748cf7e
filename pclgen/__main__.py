"""`python -m pclgen` and the `pclgen` command.  Comes in: the process arguments; goes out: the exit status."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and leave the process with its status."""
    # Modules and trees stay until the end: to look for cycles among them every 700 objects costs a tenth of a short command.
    gc.set_threshold(50_000, 20, 50)
    from pclgen.cli.app import main as run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
