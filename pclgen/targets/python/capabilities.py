"""What Pulumi's Python SDK does by itself (targets 7.2): asked by lowering."""

from __future__ import annotations

from pclgen.core.capabilities import Capabilities
from pclgen.targets.python import names
from pclgen.targets.python.conversions import conversion
from pclgen.targets.python.values import has_attributes
from pclgen.types.declarations import Field
from pclgen.types.model import Type


def can_lift(source: Type, name: str | None, field: Field | None) -> bool:
    """Outputs hand every attribute and index on to their value, but for the names of their own members."""
    if name is None or not has_attributes(source):
        return True
    attribute = names.attribute(name)
    return attribute not in names.OUTPUT_MEMBERS and not attribute.startswith("_")


def converts_freely(source: Type, target: Type) -> bool:
    """Whether nothing has to happen at run time."""
    return conversion(source, target) is None


CAPABILITIES = Capabilities(can_lift=can_lift, converts_freely=converts_freely)
