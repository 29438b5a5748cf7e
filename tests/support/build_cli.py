"""Build the Pulumi CLI and other programs that the tests use: `python -m tests.support.build_cli`.

These are the CLI, the host of Pulumi YAML and the generators of SDKs, once per machine: some minutes.  It is a separate step
in CI, so that no test waits for it; the folders in the cache can be kept between machines.  If a build fails, the tests
decide how to handle that.
"""

from __future__ import annotations

import sys

from tests.support import toolchains


def main() -> None:
    """Build the programs that are missing."""
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
