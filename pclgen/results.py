"""What compilations give: records of what came of a program, each with all its diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct, field

from pclgen.diagnostics.model import Diagnostic, has_errors

if TYPE_CHECKING:
    from pclgen.core.program import Program
    from pclgen.sourcemaps import SourceMap
    from pclgen.trace.model import Trace


class _Result:
    """What all results have."""

    __slots__ = ()
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether there are no errors (there may be warnings)."""
        return not has_errors(self.diagnostics)


class CheckResult(Struct, _Result, frozen=True, kw_only=True):
    """The typed program, or None if it has errors, and the diagnostics, sorted by position."""

    diagnostics: tuple[Diagnostic, ...]
    program: Program | None


class GenerateResult(Struct, _Result, frozen=True, kw_only=True):
    """The generated files by language and path, and the program.

    `files` is empty if there are errors; with `keep_going` it has the languages that can express the program. `data` maps
    the paths of data files, which belong beside the generated files, to the files that the program names. `source_maps`
    has a map for each source file if source maps were requested.
    """

    diagnostics: tuple[Diagnostic, ...]
    files: Mapping[str, Mapping[PurePosixPath, str]] = field(default_factory=dict)
    data: Mapping[str, Mapping[PurePosixPath, Path]] = field(default_factory=dict)
    program: Program | None = None
    source_maps: Mapping[str, Mapping[PurePosixPath, SourceMap]] = field(default_factory=dict)


class TextResult(Struct, _Result, frozen=True, kw_only=True):
    """A text, or None if there are errors."""

    diagnostics: tuple[Diagnostic, ...]
    text: str | None


class EvaluateResult(Struct, _Result, frozen=True, kw_only=True):
    """The trace of a run, or None if the program has errors. A run that fails has both a trace and an error diagnostic."""

    diagnostics: tuple[Diagnostic, ...]
    trace: Trace | None


class PackResult(Struct, _Result, frozen=True, kw_only=True):
    """The bytes of a pack; None when the program has errors."""

    diagnostics: tuple[Diagnostic, ...]
    data: bytes | None
