"""Capabilities of the TypeScript SDK (targets.md, Steps without apply), queried by lowering.

The SDK lifts property access over outputs, with the type of the resolved value, if that is always an object or a list.
"""

from __future__ import annotations

from typing import Final

from pclgen.core.capabilities import Capabilities
from pclgen.core.eventuals import promises_outputs
from pclgen.targets.typescript.names import words
from pclgen.targets.typescript.types import fits
from pclgen.types import model as ty
from pclgen.types.declarations import Field

BLOCKED: Final = words(
    """
    allResources apply constructor deploymentOnlyModule doNotCapture get hasOwnProperty isKnown isPrototypeOf
    isSecret promise propertyIsEnumerable resources then toJSON toLocaleString toString valueOf
    """
)


def _can_lift(source: ty.Type, name: str | None, field: Field | None) -> bool:
    del field
    if name is None:
        return isinstance(source, ty.ListType | ty.MapType)
    if name in BLOCKED or name.startswith("__"):
        return False
    return isinstance(source, ty.NominalType | ty.ObjectType | ty.MapType)


def _converts_freely(source: ty.Type, target: ty.Type) -> bool:
    if source is ty.DYNAMIC and ty.without_none(target) in (ty.STRING, ty.ID, ty.INT):
        return False
    return fits(source, target) and (ty.is_optional(target) or not ty.is_optional(source))


CAPABILITIES: Final = Capabilities(
    can_lift=_can_lift,
    converts_freely=_converts_freely,
    shapes_objects=True,
    trusts_stacks=True,
    promises=promises_outputs,
)
