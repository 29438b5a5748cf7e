"""What a worker does: compiles the programs of a chunk one after the other and writes what they become.

Comes in: an `Order` and `Task`s.  Goes out: a `Result` for each; whatever goes wrong with one program is told in its own.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath

from pclgen.build.model import Action, Blame, Changed, Order, Problem, Result, Status, Task
from pclgen.diagnostics.levels import with_levels
from pclgen.diagnostics.model import Severity
from pclgen.disk.journal import digest
from pclgen.emit.write import MANIFEST, Change, Output, Owner, WriteError, foresee, write_outputs
from pclgen.pipeline import GenerateResult, generate
from pclgen.schema.config import ConfigurationError
from pclgen.schema.discovery import Settings, Shelf
from pclgen.source.load import LoadedProgram, LoadError, load_program


def build_chunk(order: Order, tasks: Sequence[Task]) -> tuple[Result, ...]:
    """The results of `tasks`, in that order."""
    return tuple(map(partial(build_one, order), tasks))


def build_one(order: Order, task: Task) -> Result:
    """The result of one task.  Never raises for what goes wrong with it."""
    try:
        sources = load_program(str(task.path), allow_outside=task.options.allow_outside)
        store = _shelf(order.settings, tuple(sorted(order.environment.items()))).of(sources.root)
        made = generate(
            sources,
            languages=task.options.languages,
            lenient=task.options.lenient,
            program_only=not task.options.project_files,
            copy_files=task.options.copy_files,
            store=store,
        )
        return _finish(order, task, sources, made)
    except (LoadError, WriteError, ConfigurationError) as error:
        return failed(task, Problem(message=str(error), hint=error.hint))
    except Exception as error:  # One program must not stop the others, whatever happens in it.
        return failed(task, bug(error))


def failed(task: Task, problem: Problem) -> Result:
    """The result of a task that came to nothing."""
    return Result(label=task.label, status=Status.FAILED, problem=problem)


def bug(error: BaseException) -> Problem:
    """An exception that is a mistake of pclgen."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Problem(
        message=f"pclgen itself failed ({what})",
        hint="this is a bug in pclgen, not in your program: please report it, with the program",
        blame=Blame.PCLGEN,
    )


@lru_cache(maxsize=8)
def _shelf(settings: Settings, environment: tuple[tuple[str, str], ...]) -> Shelf:
    """The stores that all chunks of a build share in a process."""
    return Shelf(settings, dict(environment))


def _finish(order: Order, task: Task, sources: LoadedProgram, made: GenerateResult) -> Result:
    told = with_levels(made.diagnostics, task.levels, errors_from=order.errors_from)
    if any(item.severity is Severity.ERROR for item in told):
        return Result(label=task.label, status=Status.FAILED, diagnostics=told)
    outputs = [
        Output(
            folder=task.folders[language],
            files=made.files[language],
            data=made.data.get(language, {}),
            owner=Owner(program=task.label, root=order.root),
        )
        for language in task.options.languages
    ]
    changes = _written(order, outputs)
    return Result(
        label=task.label,
        status=Status.GENERATED if changes else Status.UNCHANGED,
        diagnostics=told,
        changes=changes,
        outputs={
            str(output.folder / path): digest(data) for output in outputs for path, data in _contents(output).items()
        },
    )


def _contents(output: Output) -> dict[PurePosixPath, bytes]:
    texts = {path: text.encode("utf-8") for path, text in output.files.items()}
    return texts | {path: source.read_bytes() for path, source in output.data.items()}


def _written(order: Order, outputs: Sequence[Output]) -> tuple[Changed, ...]:
    """What was changed, or would be.  Raises `WriteError`."""
    if order.action is not Action.WRITE:
        changes = [one for one in foresee(outputs, force=order.force) if one.path.name != MANIFEST]
        return tuple(
            Changed(
                path=one.path,
                deleted=one.after is None,
                text=difference(one) if order.action is Action.DIFF else "",
            )
            for one in changes
        )
    return tuple(
        Changed(path=done.folder / path, deleted=deleted)
        for done in write_outputs(outputs, force=order.force)
        for paths, deleted in ((done.changed, False), (done.deleted, True))
        for path in paths
        if path.name != MANIFEST
    )


def difference(change: Change) -> str:
    """A unified diff of one file; one line for files that are no text."""
    try:
        before, after = (
            [] if data is None else data.decode("utf-8").splitlines(keepends=True) for data in (change.before, change.after)
        )
    except UnicodeDecodeError:
        return f"Binary file {_shown(change.path)} differs\n"
    name = _shown(change.path)
    old, new = (name if data is not None else "/dev/null" for data in (change.before, change.after))
    lines = difflib.unified_diff(before, after, old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _shown(path: Path) -> str:
    return path.as_posix()
