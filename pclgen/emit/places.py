"""Allowed locations of outputs: below a folder named by a trusted person, after following links.

A pattern (`build/{path}/{language}`) yields folders; links are resolved, and `WriteError` is raised for a folder outside
of the allowed location. A typed pattern is trusted up to its first placeholder; a pattern of a configuration, and the
default, stay in the repository. Names of programs, and links in a repository, are untrusted.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct, field

from pclgen.emit.write import WriteError
from pclgen.source.paths import repository_of


def start_of(pattern: str) -> str:
    """Return the folder that contains all outputs of `pattern`, as far as it is literal."""
    literal = pattern.partition("{")[0]
    return literal if "{" not in pattern else os.path.dirname(literal)


class Places(Struct):
    """The real locations of folders; outputs must be in `bound` (None: anywhere)."""

    bound: Path | None
    _parents: dict[Path, str] = field(default_factory=dict)

    def of(self, folder: Path) -> Path:
        """Return the real path of `folder`. Raises `WriteError` if it is out of bounds."""
        # A cycle of links stays unchanged; writing fails with the reason.
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
    """Return the locations for outputs of `pattern`, relative to `root`; `is_typed`: from the command line."""
    if allow_outside:
        return Places(None)
    if not is_typed:
        return Places(repository_of(root))
    start = start_of(pattern)
    bound = Path(os.path.realpath(root / start))
    for _ in range(pattern[len(start) :].split("/").count("..")):
        bound = bound.parent
    return Places(bound)
