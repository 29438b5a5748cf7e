"""Capabilities of Pulumi YAML, queried by lowering: it waits for every value, and converts it, wherever it is used."""

from __future__ import annotations

from pclgen.core.capabilities import Capabilities

CAPABILITIES = Capabilities(
    can_lift=lambda source, name, field: True, converts_freely=lambda source, target: True, waits_by_itself=True
)
