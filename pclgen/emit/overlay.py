"""A user's templates, which override pclgen's templates file by file.

`read_overlay` reads all templates of a folder, so that compilation reads no files; an unusable folder raises
`OverlayError`. This module does not need jinja2.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from pclgen.diagnostics.suggest import suggestion
from pclgen.errors import UserError
from pclgen.source.files import read_regular
from pclgen.source.text import CONTROL, SourceFile, Span

SUFFIX: Final = ".jinja"
MOST_BYTES: Final = 1 << 20
"""Maximum size of one template."""
MOST_FILES: Final = 1000
_PACKAGE: Final = Path(__file__).resolve().parents[1]
TEMPLATE_FOLDERS: Final = (_PACKAGE / "templates", _PACKAGE.parent / "templates")
"""The folders of pclgen's templates: in the installed package, or in a checkout."""


class Overlay(Struct, frozen=True, kw_only=True):
    """The templates of a user's `folder` (as named in messages): pairs of name (`python/program.py.jinja`) and text."""

    folder: str
    files: tuple[tuple[str, str], ...]

    def span(self, name: str, line: int) -> Span | None:
        """Return a line of the template `name`; None if it is not the user's. Lines beyond the end become the last line."""
        text = dict(self.files).get(name)
        if text is None:
            return None
        file = SourceFile(f"{self.folder}/{name}", text)
        return file.line_span(max(1, min(line, file.position(len(text)).line)))


class OverlayError(UserError):
    """A folder of templates cannot be used. `hint` is the next step."""


class TemplateFailureError(Exception):
    """A template cannot be used: its name, the line (from 1), and the problem."""

    def __init__(self, name: str, line: int, message: str) -> None:
        super().__init__(f"{name}:{line}: {message}")
        self.name = name
        self.line = line
        self.message = message


def read_overlay(folder: Path) -> Overlay:
    """Return all templates below `folder`; messages name it as passed. Raises `OverlayError`."""
    shown = folder.as_posix()
    try:
        templates = dict(_read(folder))
    except OSError as error:
        raise OverlayError(f"cannot read the templates in `{shown}`: {error.strerror or error}") from error
    for name, text in templates.items():
        control = CONTROL.search(text)
        if control is not None:
            line = text.count("\n", 0, control.start()) + 1
            raise OverlayError(f"{shown}/{name}:{line}: a control character (\\x{ord(control[0]):02x})", "remove it")
        if name.partition("/")[0] in _languages() and name not in template_names():
            hint = suggestion(name, template_names(), "`pclgen templates` lists all")
            raise OverlayError(f"pclgen has no template `{name}` that `{shown}/{name}` could replace", hint)
    if not templates:
        raise OverlayError(f"there are no templates in `{shown}`", "`pclgen templates` lists those that pclgen has")
    return Overlay(folder=shown, files=tuple(sorted(templates.items())))


@cache
def template_names() -> Sequence[str]:
    """The names of pclgen's own templates, sorted."""
    return sorted(
        path.relative_to(folder).as_posix() for folder in TEMPLATE_FOLDERS for path in folder.rglob(f"*{SUFFIX}")
    )


def template_text(name: str) -> str:
    """The text of one of pclgen's own templates."""
    return next(folder / name for folder in TEMPLATE_FOLDERS if (folder / name).is_file()).read_text(encoding="utf-8")


@cache
def _languages() -> frozenset[str]:
    return frozenset(name.partition("/")[0] for name in template_names() if "/" in name)


def _read(folder: Path) -> Sequence[tuple[str, str]]:
    """Return the names and texts of the templates below `folder`. Raises `OSError` and `OverlayError`."""
    templates: list[tuple[str, str]] = []
    real = folder.resolve()
    for directory, folders, files in os.walk(folder, onerror=_refuse):
        folders.sort()
        for name in sorted(files):
            path = Path(directory, name)
            if path.suffix != SUFFIX:
                continue
            if not path.resolve().is_relative_to(real):
                raise OverlayError(f"`{path.as_posix()}` is a link that leads out of the templates", "copy its target")
            try:
                text = read_regular(path, most=MOST_BYTES).decode("utf-8")
            except UnicodeDecodeError as error:
                raise OverlayError(f"`{path.as_posix()}` is no UTF-8 text (byte {error.start})") from error
            templates.append((path.relative_to(folder).as_posix(), text.replace("\r\n", "\n")))
        if len(templates) > MOST_FILES:
            raise OverlayError(f"there are more than {MOST_FILES:,} templates in `{folder.as_posix()}`")
    return templates


def _refuse(error: OSError) -> None:
    raise error
