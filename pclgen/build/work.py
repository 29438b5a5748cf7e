"""The work of one process: compile programs one after the other and write their files.

Every problem with a program becomes part of the result of that program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from pclgen.build.compile import Compiled, compiler_for
from pclgen.build.inputs import display_path
from pclgen.build.model import Blame, BuildContext, ChangedFile, Problem, Result, Status, Task
from pclgen.build.mtimes import MtimeCache
from pclgen.choices import Action
from pclgen.diagnostics.bugs import REPORT, own_failure
from pclgen.diagnostics.levels import has_raised, with_levels
from pclgen.diagnostics.model import Severity
from pclgen.disk.journal import digest, digest_of
from pclgen.emit.write import MANIFEST, Change, Output, foresee, is_written, write_outputs
from pclgen.errors import UserError
from pclgen.source.text import one_line

_R = TypeVar("_R")


def build_chunk(context: BuildContext, tasks: Sequence[Task]) -> tuple[Result, ...]:
    """Return the results of `tasks`, in that order."""
    return tuple(map(partial(build_one, context), tasks))


def build_one(context: BuildContext, task: Task, mtime_cache: MtimeCache | None = None) -> Result:
    """Return the result of one task. Never raises for problems of that task."""
    if mtime_cache is not None and mtime_cache.holds(task):
        return _unchanged(task)
    return _catching(task, lambda: _finish_and_note(context, task, compiler_for(context).compile(task), mtime_cache))


def build_cached(context: BuildContext, task: Task, mtime_cache: MtimeCache | None) -> Result | None:
    """Return the result of one task if it needs no compilation, else None. Never raises for problems of that task."""
    if mtime_cache is not None and mtime_cache.holds(task):
        return _unchanged(task)

    def cached() -> Result | None:
        compiled = compiler_for(context).cached(task)
        return _finish_and_note(context, task, compiled, mtime_cache) if compiled is not None else None

    return _catching(task, cached)


def _unchanged(task: Task) -> Result:
    return Result(label=task.label, status=Status.UNCHANGED, from_cache=True)


def _finish_and_note(context: BuildContext, task: Task, compiled: Compiled, mtime_cache: MtimeCache | None) -> Result:
    """Return the result of a task; note the task in `mtime_cache` if no file changed and there are no diagnostics."""
    result = _finish(context, task, compiled)
    if mtime_cache is not None and result.status is Status.UNCHANGED and not compiled.result.diagnostics:
        mtime_cache.note(task, compiled)
    return result


def _catching(task: Task, work: Callable[[], _R]) -> _R | Result:
    try:
        return work()
    except UserError as error:
        return failed(task, Problem(message=str(error), hint=error.hint))
    except Exception as error:  # A crash in one program must not stop the others.
        return failed(task, bug(error))


def failed(task: Task, problem: Problem) -> Result:
    """Return the result of a task that failed."""
    return Result(label=task.label, status=Status.FAILED, problem=problem)


def bug(error: BaseException) -> Problem:
    """Return the problem of an unexpected exception, a defect of pclgen."""
    return Problem(message=own_failure(error), hint=REPORT, blame=Blame.PCLGEN)


def _finish(context: BuildContext, task: Task, compiled: Compiled) -> Result:
    original = compiled.diagnostics()
    diagnostics = with_levels(original, task.levels, errors_from=context.errors_from)
    is_failed = not compiled.result.ok or any(item.severity is Severity.ERROR for item in diagnostics)
    outputs = [] if has_raised(original, diagnostics) else compiled.outputs(context, task)
    languages, files, is_partial = task.options.languages, compiled.result.files, is_failed and bool(outputs)
    changes = _written(context, outputs)
    return Result(
        label=task.label,
        status=Status.FAILED if is_failed else Status.GENERATED if changes else Status.UNCHANGED,
        written=tuple(language for language in languages if language in files) if is_partial else (),
        refused=tuple(language for language in languages if language not in files) if is_partial else (),
        diagnostics=diagnostics,
        changes=changes if context.tells_changes else (),
        outputs=_digests(outputs) if context.is_listed else {},
        inputs=compiled.inputs.files,
        folders=compiled.inputs.folders,
        from_cache=compiled.from_cache,
    )


def _digests(outputs: Sequence[Output]) -> Mapping[str, str]:
    """Return digests of all written files of `outputs`."""
    digests: dict[str, str] = {}
    for output in outputs:
        digests |= {display_path(output.folder / path): digest(text.encode()) for path, text in output.files.items()}
        digests |= {display_path(output.folder / path): digest_of(output.folder / path) or "" for path in output.data}
    return dict(sorted(digests.items()))


def _written(context: BuildContext, outputs: Sequence[Output]) -> tuple[ChangedFile, ...]:
    """Write `outputs`, or only compare them with the files, by the action; return the changes. Raises `WriteError`."""
    if context.action is Action.WRITE:
        return _write(outputs, force=context.force)
    return foreseen(context.action, outputs, force=context.force)


def foreseen(action: Action, outputs: Sequence[Output], *, force: bool) -> tuple[ChangedFile, ...]:
    """Return the changes that writing would make, with diffs for `Action.DIFF`. Raises `WriteError`."""
    return tuple(
        ChangedFile(path=change.path, deleted=change.after is None, text=difference(change) if action is Action.DIFF else "")
        for change in foresee(outputs, force=force)
        if change.path.name != MANIFEST
    )


def _write(outputs: Sequence[Output], *, force: bool) -> tuple[ChangedFile, ...]:
    if is_written(outputs):
        return ()
    return tuple(
        ChangedFile(path=written.folder / path, deleted=deleted)
        for written in write_outputs(outputs, force=force)
        for paths, deleted in ((written.changed, False), (written.deleted, True))
        for path in paths
        if path.name != MANIFEST
    )


def difference(change: Change) -> str:
    """Return a unified diff of one file, or a single line for binary files."""
    from pclgen.source.difference import difference as lines_of

    name = change.path.as_posix()
    try:
        before, after = (None if data is None else data.decode("utf-8") for data in (change.before, change.after))
    except UnicodeDecodeError:
        return f"Binary file {one_line(name)} differs\n"
    return "".join(f"{line}\n" for line in lines_of(before, after, (name, name)))
