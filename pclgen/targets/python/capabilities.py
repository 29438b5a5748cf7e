"""What Pulumi's Python SDK does by itself: asked by lowering."""

from __future__ import annotations

from pclgen.core.capabilities import Capabilities
from pclgen.core.jsontext import Trait, of_type
from pclgen.targets.python.conversions import conversion
from pclgen.targets.python.lifting import can_lift
from pclgen.types.model import Type


def converts_freely(source: Type, target: Type) -> bool:
    """Whether nothing has to happen at run time."""
    return conversion(source, target) is None


def json_over_outputs(t: Type) -> bool:
    """Not of objects of the SDK's classes: waiting for them in a structure makes plain dicts, with the names of Python."""
    return Trait.OBJECT not in of_type(t)


CAPABILITIES = Capabilities(
    can_lift=can_lift, converts_freely=converts_freely, json_over_outputs=json_over_outputs, trusts_stacks=True
)
