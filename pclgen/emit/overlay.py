"""A user's templates: what lies over pclgen's own, file by file.

Comes in: a folder.  Goes out: an `Overlay`, its texts read once, so that whoever compiles needs no file; or a
`TemplateFailure` when a template cannot be used.  Nothing here needs jinja2.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from pclgen.records import dataclass
from pclgen.source.files import read_regular
from pclgen.source.text import SourceFile, Span

SUFFIX: Final = ".jinja"
MOST_BYTES: Final = 1 << 20
"""Of one template."""
MOST_FILES: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """The templates of a user's `folder` (as messages name it): pairs of name (`python/program.py.jinja`) and text."""

    folder: str
    files: tuple[tuple[str, str], ...]

    def span(self, name: str, line: int) -> Span | None:
        """A line of the template `name`; None when it is not the user's.  Lines that it has not are its last one."""
        text = dict(self.files).get(name)
        if text is None:
            return None
        file = SourceFile(str(Path(self.folder, name)), text)
        return file.line_span(max(1, min(line, file.position(len(text)).line)))


class TemplateFailure(Exception):  # noqa: N818  # it is reported, not raised to users
    """A template that cannot be used: its name, the line (from 1), and what is wrong."""

    def __init__(self, name: str, line: int, message: str) -> None:
        super().__init__(f"{name}:{line}: {message}")
        self.name = name
        self.line = line
        self.message = message


def read_overlay(folder: Path, named: str) -> Overlay:
    """All templates below `folder`; `named` is how the user calls it.  Raises `OSError` and `UnicodeDecodeError`."""
    found: list[tuple[str, str]] = []
    for place, folders, files in os.walk(folder, onerror=_refuse):
        folders.sort()
        for name in sorted(files):
            path = Path(place, name)
            if path.suffix == SUFFIX:
                text = read_regular(path, most=MOST_BYTES).decode("utf-8")
                found.append((path.relative_to(folder).as_posix(), text))
        if len(found) > MOST_FILES:
            raise OSError(f"it holds more than {MOST_FILES:,} templates")
    return Overlay(folder=named, files=tuple(sorted(found)))


def _refuse(error: OSError) -> None:
    raise error
