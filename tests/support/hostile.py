"""Text that tries to become code, and readers of generated projects that find it where it succeeded.

Every payload holds the marker `Q9`, as a call without arguments.  In code, no name is the marker, and nothing but names of the
program's own things ends in it; everywhere else it may stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final, TypeAlias

MARK: Final = "Q9"
CALL: Final = "Q9()"

Project: TypeAlias = Mapping[str, Mapping[PurePosixPath, str]]
"""Files by language and path, as `pclgen.generate` answers them."""
