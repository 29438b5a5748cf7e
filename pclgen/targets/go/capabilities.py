"""Capabilities of Pulumi's Go SDK, for lowering."""

from __future__ import annotations

from pclgen.core.capabilities import Capabilities
from pclgen.targets.go.lifting import can_lift, converts_freely

CAPABILITIES = Capabilities(can_lift=can_lift, converts_freely=converts_freely, reads_stacks_as_texts=True)
