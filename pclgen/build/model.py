"""The data of a build.

    configuration + folder  -> ProgramPath  the programs of the project               build.programs
    ProgramPath + choices   -> Task         how to compile one program                build.plan
    Task                    -> Result       its outcome                               build.compile, over build.workerpool
    Results                 -> Summary      report and exit status                    build.run, build.report

Tasks and results travel between processes, so they hold plain data only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from pclgen.choices import PLAIN_STYLE, Action, CodeStyle, Level
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.emit.overlay import Overlay
from pclgen.schema.discovery import Settings


class Options(Struct, frozen=True, kw_only=True):
    """Compile options of one program: the choices of configuration and command line, with defaults.

    Output from files in `hidden` is removed.
    """

    languages: tuple[str, ...]
    lenient: bool = False
    project_files: bool = True
    copy_files: bool = True
    overlay: Overlay | None = None
    style: CodeStyle = PLAIN_STYLE
    allow_outside: bool = False
    hidden: tuple[str, ...] = ()


class Task(Struct, frozen=True, kw_only=True):
    """One program to build: `path` is its source, `pattern` (relative to `root`) its destination.

    A build has one task per program, so derived values are not stored.
    """

    label: str
    path: Path
    options: Options
    root: Path
    pattern: str
    levels: Mapping[str, Level] = field(default_factory=dict)

    def folder(self, language: str) -> Path:
        """Return the output folder for `language`."""
        is_root = self.label == "."
        program = os.path.basename(os.path.realpath(self.root)) if is_root else self.label.rpartition("/")[2]
        place = self.pattern.format(path="" if is_root else self.label, program=program, language=language)
        return Path(os.path.normpath(self.root / place.lstrip("/")))

    def folders(self) -> Iterator[Path]:
        """Yield the output folders of all languages."""
        return map(self.folder, self.options.languages)


class BuildContext(Struct, frozen=True, kw_only=True):
    """The data that all tasks of a build share.

    `is_listed` makes results list inputs and outputs, `is_watched` the folders that programs name, `tells_changes` each
    changed file. `serial` is unique per build: schemas that a process has read serve one build only.
    """

    root: Path
    action: Action = Action.WRITE
    force: bool = False
    is_listed: bool = False
    is_watched: bool = False
    tells_changes: bool = True
    errors_from: Severity = Severity.ERROR
    settings: Settings = field(default_factory=Settings)
    environment: Mapping[str, str] = field(default_factory=dict)
    serial: str = field(default_factory=lambda: os.urandom(8).hex())


class Status(StrEnum):
    """The outcome of a program."""

    GENERATED = "generated"
    """Files were written, or would be."""
    UNCHANGED = "unchanged"
    """All files already exist."""
    FAILED = "failed"
    """The program has errors, or could not be read or written. Its previous output is kept. If only some
    languages cannot express the program, the other languages are written."""


class Blame(StrEnum):
    """The party that must fix a problem."""

    USER = "user"
    PCLGEN = "pclgen"


class Problem(Struct, frozen=True, kw_only=True):
    """A reason other than its own errors why a program could not be built."""

    message: str
    hint: str | None = None
    blame: Blame = Blame.USER


class ChangedFile(Struct, frozen=True, kw_only=True):
    """A file that was written or deleted, or would be; `text` is the diff, if requested."""

    path: Path
    deleted: bool = False
    text: str = ""


class Result(Struct, frozen=True, kw_only=True):
    """The outcome of one task.

    If only some languages can express the program, `written` lists these and `refused` the others. On request, `outputs` are
    digests of all files of the program, by path; `inputs` are digests of all files that were read for it, None for missing
    files; `folders` are the folders whose listing affects the result. In watched builds, `folders` are the folders of the
    components and files that the program names.
    """

    label: str
    status: Status
    diagnostics: tuple[Diagnostic, ...] = ()
    problem: Problem | None = None
    written: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    changes: tuple[ChangedFile, ...] = ()
    outputs: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str | None] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    from_cache: bool = False


class UnmatchedPattern(Struct, frozen=True, kw_only=True):
    """A pattern of the configuration that matches no program, and the setting that contains it."""

    setting: str
    pattern: str


class Summary(Struct, frozen=True, kw_only=True):
    """The outcome of a build: results by label, the folders removed with their programs, and patterns without a match."""

    results: tuple[Result, ...]
    removed: tuple[Path, ...] = ()
    unmatched: tuple[UnmatchedPattern, ...] = ()

    def count(self, status: Status) -> int:
        """Return the number of programs with that status."""
        return sum(result.status is status for result in self.results)

    @property
    def is_changed(self) -> bool:
        """Whether files were written or removed, or would be."""
        return bool(self.removed) or any(result.status is Status.GENERATED for result in self.results)

    @property
    def is_broken(self) -> bool:
        """Whether pclgen itself failed somewhere."""
        return any(result.problem is not None and result.problem.blame is Blame.PCLGEN for result in self.results)
