"""`python -m tests.support.build_cli`: build the Pulumi CLI, the host of Pulumi YAML and the generators of SDKs that the tests
use, once for each machine: some minutes.

A step of its own in CI, so that no test waits for it; the folders in the cache can be kept between machines.  Where one cannot
be built, the tests judge what that means.
"""

from __future__ import annotations

import sys

from tests.support import toolchains


def main() -> None:
    """Build them unless they are there."""
    programs = {
        "Pulumi CLI": toolchains.pulumi_cli,
        "host of Pulumi YAML": toolchains.pulumi_yaml,
        "program of SDK generators": toolchains.sdkgen,
    }
    for name, build in programs.items():
        try:
            build()
        except toolchains.ToolError as error:
            print(f"the {name} cannot be built here: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
