"""Where outputs may lie: below what somebody who is trusted has named, links followed.

A pattern (`build/{path}/{language}`) gives folders; links are followed to where they really are, and `WriteError` is raised
for one outside. Whoever types a pattern is trusted as far as its first placeholder; a pattern of a configuration, and the
default, stay in the repository. Names of programs, and links that came with a repository, are those of strangers.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct, field

from pclgen.emit.write import WriteError
from pclgen.source.fence import repository_of


def start_of(pattern: str) -> str:
    """The folder that all outputs of `pattern` lie in, as far as it is written out."""
    literal = pattern.partition("{")[0]
    return literal if "{" not in pattern else os.path.dirname(literal)


class Places(Struct):
    """What really lies where; outputs may lie in `bound` (None: anywhere)."""

    bound: Path | None
    _parents: dict[Path, str] = field(default_factory=dict)

    def of(self, folder: Path) -> Path:
        """Return where `folder` really is.  Raises `WriteError` when it lies out of bounds."""
        # A cycle of links stays as it is; writing tells.
        if folder.name in ("", "..") or os.path.islink(folder):
            place = Path(os.path.realpath(folder))
        else:
            parent = self._parents.get(folder.parent)
            if parent is None:
                parent = self._parents[folder.parent] = os.path.realpath(folder.parent)
            place = Path(parent, folder.name)
        if self.bound is not None and not place.is_relative_to(self.bound):
            raise WriteError(
                f"will not write to `{folder}`: it lies outside of `{self.bound}`, or a link leads out",
                "name the folder with `--out`, or say `--allow-outside`",
            )
        return place


def places_of(pattern: str, root: Path, *, is_typed: bool, allow_outside: bool) -> Places:
    """The places for outputs of `pattern`, which is relative to `root`; `is_typed`: on the command line."""
    if allow_outside:
        return Places(None)
    if not is_typed:
        return Places(repository_of(root))
    start = start_of(pattern)
    bound = Path(os.path.realpath(root / start))
    for _ in range(pattern[len(start) :].split("/").count("..")):
        bound = bound.parent
    return Places(bound)
