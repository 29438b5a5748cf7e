"""A build from start to end, once or whenever a file changes.

A program that fails or kills its process does not stop the others. Outputs of deleted programs are removed: only
folders whose manifest names a build of this configuration, and in them only files that nobody has edited.

While pclgen watches, every round builds everything; the cache answers for unchanged programs. The watcher starts before the
first build, so that changes during a build trigger the next. Folders outside of the project (components, files, schemas,
templates) are known only after a build; when a build adds such folders, another build follows as soon as they are watched.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from pclgen.build import workerpool
from pclgen.build.cache import MtimeCache
from pclgen.build.compile import build_cached, build_chunk, build_one, compiler_for
from pclgen.build.model import Blame, BuildContext, Problem, Result, Status, Summary, Task, UnmatchedPattern
from pclgen.build.plan import output_start, plan, shard, tasks_for
from pclgen.build.programs import MissingProgram, Programs, find_programs, searched_folders
from pclgen.choices import OUTPUT, Action, Building, Choices, is_named
from pclgen.emit.write import MANIFEST, Output, WriteError, owner_of, places_of, write_outputs
from pclgen.errors import UserError
from pclgen.forks import cores
from pclgen.source.load import LoadError, without_suffix

_FEW = 16
"""Programs that compile faster than a process for them starts."""


class BuildRequest(Struct, frozen=True, kw_only=True):
    """The selection of programs and the settings of a build.

    `only` selects labels of programs or of folders; `part` is the number (from 1) and the count of parts; `jobs` is the
    number of processes, or of workers of an executor: None for the number of cores. `is_output_typed` means that the
    command line names the output folder, which may then lie anywhere.
    """

    context: BuildContext
    building: Building
    choices: Choices = field(default_factory=Choices)
    only: tuple[str, ...] = ()
    part: tuple[int, int] = (1, 1)
    jobs: int | None = None
    is_output_typed: bool = False
    allow_outside: bool = False


def build(
    request: BuildRequest,
    *,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Summary:
    """Build everything that `request` selects, over `executor` if given; `progress` receives the numbers of finished and
    of all programs.

    Raises `LoadError`, `PlanError` and `WriteError` if the programs or the output folder cannot be determined.
    """
    root, building = request.context.root, request.building
    pattern = building.output or OUTPUT
    output_folder = output_start(root, pattern)
    places = places_of(pattern, root, is_typed=request.is_output_typed, allow_outside=request.allow_outside)
    places.of(output_folder)  # check it even without programs: outputs of deleted programs are removed from it
    programs = find_programs(root, building.programs or (), exclude=building.exclude, skipped=_skipped(root, output_folder))
    if programs.missing and not building.place:
        raise LoadError(str(programs.missing[0]), programs.missing[0].hint)
    all_tasks = plan(root, programs.present, building, request.choices, places=places, allow_outside=request.allow_outside)
    only = request.only
    selected = [task for task in all_tasks if not only or any(is_named(pattern, task.label) for pattern in only)]
    tasks = shard(selected, *request.part)
    missing = _missing_results(request, programs.missing)
    results: dict[str, Result] = {}
    for result in _work(request, tasks, executor):
        results[result.label] = result
        progress(len(results), len(tasks))
    if not all(result.from_cache for result in results.values()):
        compiler_for(request.context).tidy(root)
    removed: tuple[Path, ...] = ()
    if not request.only and request.part[0] == 1:
        # Outputs that this run omits (a language deselected on the command line) are not stale.
        configured = tasks_for(root, programs.present, building, Choices()) if request.choices != Choices() else ()
        patterns = tuple(program.pattern for program in programs.missing)
        # Neither are outputs of the same programs in other folders, of the configuration or of earlier command lines.
        alive = frozenset(task.label for task in all_tasks) if request.is_output_typed else frozenset[str]()
        write = request.context.action is Action.WRITE
        all_expected = chain(all_tasks, configured)
        removed = remove_stale(root, output_folder, all_expected, patterns=patterns, alive=alive, write=write)
    unmatched = tuple(_unmatched_patterns(building, programs))
    return Summary(results=(*missing, *(results[task.label] for task in tasks)), removed=removed, unmatched=unmatched)


def _unmatched_patterns(building: Building, programs: Programs) -> Iterator[UnmatchedPattern]:
    """Yield the patterns of the configuration that match no program, usually typing mistakes."""
    yield from (UnmatchedPattern(setting="programs", pattern=pattern) for pattern in programs.unmatched)
    for pattern in dict.fromkeys(pattern for override in building.overrides for pattern in override.programs):
        if not any(is_named(pattern, program.label) for program in programs.present):
            yield UnmatchedPattern(setting="overrides", pattern=pattern)


def _missing_results(request: BuildRequest, missing: Sequence[MissingProgram]) -> tuple[Result, ...]:
    """Return a failed result for each literal path without a program; only the first part of a sharded build reports
    them."""
    if request.part[0] != 1:
        return ()
    return tuple(
        Result(
            label=program.pattern,
            status=Status.FAILED,
            problem=Problem(message=f"{request.building.place}{program}", hint=program.hint),
        )
        for program in missing
        if not request.only
        or any(is_named(only, program.pattern) or is_named(program.pattern, only) for only in request.only)
    )


def folders_of(request: BuildRequest) -> Iterator[Path]:
    """Yield the folders that a build searches for programs."""
    root, building = request.context.root, request.building
    start = output_start(root, building.output or OUTPUT)
    return searched_folders(root, building.programs or (), skipped=_skipped(root, start))


def folders_beside(request: BuildRequest, summary: Summary) -> Iterator[Path]:
    """Yield the folders outside of the project whose changes matter for a watched build. Raises `ConfigurationError`."""
    for result in summary.results:
        yield from map(Path, result.folders)
    for place in compiler_for(request.context).places(request.context.root):
        yield place if place.is_dir() else place.parent
    building = request.building
    for choices in (request.choices, building.choices, *(override.choices for override in building.overrides)):
        if choices.templates is not None and choices.templates.is_dir():
            yield from (choices.templates, *(place for place in choices.templates.iterdir() if place.is_dir()))


def _skipped(root: Path, start: Path) -> tuple[Path, ...]:
    return (start,) if start != root else ()


def _work(request: BuildRequest, tasks: Sequence[Task], executor: Executor | None) -> Iterator[Result]:
    context = request.context
    if executor is not None:
        workers = request.jobs or cores()
        size = workerpool.chunk_size(len(tasks), workers)
        yield from compile_tasks(context, tasks, executor, size=size, in_flight=workerpool.IN_FLIGHT * workers)
        return
    workers = request.jobs or cores()
    if workers == 1:
        with _mtime_cache(request, tasks) as mtime_cache:
            yield from (build_one(context, task, mtime_cache) for task in tasks)
        return
    outcomes = _looked_up(request, tasks)
    uncached: list[Task] = []
    for outcome in outcomes:
        if isinstance(outcome, Result):
            yield outcome
        else:
            uncached.append(outcome)
            if len(uncached) == _FEW * workers:
                break
    workers = min(workers, -(-len(uncached) // _FEW))
    if workers < 2:
        yield from map(partial(build_one, context), uncached)
        return
    cached: deque[Result] = deque()
    size = min(workerpool.OWN_CHUNK, workerpool.chunk_size(len(uncached), workers))
    work = chain(uncached, _uncached(outcomes, cached))
    for chunk, answer in workerpool.over_worker_processes(partial(build_chunk, context), work, workers, size=size):
        yield from _results(chunk, answer)
        yield from _drain(cached)
    yield from _drain(cached)


def _looked_up(request: BuildRequest, tasks: Sequence[Task]) -> Iterator[Task | Result]:
    """Yield results of tasks that need no compilation, and the other tasks, in order."""
    with _mtime_cache(request, tasks) as mtime_cache:
        yield from (build_cached(request.context, task, mtime_cache) or task for task in tasks)


@contextmanager
def _mtime_cache(request: BuildRequest, tasks: Sequence[Task]) -> Iterator[MtimeCache | None]:
    """Provide the mtime cache of `tasks`, and store it when all of them were checked."""
    context = request.context
    mtime_cache = compiler_for(context).mtime_cache(context, len(tasks))
    yield mtime_cache
    if mtime_cache is not None:
        mtime_cache.keep(whole=not request.only and request.part == (1, 1))


def _uncached(outcomes: Iterable[Task | Result], results: deque[Result]) -> Iterator[Task]:
    """Yield the tasks that need a compilation, on demand while workers are busy; append the results of others to
    `results`."""
    for outcome in outcomes:
        if isinstance(outcome, Result):
            results.append(outcome)
        else:
            yield outcome


def _drain(results: deque[Result]) -> Iterator[Result]:
    while results:
        yield results.popleft()


def compile_tasks(
    context: BuildContext,
    tasks: Iterable[Task],
    executor: Executor,
    *,
    size: int = workerpool.CHUNK,
    in_flight: int | None = None,
) -> Iterator[Result]:
    """Yield the results of `tasks` in order of completion, over any executor.

    `tasks` may be a stream of any length: chunks of `size` are sent to workers, at most `in_flight` at a time (by default
    twice the number of cores). If a worker dies, its chunk fails and the others continue.
    """
    limit = in_flight or workerpool.IN_FLIGHT * cores()
    for chunk, answer in workerpool.over(executor, partial(build_chunk, context), tasks, size=size, in_flight=limit):
        yield from _results(chunk, answer)


def _results(chunk: Sequence[Task], answer: Sequence[Result] | Exception) -> Iterable[Result]:
    return [_crashed(task, answer) for task in chunk] if isinstance(answer, Exception) else answer


def _crashed(task: Task, error: Exception) -> Result:
    reason = str(error) or type(error).__name__
    outcome = "could not be started" if isinstance(error, workerpool.RefusedError) else "ended"
    problem = Problem(message=f"the process that compiled it {outcome}: {reason}", blame=Blame.PCLGEN)
    return Result(label=task.label, status=Status.FAILED, problem=problem)


def remove_stale(
    root: Path,
    output_folder: Path,
    tasks: Iterable[Task],
    *,
    patterns: Sequence[str] = (),
    alive: Set[str] = frozenset(),
    write: bool,
) -> tuple[Path, ...]:
    """Remove the folders below `output_folder` that a build of `root` wrote for programs that no longer exist, and return
    them.

    A folder is kept if it belongs to one of `tasks`, or its program matches one of `patterns` or is among `alive`. Without
    `write`, nothing is removed.
    """
    expected = {str(folder) for task in tasks for folder in task.folders()}
    stale = [folder for folder in _built(output_folder, expected) if _is_stale(folder, root, patterns, alive)]
    removed: list[Path] = []
    for folder in stale if write else ():
        try:
            write_outputs([Output(folder=folder, files={})])
        except WriteError:
            continue  # locked by another process; the next build removes it
        removed.append(folder)
        for place in (folder, *folder.parents):
            if place == output_folder or not place.is_relative_to(output_folder):
                break
            try:
                place.rmdir()
            except OSError:
                break  # not empty
    return tuple(sorted(removed if write else stale))


def _is_stale(folder: Path, root: Path, patterns: Sequence[str], alive: Set[str]) -> bool:
    owner = owner_of(folder)
    if owner is None or os.path.realpath(owner.root) != os.path.realpath(root) or owner.program in alive:
        return False
    return not any(is_named(without_suffix(pattern), owner.program) for pattern in patterns)


def _built(start: Path, expected: set[str]) -> Iterator[Path]:
    """Yield generated folders below `start` except those that are `expected`."""
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


# -- watching ---------------------------------------------------------------------------------------------------------------

_GLANCE = 100
"""Milliseconds to wait for changes in one set of folders before checking the other."""


class NoWatcherError(UserError):
    """The file watching library is missing; `hint` gives the command that installs it."""

    def __init__(self) -> None:
        super().__init__("`--watch` needs the library watchfiles, which is not installed", "pip install 'pclgen[watch]'")


class Watching(Protocol):
    """A source of file changes."""

    def also(self, folders: Iterable[Path]) -> bool:
        """Watch these folders instead of the folders of the last call; return whether some are new."""

    def changes(self) -> Iterator[set[Path]]:
        """Yield sets of files that changed together, until the process is interrupted."""


def keep_building(build: Callable[[], Iterable[Path]], watcher: Watching, is_ours: Callable[[Path], bool]) -> int:
    """Build now, and again for each set of changes that the build did not write itself; return the number of builds.

    `build` returns the folders to watch besides the folders of the project.
    """
    rounds = 1
    while watcher.also(build()):
        rounds += 1
    for changed in watcher.changes():
        if not all(is_ours(path) for path in changed):
            rounds += 1
            while watcher.also(build()):
                rounds += 1
    return rounds


class Watcher:
    """Watches `folders` recursively, and other folders without their subfolders. Raises `NoWatcherError`."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._tops = tuple(os.path.realpath(folder) for folder in folders)
        self._beside: frozenset[str] = frozenset()
        self._early: set[Path] = set()
        self._inside = self._begin(self._tops, recursive=True)
        self._outside: Iterator[set[Path]] | None = None

    def also(self, folders: Iterable[Path]) -> bool:
        """See `Watching`."""
        places = {os.path.realpath(folder) for folder in folders if folder.is_dir()}
        beside = frozenset(place for place in places if not any(Path(place).is_relative_to(top) for top in self._tops))
        if beside == self._beside:
            return False
        is_new = not beside <= self._beside
        try:
            self._outside = self._begin(sorted(beside), recursive=False) if beside else None
        except FileNotFoundError:
            return True  # removed in the meantime
        self._beside = beside
        return is_new

    def changes(self) -> Iterator[set[Path]]:
        """See `Watching`."""
        while True:
            changed, self._early = self._early, set()
            for stream in (self._inside, self._outside):
                try:
                    batch = next(stream, None) if stream is not None else set()
                except KeyboardInterrupt:
                    return  # Ctrl-C ends watching
                if batch is None:
                    return
                changed |= batch
            if changed:
                yield changed

    def _begin(self, folders: Iterable[str], *, recursive: bool) -> Iterator[set[Path]]:
        """Return a stream that is already watching; an empty set means that nothing changed for a while."""
        try:
            from watchfiles import watch
        except ImportError as error:
            raise NoWatcherError from error
        stream = watch(
            *folders, recursive=recursive, raise_interrupt=True, rust_timeout=_GLANCE, yield_on_timeout=True
        )
        paths = ({Path(path) for _, path in changed} for changed in stream)
        self._early |= next(paths, set())
        return paths


def is_written_by_build(path: Path, places: Iterable[Path]) -> bool:
    """Return whether a build wrote `path`: it lies below one of `places`, or it is a manifest or temporary file."""
    if path.name == MANIFEST or path.name.endswith(".tmp"):
        return True
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(place)) for place in places)
