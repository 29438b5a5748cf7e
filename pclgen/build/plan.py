"""From programs to tasks: how each is compiled, and where it goes.

Comes in: `Found` programs, the configuration's `Building`, and the choices of the command line, which go over it.  Goes out:
`Task`s, or `PlanError` when two outputs would share a folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from pclgen.build.model import Options, Task
from pclgen.build.programs import Found
from pclgen.choices import OUTPUT, Building, Choices, Strictness
from pclgen.emit.places import Places, start_of
from pclgen.languages import LANGUAGES


class PlanError(Exception):
    """A build that cannot be; `hint` says what to do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def plan(
    root: Path,
    programs: Iterable[Found],
    building: Building,
    given: Choices,
    *,
    places: Places,
    allow_outside: bool = False,
) -> tuple[Task, ...]:
    """The tasks for `programs`, in that order.  Raises `PlanError`, and `WriteError` for a folder out of bounds."""
    tasks = tasks_for(root, programs, building, given, allow_outside=allow_outside)
    _check_folders(tasks, building.output or OUTPUT, places)
    return tasks


def tasks_for(
    root: Path, programs: Iterable[Found], building: Building, given: Choices, *, allow_outside: bool = False
) -> tuple[Task, ...]:
    """The tasks, wherever they would write."""
    pattern = building.output or OUTPUT
    return tuple(
        _task(root, program, given.over(building.of(program.label)), pattern, allow_outside=allow_outside)
        for program in programs
    )


def output_start(root: Path, pattern: str) -> Path:
    """The folder that all outputs of `pattern` lie in."""
    return root / start_of(pattern)


def shard(tasks: Sequence[Task], number: int, count: int) -> tuple[Task, ...]:
    """The part with this number (from 1) of `count` equal parts."""
    return tuple(tasks[number - 1 :: count])


def options_of(choices: Choices, *, allow_outside: bool) -> Options:
    """How a program is compiled when the configuration and whoever asks have chosen `choices`."""
    return Options(
        languages=choices.languages if choices.languages is not None else LANGUAGES,
        lenient=choices.strictness is Strictness.LENIENT,
        project_files=choices.project_files is not False,
        copy_files=choices.copy_files is not False,
        allow_outside=allow_outside,
    )


def _task(root: Path, program: Found, choices: Choices, pattern: str, *, allow_outside: bool) -> Task:
    options = options_of(choices, allow_outside=allow_outside)
    return Task(
        label=program.label,
        path=program.path,
        options=options,
        folders=_folders(root, program.label, options.languages, pattern),
        levels=choices.levels,
    )


def _folders(root: Path, label: str, languages: Sequence[str], pattern: str) -> Mapping[str, Path]:
    name = PurePosixPath(label).name or os.path.basename(os.path.realpath(root))
    path = "" if label == "." else label
    return {
        language: Path(os.path.normpath(root / pattern.format(path=path, program=name, language=language).lstrip("/")))
        for language in languages
    }


def _check_folders(tasks: Iterable[Task], pattern: str, places: Places) -> None:
    owners: dict[Path, str] = {}
    for task in tasks:
        for language, folder in task.folders.items():
            owner = f"`{task.label}` in {language}"
            other = owners.setdefault(places.of(folder), owner)
            if other is not owner:
                raise PlanError(
                    f"{other} and {owner} would both be written to `{folder}`",
                    f"tell them apart in `output = \"{pattern}\"`, as in `{OUTPUT}`",
                )
