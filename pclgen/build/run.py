"""A build from its beginning to its end.

Comes in: a `Request`.  Goes out: a `Summary`.  Programs are compiled in this process or over others; one that fails, or
kills its process, takes no other with it.  What programs that are gone have left is removed: only folders whose own list
says that a build of this configuration wrote them, and in them only files that nobody has edited.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from itertools import chain
from pathlib import Path

from pclgen.build import crew
from pclgen.build.compile import compiler_for
from pclgen.build.glimpse import Glimpses
from pclgen.build.model import Action, Blame, Idle, Order, Problem, Result, Status, Summary, Task
from pclgen.build.plan import output_start, plan, shard, tasks_for
from pclgen.build.programs import Absent, Programs, find_programs, folders_looked_in
from pclgen.choices import OUTPUT, Building, Choices, is_named
from pclgen.emit.places import places_of
from pclgen.emit.write import MANIFEST, Output, WriteError, owner_of, write_outputs
from pclgen.records import dataclass
from pclgen.source.load import LoadError, without_suffix

_FEW = 16
"""So many programs are compiled sooner than a process for them starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to build.

    `only` are labels of programs, or of folders of them, when not all are meant; `part` is a number (from 1) and how many
    parts there are; `jobs` is how many processes, or workers of an executor, work: None for as many as there are cores.
    `is_output_typed` says that the output folder is that of the command line, which may lie anywhere.
    """

    order: Order
    building: Building
    given: Choices = field(default_factory=Choices)
    only: tuple[str, ...] = ()
    part: tuple[int, int] = (1, 1)
    jobs: int | None = None
    is_output_typed: bool = False
    allow_outside: bool = False


def build(
    request: Request, *, executor: Executor | None = None, told: Callable[[int, int], None] = lambda done, total: None
) -> Summary:
    """Build all that `request` asks for, over `executor` if there is one.  `told` hears how many programs of how many are
    done.  Raises `LoadError`, `PlanError` and `WriteError` when there is no telling what to build, or where to."""
    root, building = request.order.root, request.building
    pattern = building.output or OUTPUT
    start = output_start(root, pattern)
    places = places_of(pattern, root, is_typed=request.is_output_typed, allow_outside=request.allow_outside)
    places.of(start)  # also where no program is: files of those that are gone are removed
    programs = find_programs(root, building.programs or (), exclude=building.exclude, skipped=_skipped(root, start))
    if programs.absent and not building.place:
        raise LoadError(str(programs.absent[0]), programs.absent[0].hint)
    everything = plan(root, programs.found, building, request.given, places=places, allow_outside=request.allow_outside)
    wanted = [task for task in everything if not request.only or any(is_named(one, task.label) for one in request.only)]
    tasks = shard(wanted, *request.part)
    absent = _absent(request, programs.absent)
    results: dict[str, Result] = {}
    for result in _work(request, tasks, executor):
        results[result.label] = result
        told(len(results), len(tasks))
    if not all(result.from_cache for result in results.values()):
        compiler_for(request.order).tidy(root)
    removed: tuple[Path, ...] = ()
    if not request.only and request.part[0] == 1:
        # What this run leaves out (a language, by the command line) is not gone.
        configured = tasks_for(root, programs.found, building, Choices()) if request.given != Choices() else ()
        kept = tuple(one.pattern for one in programs.absent)
        # Nor is what lies where the configuration says, or an earlier command line did.
        alive = frozenset(task.label for task in everything) if request.is_output_typed else frozenset[str]()
        write = request.order.action is Action.WRITE
        removed = remove_gone(root, start, chain(everything, configured), kept=kept, alive=alive, write=write)
    idle = tuple(_idle(building, programs))
    return Summary(results=(*absent, *(results[task.label] for task in tasks)), removed=removed, idle=idle)


def _idle(building: Building, programs: Programs) -> Iterator[Idle]:
    """What the configuration says of no program at all: a slip of the pen, more often than not."""
    yield from (Idle(setting="programs", pattern=pattern) for pattern in programs.idle)
    for pattern in dict.fromkeys(pattern for override in building.overrides for pattern in override.programs):
        if not any(is_named(pattern, program.label) for program in programs.found):
            yield Idle(setting="overrides", pattern=pattern)


def _absent(request: Request, absent: Sequence[Absent]) -> tuple[Result, ...]:
    """A result for each entry of the configuration that names no program; those of other parts of the build tell nothing."""
    if request.part[0] != 1:
        return ()
    return tuple(
        Result(
            label=one.pattern,
            status=Status.FAILED,
            problem=Problem(message=f"{request.building.place}{one}", hint=one.hint),
        )
        for one in absent
        if not request.only or any(is_named(only, one.pattern) or is_named(one.pattern, only) for only in request.only)
    )


def folders_of(request: Request) -> Iterator[Path]:
    """The folders in which a build looks for programs."""
    root, building = request.order.root, request.building
    start = output_start(root, building.output or OUTPUT)
    return folders_looked_in(root, building.programs or (), skipped=_skipped(root, start))


def folders_beside(request: Request, summary: Summary) -> Iterator[Path]:
    """The folders in which something counts for a build that was watched, as far as they are known by name: they may lie
    outside of the project.  Raises `ConfigurationError`."""
    for result in summary.results:
        yield from map(Path, result.folders)
    for place in compiler_for(request.order).places(request.order.root):
        yield place if place.is_dir() else place.parent
    building = request.building
    for choices in (request.given, building.choices, *(override.choices for override in building.overrides)):
        if choices.templates is not None and choices.templates.is_dir():
            yield from (choices.templates, *(place for place in choices.templates.iterdir() if place.is_dir()))


def _skipped(root: Path, start: Path) -> tuple[Path, ...]:
    return (start,) if start != root else ()


def _work(request: Request, tasks: Sequence[Task], executor: Executor | None) -> Iterator[Result]:
    order = request.order
    if executor is not None:
        workers = request.jobs or crew.cores()
        size = crew.chunk_size(len(tasks), workers)
        yield from compile_tasks(order, tasks, executor, size=size, in_flight=crew.IN_FLIGHT * workers)
        return
    from pclgen.build.work import build_one

    workers = request.jobs or crew.cores()
    if workers == 1:
        with _glimpses(request, tasks) as glimpses:
            yield from (build_one(order, task, glimpses) for task in tasks)
        return
    looked_up = _looked_up(request, tasks)
    some: list[Task] = []
    for one in looked_up:
        if isinstance(one, Result):
            yield one
        else:
            some.append(one)
            if len(some) == _FEW * workers:
                break
    workers = min(workers, -(-len(some) // _FEW))
    if workers < 2:
        yield from map(partial(build_one, order), some)
        return
    known: deque[Result] = deque()
    size = min(crew.OWN_CHUNK, crew.chunk_size(len(some), workers))
    work = chain(some, _unknown(looked_up, known))
    for chunk, answer in crew.over_processes(partial(_build_chunk, order), work, workers, size=size):
        yield from _results(chunk, answer)
        yield from _taken(known)
    yield from _taken(known)


def _looked_up(request: Request, tasks: Sequence[Task]) -> Iterator[Task | Result]:
    """The results of tasks for which nothing has to be compiled, and the other tasks, in order."""
    from pclgen.build.work import build_known

    with _glimpses(request, tasks) as glimpses:
        yield from (build_known(request.order, task, glimpses) or task for task in tasks)


@contextmanager
def _glimpses(request: Request, tasks: Sequence[Task]) -> Iterator[Glimpses | None]:
    """What was seen of `tasks` before; kept when all of them were looked at."""
    order = request.order
    glimpses = compiler_for(order).glimpses(order, len(tasks))
    yield glimpses
    if glimpses is not None:
        glimpses.keep(whole=not request.only and request.part == (1, 1))


def _unknown(looked_up: Iterable[Task | Result], known: deque[Result]) -> Iterator[Task]:
    """The tasks for which something has to be compiled, while workers are busy with those before; results of the others go
    to `known`."""
    for one in looked_up:
        if isinstance(one, Result):
            known.append(one)
        else:
            yield one


def _taken(known: deque[Result]) -> Iterator[Result]:
    while known:
        yield known.popleft()


def compile_tasks(
    order: Order, tasks: Iterable[Task], executor: Executor, *, size: int = crew.CHUNK, in_flight: int | None = None
) -> Iterator[Result]:
    """The results of `tasks`, in the order in which they come, over any executor.

    `tasks` may be a stream of any length: `size` of them travel together, and no more than `in_flight` chunks are under way
    (twice the cores of this machine unless told).  A chunk whose worker dies fails, and the others go on.
    """
    limit = in_flight or crew.IN_FLIGHT * crew.cores()
    for chunk, answer in crew.over(executor, partial(_build_chunk, order), tasks, size=size, in_flight=limit):
        yield from _results(chunk, answer)


def _results(chunk: Sequence[Task], answer: Sequence[Result] | Exception) -> Iterable[Result]:
    return [_lost(task, answer) for task in chunk] if isinstance(answer, Exception) else answer


def _build_chunk(order: Order, tasks: Sequence[Task]) -> tuple[Result, ...]:
    # Imported where it runs: the compiler is not needed in the process that gives out the work.
    from pclgen.build.work import build_chunk

    return build_chunk(order, tasks)


def _lost(task: Task, error: Exception) -> Result:
    what = str(error) or type(error).__name__
    how = "could not be started" if isinstance(error, crew.NotStartedError) else "ended"
    problem = Problem(message=f"the process that compiled it {how}: {what}", blame=Blame.PCLGEN)
    return Result(label=task.label, status=Status.FAILED, problem=problem)


def remove_gone(
    root: Path,
    start: Path,
    tasks: Iterable[Task],
    *,
    kept: Sequence[str] = (),
    alive: Set[str] = frozenset(),
    write: bool,
) -> tuple[Path, ...]:
    """Remove (or with `write` off, tell) the folders below `start` that a build of `root` wrote for what is no task now, and
    for no program that is named by `kept` or among `alive`."""
    expected = {str(folder) for task in tasks for folder in task.folders()}
    gone = [folder for folder in _built(start, expected) if _is_gone(folder, root, kept, alive)]
    removed: list[Path] = []
    for folder in gone if write else ():
        try:
            write_outputs([Output(folder=folder, files={})])
        except WriteError:
            continue  # somebody else has it; the next build comes by
        removed.append(folder)
        for place in (folder, *folder.parents):
            if place == start or not place.is_relative_to(start):
                break
            try:
                place.rmdir()
            except OSError:
                break  # not empty
    return tuple(sorted(removed if write else gone))


def _is_gone(folder: Path, root: Path, kept: Sequence[str], alive: Set[str]) -> bool:
    owner = owner_of(folder)
    if owner is None or os.path.realpath(owner.root) != os.path.realpath(root) or owner.program in alive:
        return False
    return not any(is_named(without_suffix(pattern), owner.program) for pattern in kept)


def _built(start: Path, expected: set[str]) -> Iterator[Path]:
    """The folders below `start` that somebody generated, without those that are `expected`."""
    for folder, folders, names in os.walk(start):
        if MANIFEST in names:
            folders.clear()
            yield Path(folder)
        else:
            folders[:] = sorted(
                name
                for name in folders
                if not name.startswith(".")
                and name != "node_modules"
                and os.path.normpath(os.path.join(folder, name)) not in expected
            )
