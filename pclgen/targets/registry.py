"""The target languages by name; each is imported on first use."""

from __future__ import annotations

from importlib import import_module

from pclgen.languages import TARGETS
from pclgen.targets.base import Target


def target(name: str) -> Target:
    """Return the target named `name`, the `TARGET` of its module `target`. Raises `KeyError` for a name not in `TARGETS`."""
    if name not in TARGETS:
        raise KeyError(name)
    module = import_module(f"pclgen.targets.{name}.target")
    result: Target = module.TARGET
    return result
