"""The data of a build.

    configuration + folder  -> Found        which programs there are                 build.programs
    Found + choices         -> Task         what to do for one program                build.plan
    Task                    -> Result       what came of it                           build.work, over build.crew
    Results                 -> Summary      what is told, and the exit status         build.run, build.report

Tasks and results go between processes, so they hold plain data only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path

from pclgen.choices import PLAIN_STYLE, CodeStyle, Level
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.emit.overlay import Overlay
from pclgen.records import dataclass
from pclgen.schema.discovery import Settings


class Action(StrEnum):
    """What to do with what was generated."""

    WRITE = "write"
    """Write it."""
    COMPARE = "compare"
    """Tell which files would change."""
    DIFF = "diff"
    """Show how they would change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How one program is compiled: the choices of the configuration and the command line, without gaps.  What comes from its
    files in `hidden` is not shown."""

    languages: tuple[str, ...]
    lenient: bool = False
    project_files: bool = True
    copy_files: bool = True
    overlay: Overlay | None = None
    style: CodeStyle = PLAIN_STYLE
    allow_outside: bool = False
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One program to build: `path` is where to read it, `pattern` (relative to `root`) where to write it.

    Of these there are as many as programs, so what can be worked out is not kept.
    """

    label: str
    path: Path
    options: Options
    root: Path
    pattern: str
    levels: Mapping[str, Level] = field(default_factory=dict)

    def folder(self, language: str) -> Path:
        """Where to write what the program becomes in `language`."""
        is_root = self.label == "."
        program = os.path.basename(os.path.realpath(self.root)) if is_root else self.label.rpartition("/")[2]
        place = self.pattern.format(path="" if is_root else self.label, program=program, language=language)
        return Path(os.path.normpath(self.root / place.lstrip("/")))

    def folders(self) -> Iterator[Path]:
        """The same for all languages."""
        return map(self.folder, self.options.languages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is the same for all tasks of a build.

    With `is_listed` results tell their inputs and outputs, with `is_watched` the folders that programs name, with
    `tells_changes` each file that was changed.  `serial` is another one for each build: what a process has read of schemas
    serves one build only.
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
    """What came of a program."""

    GENERATED = "generated"
    """Files were written, or would be."""
    UNCHANGED = "unchanged"
    """All files are there already."""
    FAILED = "failed"
    """The program has errors, or could not be read or written.  Nothing of it was touched, except where only some languages
    cannot express it: the others were written."""


class Blame(StrEnum):
    """Whose fault a problem is."""

    USER = "user"
    PCLGEN = "pclgen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a program could not be built, beside what is wrong in its text."""

    message: str
    hint: str | None = None
    blame: Blame = Blame.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A file that was written or deleted, or would be; `text` shows how, when that was asked for."""

    path: Path
    deleted: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of one task.

    Of a program that only some languages can express, `written` are these and `refused` the others.
    Where the order asks for it, `outputs` are the digests of all files of the program, by path; `inputs` all files that were
    read for it (or looked for), with digests, None for those that are not there; `folders` those whose listing counts.
    Where builds are watched, `folders` are those of the components and files that the program names.
    """

    label: str
    status: Status
    diagnostics: tuple[Diagnostic, ...] = ()
    problem: Problem | None = None
    written: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    changes: tuple[Changed, ...] = ()
    outputs: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str | None] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    from_cache: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Idle:
    """A pattern of the configuration that names no program, and the setting that it stands in."""

    setting: str
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What came of a build: results by label; `removed` are folders of programs that are gone; `idle` are patterns of the
    configuration that named nothing."""

    results: tuple[Result, ...]
    removed: tuple[Path, ...] = ()
    idle: tuple[Idle, ...] = ()

    def count(self, status: Status) -> int:
        """How many programs have that status."""
        return sum(result.status is status for result in self.results)

    @property
    def is_changed(self) -> bool:
        """Whether anything was written or removed, or would be."""
        return bool(self.removed) or any(result.status is Status.GENERATED for result in self.results)

    @property
    def is_broken(self) -> bool:
        """Whether pclgen itself failed somewhere."""
        return any(result.problem is not None and result.problem.blame is Blame.PCLGEN for result in self.results)
