"""Lines of generated programs in the stacks that failing runs print."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from pclgen.verify.subjects import Staged

_FRAMES: Final[Mapping[str, re.Pattern[str]]] = {
    "python": re.compile(r'^\s*File "(?P<path>.+?)", line (?P<line>\d+)', re.MULTILINE),
    "typescript": re.compile(r"^\s*at (?:async )?(?:.*\()?(?P<path>[^()\n]+?):(?P<line>\d+):\d+\)?$", re.MULTILINE),
    "go": re.compile(r"^\s*(?P<path>\S.*\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?$", re.MULTILINE),
}
RETURNED: Final = "pclgen: returned"
"""The line before the places at which a Go program returns an error, the innermost one first."""
_PLACES: Final = re.compile(r"(?:^  at [^:\n]+:\d+: .*\n?)+\Z", re.MULTILINE)
_PLACE: Final = re.compile(r"^  at (?P<file>[^:\n]+):(?P<line>\d+): ", re.MULTILINE)


class Place(Struct, frozen=True):
    """A line (from 1) of a generated file, whose path is relative to the output folder."""

    file: PurePosixPath
    line: int


def places_in_stack(staged: Staged, printed: str) -> tuple[Place, ...]:
    """Return the lines of a staged program in the stack of its failure, the innermost one first."""
    places = list(_frames(staged, printed))
    # Python prints the innermost frame last, and of several exceptions the one that ended the program.
    return tuple(dict.fromkeys(reversed(places) if staged.language == "python" else places))


def _frames(staged: Staged, printed: str) -> Iterator[Place]:
    panics = "\ngoroutine " in printed
    for match in _FRAMES[staged.language].finditer(printed if panics else printed.rpartition(f"{RETURNED}\n")[2]):
        path = Path(match["path"])
        # Go programs run as packages of one module; such a package is named by the program's key.
        folder = path.parent if staged.language == "go" and path.parent.name == staged.subject.key else staged.folder
        if path.is_relative_to(folder):
            file = PurePosixPath(path.relative_to(folder).as_posix())
            if file in staged.files:
                yield Place(file, int(match["line"]))


def with_generated_lines(reason: str, places: Sequence[Place], staged: Staged) -> str:
    """Return the reason of a failure with the generated lines of its stack below it."""
    lines = [reason]
    for place in places:
        text = staged.files[place.file].split("\n")
        shown = text[place.line - 1].strip() if 1 <= place.line <= len(text) else ""
        lines.append(f"  at {place.file}:{place.line}: {shown}")
    return "\n".join(lines)


def places_in(message: str) -> tuple[Place, ...]:
    """Return the places that `with_generated_lines` wrote at the end of a message."""
    end = _PLACES.search(message)
    matches = _PLACE.finditer(end[0]) if end is not None else ()
    return tuple([Place(PurePosixPath(match["file"]), int(match["line"])) for match in matches])
