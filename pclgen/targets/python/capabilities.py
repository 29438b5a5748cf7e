"""Capabilities of Pulumi's Python SDK, queried by lowering (targets.md, Steps without apply)."""

from __future__ import annotations

from pclgen.core.capabilities import Capabilities
from pclgen.targets.python import names
from pclgen.targets.python.conversions import conversion
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind, Field


def converts_freely(source: ty.Type, target: ty.Type) -> bool:
    """Return whether a conversion needs no code at run time."""
    return conversion(source, target) is None


def has_attributes(t: ty.Type) -> bool:
    """Return whether values of type `t` are objects of an SDK class rather than dicts."""
    plain = ty.without_none(ty.resolve(t))
    return isinstance(plain, ty.NominalType) and plain.declaration.kind is not DeclarationKind.COMPONENT_INPUTS


def may_be_absent(t: ty.Type, name: str) -> bool:
    """Return whether a dict for type `t` may lack key `name`, which then means null."""
    plain = ty.without_none(ty.resolve(t))
    if not isinstance(plain, ty.ObjectType) or name not in plain.members:
        return False
    member = plain.members[name]
    return ty.is_optional(member) or member is ty.DYNAMIC


def can_lift(source: ty.Type, name: str | None, field: Field | None) -> bool:
    """Return whether an output forwards the attribute or index to its value.

    It does not forward names of its own members, nor keys that may be absent.
    """
    if name is None or not has_attributes(source):
        return name is None or not may_be_absent(source, name)
    attribute = names.attribute(name)
    return attribute not in names.OUTPUT_MEMBERS and not attribute.startswith("_")


CAPABILITIES = Capabilities(
    can_lift=can_lift, converts_freely=converts_freely, shapes_objects=True, renames_members=True, trusts_stacks=True
)
