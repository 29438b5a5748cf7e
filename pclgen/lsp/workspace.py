"""The documents of the editor over the files on disk, their programs, and positions in them.

A program is a folder with `.pp` files, a file that `pclgen.toml` names as a program, or a file in Pulumi YAML.

A position of the protocol is a line and a character in the units of the negotiated encoding. pclgen counts Unicode code
points from the start of a text; an editor counts lines, and in a line the units of UTF-8, UTF-16 or UTF-32. Lines end at
`\\n`, `\\r\\n` and `\\r`, as the protocol defines.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from msgspec import Struct
from msgspec.structs import replace

from pclgen.choices import Choices, is_glob, matches
from pclgen.schema.config import Configuration
from pclgen.source.files import read_regular
from pclgen.source.load import (
    SUFFIX,
    LoadedProgram,
    LoadError,
    RawFile,
    find_program_files,
    is_only_project,
    is_yaml,
    load_program,
    with_unsaved,
)
from pclgen.source.project import is_project_file
from pclgen.source.text import line_starts

CONFIGURATION = ("pclgen.toml", "pyproject.toml", "Pulumi.yaml", "Pulumi.yml", "pclgen.lock")
"""Names of files that configure the compilation of programs."""


class Document(Struct, frozen=True, kw_only=True):
    """An open document of the editor."""

    uri: str
    path: Path
    text: str
    version: int | None


def path_of(uri: str) -> Path | None:
    """Return the absolute path of a URI; None for documents that are not files."""
    try:
        parts = urlsplit(uri)
        if parts.scheme != "file":
            return None
        path = url2pathname(unquote(parts.path)) if os.name == "nt" else unquote(parts.path)
        return Path(os.path.abspath(path)) if path and "\0" not in path else None
    except ValueError:
        return None


class Workspace:
    """Open documents by path."""

    def __init__(self) -> None:
        self._documents: dict[Path, Document] = {}
        self.folders: tuple[Path, ...] = ()

    @property
    def documents(self) -> Mapping[Path, Document]:
        """The open documents."""
        return MappingProxyType(self._documents)

    def open(self, document: Document) -> None:
        """Store a document, or its new text."""
        self._documents[document.path] = document

    def close(self, path: Path) -> None:
        """Discard a document: the file on disk counts again."""
        self._documents.pop(path, None)

    def text(self, path: Path) -> str | None:
        """Return the text of a file: of its open document, else from disk; None if it does not exist."""
        document = self._documents.get(path)
        if document is not None:
            return document.text
        try:
            return read_regular(path).decode("utf-8-sig", errors="replace")
        except OSError:
            return None

    def is_only_project(self, path: Path) -> bool:
        """Return whether a file is only the project file of a program in other files."""
        text = self.text(path) if is_project_file(path.name) else None
        if text is None:
            return False
        candidates = [*path.parent.glob(f"*{SUFFIX}"), *self._documents]
        beside = any(candidate.suffix == SUFFIX and candidate.parent == path.parent for candidate in candidates)
        return is_only_project(RawFile(name=path.name, path=path, data=text.encode("utf-8", "replace")), beside_pcl=beside)

    def load(self, program: Path) -> LoadedProgram:
        """Return the program at a path, with the texts of open documents. Raises `LoadError`."""
        unsaved = {path: document.text.encode("utf-8", "replace") for path, document in self._documents.items()}
        own = [path for path in sorted(unsaved) if path.suffix == SUFFIX and program in (path, path.parent)]
        new = [path for path in own if not path.exists()]
        files = tuple([RawFile(name=path.as_posix(), path=path, data=unsaved[path]) for path in new])
        try:
            loaded = with_unsaved(load_program(str(program), others=False), unsaved)
        except LoadError:
            if not new:
                raise
            root = new[0].parent
            return LoadedProgram(name=root.name or "program", root=root, files=files, unsaved=unsaved)
        is_pcl = all(file.name.endswith(SUFFIX) for file in loaded.files)
        return replace(loaded, files=(*loaded.files, *files)) if files and is_pcl else loaded

    def programs(self) -> list[Path]:
        """Return the programs below the folders of the workspace, sorted."""
        paths = {path.parent if path.suffix == SUFFIX else path for top in self.folders for path in _below(top)}
        return sorted(paths)


def _below(top: Path) -> list[Path]:
    try:
        return list(find_program_files(top))
    except LoadError:
        return []


def program_of(path: Path, configuration: Configuration) -> Path | None:
    """Return the program of a file: a folder or a file; None for files outside of programs."""
    if path.suffix != SUFFIX:
        return path if is_yaml(path.name) else None
    patterns = configuration.building.programs or ()
    if configuration.path is not None and any(pattern.endswith(SUFFIX) for pattern in patterns):
        label = Path(os.path.relpath(path, configuration.path.parent)).as_posix()
        if any(matches(pattern, label) for pattern in patterns if pattern.endswith(SUFFIX) or is_glob(pattern)):
            return path
    return path.parent


def choices_of(program: Path, configuration: Configuration) -> Choices:
    """Return the compile options of a program's configuration."""
    if configuration.path is None:
        return Choices()
    return configuration.building.of(Path(os.path.relpath(program, configuration.path.parent)).as_posix())


# -- positions --------------------------------------------------------------------------------------------------------------

_LINE_END = re.compile("\r\n|\r|\n")


class Encoding(StrEnum):
    """The unit in which characters of a line are counted."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def width(text: str, encoding: Encoding) -> int:
    """Return the number of units in `text`."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF16:
        return len(text) + sum(c > "\uffff" for c in text)
    return sum(1 + (c > "\x7f") + (c > "\u07ff") + (c > "\uffff") for c in text)


class Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: Sequence[int] = line_starts(text)
        if "\r" in text:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return the line and the character, both from 0, of an offset (clamped to the text)."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return line, width(self.text[self._starts[line] : min(offset, self._end(line))], encoding)

    def _end(self, line: int) -> int:
        """Return the offset of the end of a line, before its line break."""
        if line + 1 == len(self._starts):
            return len(self.text)
        end = self._starts[line + 1] - 1
        return end - 1 if self.text[end - 1 : end + 1] == "\r\n" else end

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """Return the offset of a position: beyond a line its end, inside of a character its start."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self._end(line)
        content = self.text[start:end]
        if encoding is Encoding.UTF32 or content.isascii():
            return start + max(0, min(character, len(content)))
        passed = 0
        for index, c in enumerate(content):
            passed += width(c, encoding)
            if passed > character:
                return start + index
        return end
