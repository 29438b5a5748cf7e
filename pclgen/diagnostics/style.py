"""Colors of the terminal output."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct


class Role(Enum):
    """The role of a piece of output; the value is its ANSI attribute list."""

    ERROR = "1;31"
    WARNING = "1;33"
    INFO = "1;36"
    STRONG = "1"
    FRAME = "34"
    CAUSE = "1;34"
    HELP = "1;32"
    ADDED = "32"
    REMOVED = "31"
    PLAIN = ""


class Style(Struct, frozen=True):
    """Paints with ANSI colors if `color` is true, else leaves the text unchanged."""

    color: bool = False

    def paint(self, role: Role, text: str) -> str:
        """`text` in the color of `role`."""
        if not self.color or not text or role is Role.PLAIN:
            return text
        return f"\x1b[{role.value}m{text}\x1b[0m"


DIFF_ROLES: Mapping[str, Role] = {"+": Role.ADDED, "-": Role.REMOVED, "@": Role.FRAME}
