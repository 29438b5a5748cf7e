"""`python -m tests.support.build_cli`: build the Pulumi CLI that the tests use, once for each machine: some minutes.

A step of its own in CI, so that no test waits for it; its folder in the cache can be kept between machines.  Where it cannot
be built, the tests judge what that means.
"""

from __future__ import annotations

import sys

from tests.support import toolchains


def main() -> None:
    """Build it unless it is there."""
    try:
        toolchains.pulumi_cli()
    except toolchains.ToolError as error:
        print(f"the Pulumi CLI cannot be built here: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
