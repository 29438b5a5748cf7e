"""The tasks of a build: the compile options and the destination of each program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from pclgen.build.dependencies import display_path
from pclgen.build.model import Options, Task
from pclgen.build.programs import ProgramPath
from pclgen.choices import OUTPUT, Building, Choices, Strictness
from pclgen.emit.overlay import Overlay, read_overlay
from pclgen.emit.write import Places, start_of
from pclgen.errors import UserError
from pclgen.languages import LANGUAGES


class PlanError(UserError):
    """An impossible build; `hint` gives the next step."""


def plan(
    root: Path,
    programs: Iterable[ProgramPath],
    building: Building,
    choices: Choices,
    *,
    places: Places,
    allow_outside: bool = False,
) -> tuple[Task, ...]:
    """Return the tasks for `programs`, in that order.

    `choices` of the command line override the configuration's `building`. Raises `PlanError` if two outputs share a
    folder, and `WriteError` for a folder outside of the allowed location (`emit.write`).
    """
    tasks = tasks_for(root, programs, building, choices, allow_outside=allow_outside)
    _check_folders(tasks, building.output or OUTPUT, places)
    return tasks


def tasks_for(
    root: Path, programs: Iterable[ProgramPath], building: Building, choices: Choices, *, allow_outside: bool = False
) -> tuple[Task, ...]:
    """Return the tasks without a check of their folders. Raises `OverlayError`."""
    pattern = building.output or OUTPUT
    overlays = cache(_overlay)  # read once per build
    shared: dict[Options, Options] = {}
    tasks: list[Task] = []
    for program in programs:
        merged = choices.over(building.of(program.label))
        options = options_of(merged, allow_outside=allow_outside, overlays=overlays)
        options = shared.setdefault(options, options)  # share equal records
        tasks.append(
            Task(
                label=program.label, path=program.path, options=options, root=root, pattern=pattern, levels=merged.levels
            )
        )
    return tuple(tasks)


def output_start(root: Path, pattern: str) -> Path:
    """Return the folder that contains all outputs of `pattern`."""
    return root / start_of(pattern)


def shard(tasks: Sequence[Task], number: int, count: int) -> tuple[Task, ...]:
    """Return part `number` (from 1) of `count` equal parts."""
    return tuple(tasks[number - 1 :: count])


def _overlay(folder: Path) -> Overlay:
    return read_overlay(Path(display_path(folder)))


def options_of(
    choices: Choices, *, allow_outside: bool, overlays: Callable[[Path], Overlay] = _overlay
) -> Options:
    """Return the options of one program, with defaults for everything unset in `choices`. Raises `OverlayError`."""
    return Options(
        languages=choices.languages if choices.languages is not None else LANGUAGES,
        lenient=choices.strictness is Strictness.LENIENT,
        project_files=choices.project_files is not False,
        copy_files=choices.copy_files is not False,
        overlay=None if choices.templates is None else overlays(choices.templates),
        style=choices.style,
        allow_outside=allow_outside,
    )


def _check_folders(tasks: Sequence[Task], pattern: str, places: Places) -> None:
    taken: set[str] = set()
    for task, language, folder in _with_folders(tasks, places):
        if folder in taken:
            owners = _with_folders(tasks, places)
            first = next(f"`{earlier.label}` in {name}" for earlier, name, other in owners if other == folder)
            raise PlanError(
                f"{first} and `{task.label}` in {language} would both be written to `{task.folder(language)}`",
                f"tell them apart in `output = \"{pattern}\"`, as in `{OUTPUT}`",
            )
        taken.add(folder)


def _with_folders(tasks: Iterable[Task], places: Places) -> Iterator[tuple[Task, str, str]]:
    """Yield each task with each of its languages and the real path of the output folder in that language."""
    for task in tasks:
        for language in task.options.languages:
            yield task, language, str(places.of(task.folder(language)))
