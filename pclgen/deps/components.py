"""The components that a program may use: its own, and those of other packages.

Modules that read manifests, lock files and packs are imported only if a configuration names packages or a program names a
pack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pclgen.diagnostics.model import Diagnostic
from pclgen.schema.load import SchemaStore
from pclgen.source.files import Located, folder_of, located_in
from pclgen.source.load import PACK_SUFFIX, LoadedProgram, RawFile, read_component
from pclgen.source.text import Span

if TYPE_CHECKING:
    from pclgen.deps.opened import PackFiles
    from pclgen.deps.program import Dependencies


class Components:
    """Finds the components of one program."""

    def __init__(self, sources: LoadedProgram, store: SchemaStore) -> None:
        self._sources = sources
        self._others: Dependencies | None = None
        self.problem: Diagnostic | None = None
        if store.surroundings is not None and store.surroundings.packaging:
            from pclgen.deps.program import dependencies_of

            dependencies = dependencies_of(store)
            if isinstance(dependencies, Diagnostic):
                self.problem = dependencies
            else:
                self._others = dependencies

    @cached_property
    def _packs(self) -> PackFiles:
        from pclgen.deps.opened import PackFiles

        return PackFiles(self._sources)

    def _pack(self, path: str) -> str | None:
        """The pack that a path leads into."""
        if PACK_SUFFIX not in path:
            return None
        from pclgen.deps.opened import file_of

        return file_of(path)

    @property
    def state(self) -> str:
        """A text that changes with everything known about other packages."""
        return self._others.state if self._others is not None else str(self.problem or "")

    def locate(self, directory: str, text: str, span: Span) -> Located | Diagnostic:
        """Return the component `text` of the program or component in `directory`, with a path that identifies it."""
        if self.problem is not None and not text.startswith((".", "/")):
            return self.problem  # it may be a component of another package
        file = self._pack(directory)
        if file is not None:
            return self._packs.located(file, directory, text)
        located = located_in(directory, text) if self._others is None else self._others.locate(directory, text, span)
        if isinstance(located, Located) and located.name.endswith(PACK_SUFFIX):
            return replace(located, name=located.name.removesuffix(PACK_SUFFIX))
        return located

    def read(self, path: str) -> tuple[RawFile, ...] | str:
        """Return the files of the component at a path from `locate`, or the reason why there are none."""
        file = self._pack(path)
        if file is not None:
            return self._packs.read(file, path)
        return read_component(self._sources, path) if self._others is None else self._others.read(self._sources, path)

    def folder(self, path: str) -> Path | None:
        """Return the folder on disk of the component at a path from `locate`; None inside of an archive."""
        file = self._pack(path)
        if file is not None:
            return self._packs.place(file).parent
        path = folder_of(path)
        return self._sources.root / path if self._others is None else self._others.folder(self._sources, path)

    def exported(self) -> tuple[str, str]:
        """Return name and version of the package that exports the program's folder; empty texts if none does."""
        return self._others.exported(self._sources.root) if self._others is not None else ("", "")

    def files(self) -> Iterator[Path]:
        """Yield the existing manifests and lock file that determine the components."""
        yield from self._others.files() if self._others is not None else ()

    def provider_ranges(self) -> Mapping[str, tuple[str, ...]]:
        """Return the versions of provider packages that the project and its dependencies require."""
        return self._others.provider_ranges() if self._others is not None else {}

    def wrong_providers(self, used: Sequence[tuple[str, str]]) -> Iterator[Diagnostic]:
        """Yield diagnostics for `used` provider packages (names and versions) outside of a required range."""
        yield from self._others.wrong_providers(used) if self._others is not None else ()
