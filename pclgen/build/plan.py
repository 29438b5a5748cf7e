"""From programs to tasks: how each is compiled, and where it goes.

Comes in: `Found` programs, the configuration's `Building`, and the choices of the command line, which go over it.  Goes out:
`Task`s, or `PlanError` when two outputs would share a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from pclgen.build.inputs import shown
from pclgen.build.model import Options, Task
from pclgen.build.programs import Found
from pclgen.choices import OUTPUT, Building, Choices, Strictness
from pclgen.emit.overlay import Overlay, OverlayError, read_overlay
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
    """The tasks, wherever they would write.  Raises `PlanError`."""
    pattern = building.output or OUTPUT
    overlays = cache(_overlay)  # read anew for each build, once
    known: dict[Options, Options] = {}
    tasks: list[Task] = []
    for program in programs:
        choices = given.over(building.of(program.label))
        options = options_of(choices, allow_outside=allow_outside, overlays=overlays)
        options = known.setdefault(options, options)  # one for all that have the same
        tasks.append(
            Task(
                label=program.label, path=program.path, options=options, root=root, pattern=pattern, levels=choices.levels
            )
        )
    return tuple(tasks)


def output_start(root: Path, pattern: str) -> Path:
    """The folder that all outputs of `pattern` lie in."""
    return root / start_of(pattern)


def shard(tasks: Sequence[Task], number: int, count: int) -> tuple[Task, ...]:
    """The part with this number (from 1) of `count` equal parts."""
    return tuple(tasks[number - 1 :: count])


def _overlay(folder: Path) -> Overlay:
    try:
        return read_overlay(Path(shown(folder)))
    except OverlayError as error:
        raise PlanError(str(error), error.hint) from error


def options_of(
    choices: Choices, *, allow_outside: bool, overlays: Callable[[Path], Overlay] = _overlay
) -> Options:
    """How a program is compiled when the configuration and whoever asks have chosen `choices`.  Raises `PlanError`."""
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
    for task, language, place in _placed(tasks, places):
        if place in taken:
            first = next(f"`{one.label}` in {name}" for one, name, other in _placed(tasks, places) if other == place)
            raise PlanError(
                f"{first} and `{task.label}` in {language} would both be written to `{task.folder(language)}`",
                f"tell them apart in `output = \"{pattern}\"`, as in `{OUTPUT}`",
            )
        taken.add(place)


def _placed(tasks: Iterable[Task], places: Places) -> Iterator[tuple[Task, str, str]]:
    """Each task in each of its languages, and where that is really written."""
    for task in tasks:
        for language in task.options.languages:
            yield task, language, str(places.of(task.folder(language)))
