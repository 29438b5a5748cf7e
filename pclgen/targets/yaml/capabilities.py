"""Capabilities of Pulumi YAML, queried by lowering: it waits for every value, wherever it is used."""

from __future__ import annotations

from pclgen.core.capabilities import Capabilities
from pclgen.types.declarations import Field
from pclgen.types.model import Type


def can_lift(source: Type, name: str | None, field: Field | None) -> bool:
    """Return True: Pulumi YAML lifts every step over outputs."""
    del source, name, field
    return True


def converts_freely(source: Type, target: Type) -> bool:
    """Return True: Pulumi YAML converts values where they are used."""
    del source, target
    return True


CAPABILITIES = Capabilities(can_lift=can_lift, converts_freely=converts_freely, waits_by_itself=True)
