"""The differences of two texts, as a unified diff that tools can apply.

A missing file is None. A line ends only at `\\n`, as for these tools.
"""

from __future__ import annotations

from collections.abc import Iterator

from pclgen.source.text import one_line


def difference(before: str | None, after: str | None, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines of the diff, without their ends; `names` are those of the files before and after."""
    import difflib

    old = "/dev/null" if before is None else one_line(names[0])
    new = "/dev/null" if after is None else one_line(names[1])
    for line in difflib.unified_diff(_lines(before or ""), _lines(after or ""), old, new):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])
