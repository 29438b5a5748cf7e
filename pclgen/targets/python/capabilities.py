"""Capabilities of Pulumi's Python SDK, queried by lowering."""

from __future__ import annotations

from pclgen.core.capabilities import Capabilities
from pclgen.targets.python.conversions import conversion
from pclgen.targets.python.lifting import can_lift
from pclgen.types.model import Type


def converts_freely(source: Type, target: Type) -> bool:
    """Return whether a conversion needs no code at run time."""
    return conversion(source, target) is None


CAPABILITIES = Capabilities(
    can_lift=can_lift, converts_freely=converts_freely, shapes_objects=True, renames_members=True, trusts_stacks=True
)
