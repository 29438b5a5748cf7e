"""The interface between commands and the compiler.

`pclgen.pipeline` implements the `Compiler` protocol, and `load_compiler` imports it. Commands depend only on the
protocol, so tests can run them without a compiler.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from pclgen.choices import PLAIN_STYLE, CodeStyle
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.load import LoadedProgram, RawFile

if TYPE_CHECKING:
    from pclgen.emit.overlay import Overlay
    from pclgen.schema.load import SchemaStore
    from pclgen.sourcemaps import SourceMap

GraphFormat: TypeAlias = Literal["dot", "html", "json", "mermaid", "svg"]


class Outcome(Protocol):
    """The result of a check: diagnostics sorted by position."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...


class TextOutcome(Outcome, Protocol):
    """A result with one text (a graph, a formatted file); None if there are errors."""

    @property
    def text(self) -> str | None: ...


class GenerateOutcome(Outcome, Protocol):
    """Generated files by language, then by path relative to the output folder; empty if there are errors.

    `data` are files to copy beside them; `source_maps`, empty by default, map them to the program.
    """

    @property
    def files(self) -> Mapping[str, Mapping[PurePosixPath, str]]: ...

    @property
    def data(self) -> Mapping[str, Mapping[PurePosixPath, Path]]: ...

    @property
    def source_maps(self) -> Mapping[str, Mapping[PurePosixPath, SourceMap]]: ...


class PackOutcome(Outcome, Protocol):
    """The bytes of a pack; None if there are errors."""

    @property
    def data(self) -> bytes | None: ...


class Compiler(Protocol):
    """The functions behind the commands."""

    def check(self, sources: LoadedProgram, *, store: SchemaStore, lenient: bool) -> Outcome:
        """Read, bind and check a program."""
        ...

    def generate(
        self,
        sources: LoadedProgram,
        *,
        languages: Sequence[str],
        store: SchemaStore,
        lenient: bool,
        program_only: bool,
        copy_files: bool,
        overlay: Overlay | None = None,
        keep_going: bool = False,
        style: CodeStyle = PLAIN_STYLE,
        source_maps: bool = False,
        jobs: int = 1,
    ) -> GenerateOutcome:
        """Check a program and generate the files of all `languages`, or with `keep_going` of those that can express it."""
        ...

    def passes(self) -> Mapping[str, str]:
        """Return the passes from program to program, in order, with a one-line description each."""
        ...

    def dump(
        self,
        sources: LoadedProgram,
        *,
        after: str,
        languages: Sequence[str],
        store: SchemaStore,
        lenient: bool,
        style: CodeStyle = PLAIN_STYLE,
    ) -> TextOutcome:
        """Check a program and print it after a pass."""
        ...

    def graph(
        self, sources: LoadedProgram, *, store: SchemaStore, lenient: bool, graph_format: GraphFormat
    ) -> TextOutcome:
        """Check a program and draw its dependencies."""
        ...

    def pack(
        self, sources: LoadedProgram, *, store: SchemaStore, lenient: bool, package: tuple[str, str] | None
    ) -> PackOutcome:
        """Check a program and put it into one file."""
        ...

    def config_schema(self, sources: LoadedProgram, *, store: SchemaStore, lenient: bool) -> TextOutcome:
        """Check a program and describe its configuration."""
        ...

    def check_stack_files(
        self,
        sources: LoadedProgram,
        files: Sequence[RawFile],
        *,
        project: str | None,
        store: SchemaStore,
        lenient: bool,
    ) -> Outcome:
        """Check a program, and the configuration of stacks against it."""
        ...


def load_compiler() -> Compiler:
    """Return the real compiler, whose import dominates the run time of a command."""
    from pclgen import pipeline

    return pipeline
