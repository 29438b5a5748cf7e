"""Packs that programs use by file name: `component web "./website.mupack.json"`.

The path of a component in a pack is the path of the file followed by the path inside: `website.mupack.json/parts/vpc`.
"""

from __future__ import annotations

import posixpath
from pathlib import Path

from pclgen.deps.archive import SIZE_LIMIT, ArchiveError
from pclgen.deps.manifest import SELF
from pclgen.deps.opened import Package, open_package
from pclgen.source.files import read_regular
from pclgen.source.load import OUTSIDE, PACK_SUFFIX, LoadedProgram, RawFile
from pclgen.source.paths import Located, is_inside


def file_of(path: str) -> str | None:
    """Return the pack that the path of a component leads into; None for a component in a folder."""
    parts = path.split("/")
    end = next((at for at, part in enumerate(parts, start=1) if part.endswith(PACK_SUFFIX)), None)
    return "/".join(parts[:end]) if end is not None else None


class PackFiles:
    """The packs of one program, each read once."""

    def __init__(self, sources: LoadedProgram) -> None:
        self._sources = sources
        self._opened: dict[str, Package | str] = {}

    def located(self, file: str, directory: str, text: str) -> Located:
        """Return the component that `text` means in the component `directory` inside of the pack `file`."""
        opened = self._open(file)
        folder = directory.removeprefix(file).lstrip("/") or SELF
        inner = opened.component(folder, text) if isinstance(opened, Package) else text
        return Located(f"{file}/{inner}", posixpath.basename(inner))

    def read(self, file: str, path: str) -> tuple[RawFile, ...] | str:
        """Return the files of the component at `path` in the pack `file`, or the reason why there are none."""
        opened = self._open(file)
        if isinstance(opened, str):
            return opened
        sources = opened.sources(path.removeprefix(file).lstrip("/") or SELF)
        place = self.place(file)
        if isinstance(sources, str):
            return sources
        return tuple([RawFile(name=f"{file}/{name}", path=place, data=data) for name, data in sources.items()])

    def place(self, file: str) -> Path:
        """Return the path of a pack on disk."""
        return self._sources.root / file

    def _open(self, file: str) -> Package | str:
        if file not in self._opened:
            self._opened[file] = self._read(file)
        return self._opened[file]

    def _read(self, file: str) -> Package | str:
        if self._sources.directories is not None:
            return "does not exist"
        place = self.place(file)
        if not is_inside(place, self._sources.fence):
            return OUTSIDE
        try:
            return open_package(read_regular(place, most=SIZE_LIMIT))
        except FileNotFoundError:
            return "does not exist"
        except OSError as error:
            return f"cannot be read: {error.strerror or error}"
        except ArchiveError as error:
            return f"cannot be used: {error}"
