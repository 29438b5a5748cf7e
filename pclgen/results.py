"""What compilations give: records of what came of a program, each with all its diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct, field

from pclgen.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    from pclgen.core.program import Program
    from pclgen.sourcemaps import SourceMap
    from pclgen.syntax.ast import File
    from pclgen.trace.model import Trace


class _Result:
    """What all results have."""

    __slots__ = ()
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether there are no errors (there may be warnings)."""
        return not any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)


class CheckResult(Struct, _Result, frozen=True, kw_only=True):
    """The typed program (None when there are errors) and everything there is to say, sorted by place."""

    diagnostics: tuple[Diagnostic, ...]
    program: Program | None


class GenerateResult(Struct, _Result, frozen=True, kw_only=True):
    """Generated files by language and path, and the program that they come from; empty when there are errors, but with
    `keep_going` for the languages that can express the program.

    `data` are the files that the program names, by language and path: they belong beside the generated ones.  `source_maps`
    has the maps of the source files in Python, TypeScript and Go, by language and path; it is empty by default.
    """

    diagnostics: tuple[Diagnostic, ...]
    files: Mapping[str, Mapping[PurePosixPath, str]] = field(default_factory=dict)
    data: Mapping[str, Mapping[PurePosixPath, Path]] = field(default_factory=dict)
    program: Program | None = None
    source_maps: Mapping[str, Mapping[PurePosixPath, SourceMap]] = field(default_factory=dict)


class TextResult(Struct, _Result, frozen=True, kw_only=True):
    """One text, or None when there are errors."""

    diagnostics: tuple[Diagnostic, ...]
    text: str | None


class EvaluateResult(Struct, _Result, frozen=True, kw_only=True):
    """What a run registered; None when the program has errors.  A run that fails has a trace and an error diagnostic."""

    diagnostics: tuple[Diagnostic, ...]
    trace: Trace | None


class PartialResult(Struct, _Result, frozen=True, kw_only=True):
    """What is known about a program that may have errors: `program` has `Invalid` expressions where they are.

    `trees` are the files of its folder as parsed; `files` are the names of all files read, those of components included.
    """

    diagnostics: tuple[Diagnostic, ...]
    program: Program
    trees: tuple[File, ...]
    files: frozenset[str]


class PackResult(Struct, _Result, frozen=True, kw_only=True):
    """The bytes of a pack; None when the program has errors."""

    diagnostics: tuple[Diagnostic, ...]
    data: bytes | None
