"""pclgen's pytest plugin in the tests, loaded by its entry point, or by name if pclgen is on the path but not installed."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final

MODULE: Final = "pclgen.testing.plugin"

BY_NAME: Final = [] if entry_points(group="pytest11", value=MODULE) else [MODULE]
"""The plugins that a run of pytest has to load by name."""

ARGUMENTS: Final = [argument for name in BY_NAME for argument in ("-p", name)]
"""The same as arguments."""
