"""The jinja2 environment of users' templates, loaded only if there are any."""

from __future__ import annotations

from typing import Any, Final

from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

_LARGEST: Final = 1000


class Sandbox(ImmutableSandboxedEnvironment):
    """The sandbox, without operations that create a huge value in one step."""

    intercepted_binops: frozenset[str] = frozenset({"*", "**"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return the product or power of two small numbers. Raises `TypeError` for other operands."""
        if not all(isinstance(side, int | float) and abs(side) <= _LARGEST for side in (left, right)):
            raise TypeError(f"`{operator}` is for numbers up to {_LARGEST:,} here")
        return super().call_binop(context, operator, left, right)
