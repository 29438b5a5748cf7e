"""`python -m pclgen` and the `pclgen` command.  Comes in: the process arguments; goes out: the exit status."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave the process with its status."""
    from pclgen.cli.app import main as run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
