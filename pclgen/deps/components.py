"""The components that a program may use: its own, and those of other packages.

Comes in: a program and its schemas.  Goes out: `Components`: where a component is, and its files.  What reads manifests and
lock files is imported where a configuration says something of packages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.diagnostics.model import Diagnostic
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, RawFile, read_component
from pclgen.source.located import Located, located_in
from pclgen.source.text import Span

if TYPE_CHECKING:
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

    @property
    def state(self) -> str:
        """A text that changes with what is known of other packages."""
        return self._others.state if self._others is not None else str(self.problem or "")

    def locate(self, directory: str, text: str, span: Span) -> Located | Diagnostic:
        """The component `text` of the program or component in `directory`, told apart from all others by its path."""
        if self.problem is not None and not text.startswith((".", "/")):
            return self.problem  # it may be a component of another package
        return located_in(directory, text) if self._others is None else self._others.locate(directory, text, span)

    def read(self, path: str) -> tuple[RawFile, ...] | str:
        """The files of the component at a path of `locate`, or why there are none."""
        return read_component(self._sources, path) if self._others is None else self._others.read(self._sources, path)

    def folder(self, path: str) -> Path | None:
        """The folder on disk of the component at a path of `locate`; None where it is in an archive."""
        return self._sources.root / path if self._others is None else self._others.folder(self._sources, path)

    def files(self) -> Iterator[Path]:
        """The manifests and the lock file that say what is meant, where there are any."""
        yield from self._others.files() if self._others is not None else ()

    def wrong_providers(self, used: Sequence[tuple[str, str]]) -> Iterator[Diagnostic]:
        """What is to be said of provider packages (names and versions) in a version that somebody does not want."""
        yield from self._others.wrong_providers(used) if self._others is not None else ()
