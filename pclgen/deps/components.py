"""The components that a program may use: its own, and those of other packages.

Comes in: a program and its schemas.  Goes out: `Components`: where a component is, and its files.  What reads manifests,
lock files and packs is imported where a configuration says something of packages, and where a use names a pack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.diagnostics.model import Diagnostic
from pclgen.schema.load import SchemaStore
from pclgen.source.load import PACK_SUFFIX, LoadedProgram, RawFile, read_component
from pclgen.source.located import Located, located_in
from pclgen.source.text import Span

if TYPE_CHECKING:
    from pclgen.deps.files import PackFiles
    from pclgen.deps.program import Dependencies


class Components:
    """Where the components of one program are."""

    def __init__(self, sources: LoadedProgram, store: SchemaStore) -> None:
        self._sources = sources
        self._others: Dependencies | None = None
        self.problem: Diagnostic | None = None
        if store.surroundings is not None and store.surroundings.packaging:
            from pclgen.deps.program import dependencies_of

            found = dependencies_of(store)
            if isinstance(found, Diagnostic):
                self.problem = found
            else:
                self._others = found

    @cached_property
    def _packs(self) -> PackFiles:
        from pclgen.deps.files import PackFiles

        return PackFiles(self._sources)

    def _pack(self, path: str) -> str | None:
        """The pack that a path leads into."""
        if PACK_SUFFIX not in path:
            return None
        from pclgen.deps.files import file_of

        return file_of(path)

    @property
    def state(self) -> str:
        """A text that changes with what is known of other packages."""
        return self._others.state if self._others is not None else str(self.problem or "")

    def locate(self, directory: str, text: str, span: Span) -> Located | Diagnostic:
        """The component `text` of the program or component in `directory`, told apart from all others by its path."""
        if self.problem is not None and not text.startswith((".", "/")):
            return self.problem  # it may be a component of another package
        file = self._pack(directory)
        if file is not None:
            return self._packs.located(file, directory, text)
        found = located_in(directory, text) if self._others is None else self._others.locate(directory, text, span)
        if isinstance(found, Located) and found.name.endswith(PACK_SUFFIX):
            return replace(found, name=found.name.removesuffix(PACK_SUFFIX))
        return found

    def read(self, path: str) -> tuple[RawFile, ...] | str:
        """The files of the component at a path of `locate`, or why there are none."""
        file = self._pack(path)
        if file is not None:
            return self._packs.read(file, path)
        return read_component(self._sources, path) if self._others is None else self._others.read(self._sources, path)

    def folder(self, path: str) -> Path | None:
        """The folder on disk of the component at a path of `locate`; None where it is in an archive."""
        file = self._pack(path)
        if file is not None:
            return self._packs.place(file).parent
        return self._sources.root / path if self._others is None else self._others.folder(self._sources, path)

    def exported(self) -> tuple[str, str]:
        """What the program is called as a package of components, and its version: that of `[package]` where its folder is
        one of the exports; "" where it is none."""
        return self._others.exported(self._sources.root) if self._others is not None else ("", "")

    def files(self) -> Iterator[Path]:
        """The manifests and the lock file that say what is meant, where there are any."""
        yield from self._others.files() if self._others is not None else ()

    def provider_ranges(self) -> Mapping[str, tuple[str, ...]]:
        """Which versions of provider packages the project and what it depends on were written for."""
        return self._others.provider_ranges() if self._others is not None else {}

    def wrong_providers(self, used: Sequence[tuple[str, str]]) -> Iterator[Diagnostic]:
        """What is to be said of provider packages (names and versions) in a version that somebody does not want."""
        yield from self._others.wrong_providers(used) if self._others is not None else ()
