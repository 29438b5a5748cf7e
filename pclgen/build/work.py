"""What a worker does: compiles the programs of a chunk one after the other and writes what they become.

Comes in: an `Order` and `Task`s.  Goes out: a `Result` for each; whatever goes wrong with one program is told in its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from pclgen.build.compile import Compiled, compiler_for
from pclgen.build.glimpse import Glimpses
from pclgen.build.inputs import shown
from pclgen.build.model import Action, Blame, Changed, Order, Problem, Result, Status, Task
from pclgen.diagnostics.bugs import REPORT, own_failure
from pclgen.diagnostics.levels import has_raised, with_levels
from pclgen.diagnostics.model import Severity
from pclgen.disk.journal import digest, digest_of
from pclgen.emit.write import MANIFEST, Change, Output, WriteError, foresee, is_written, write_outputs
from pclgen.schema.config import ConfigurationError
from pclgen.source.load import LoadError
from pclgen.source.text import one_line

_R = TypeVar("_R")


def build_chunk(order: Order, tasks: Sequence[Task]) -> tuple[Result, ...]:
    """The results of `tasks`, in that order."""
    return tuple(map(partial(build_one, order), tasks))


def build_one(order: Order, task: Task, glimpses: Glimpses | None = None) -> Result:
    """The result of one task.  Never raises for what goes wrong with it."""
    if glimpses is not None and glimpses.holds(task):
        return _untouched(task)
    return _guarded(task, lambda: _noted(order, task, compiler_for(order).compile(task), glimpses))


def build_known(order: Order, task: Task, glimpses: Glimpses | None) -> Result | None:
    """The result of one task if nothing has to be compiled for it.  Never raises for what goes wrong with it."""
    if glimpses is not None and glimpses.holds(task):
        return _untouched(task)

    def known() -> Result | None:
        compiled = compiler_for(order).known(task)
        return _noted(order, task, compiled, glimpses) if compiled is not None else None

    return _guarded(task, known)


def _untouched(task: Task) -> Result:
    return Result(label=task.label, status=Status.UNCHANGED, from_cache=True)


def _noted(order: Order, task: Task, compiled: Compiled, glimpses: Glimpses | None) -> Result:
    """The result of a task, kept in mind when nothing was to be done."""
    result = _finish(order, task, compiled)
    if glimpses is not None and result.status is Status.UNCHANGED and not compiled.kept.diagnostics:
        glimpses.note(task, compiled)
    return result


def _guarded(task: Task, work: Callable[[], _R]) -> _R | Result:
    try:
        return work()
    except (LoadError, WriteError, ConfigurationError) as error:
        return failed(task, Problem(message=str(error), hint=error.hint))
    except Exception as error:  # One program must not stop the others, whatever happens in it.
        return failed(task, bug(error))


def failed(task: Task, problem: Problem) -> Result:
    """The result of a task that came to nothing."""
    return Result(label=task.label, status=Status.FAILED, problem=problem)


def bug(error: BaseException) -> Problem:
    """An exception that is a mistake of pclgen."""
    return Problem(message=own_failure(error), hint=REPORT, blame=Blame.PCLGEN)


def _finish(order: Order, task: Task, compiled: Compiled) -> Result:
    diagnostics = compiled.diagnostics()
    told = with_levels(diagnostics, task.levels, errors_from=order.errors_from)
    is_failed = not compiled.kept.ok or any(item.severity is Severity.ERROR for item in told)
    outputs = [] if has_raised(diagnostics, told) else compiled.outputs(order, task)
    asked, made, is_partial = task.options.languages, compiled.kept.files, is_failed and bool(outputs)
    changes = _written(order, outputs)
    return Result(
        label=task.label,
        status=Status.FAILED if is_failed else Status.GENERATED if changes else Status.UNCHANGED,
        written=tuple(language for language in asked if language in made) if is_partial else (),
        refused=tuple(language for language in asked if language not in made) if is_partial else (),
        diagnostics=told,
        changes=changes if order.tells_changes else (),
        outputs=_digests(outputs) if order.is_listed else {},
        inputs=compiled.inputs.files,
        folders=compiled.inputs.folders,
        from_cache=compiled.from_cache,
    )


def _digests(outputs: Sequence[Output]) -> Mapping[str, str]:
    """All files of `outputs`, as they were written."""
    found = {shown(output.folder / path): digest(text.encode()) for output in outputs for path, text in output.files.items()}
    for output in outputs:
        found |= {shown(output.folder / path): digest_of(output.folder / path) or "" for path in output.data}
    return dict(sorted(found.items()))


def _written(order: Order, outputs: Sequence[Output]) -> tuple[Changed, ...]:
    """What was changed, or would be.  Raises `WriteError`."""
    if order.action is Action.WRITE:
        return _write(outputs, force=order.force)
    return foreseen(order.action, outputs, force=order.force)


def foreseen(action: Action, outputs: Sequence[Output], *, force: bool) -> tuple[Changed, ...]:
    """What writing would change; for `Action.DIFF` with how.  Raises `WriteError`."""
    return tuple(
        Changed(path=one.path, deleted=one.after is None, text=difference(one) if action is Action.DIFF else "")
        for one in foresee(outputs, force=force)
        if one.path.name != MANIFEST
    )


def _write(outputs: Sequence[Output], *, force: bool) -> tuple[Changed, ...]:
    if is_written(outputs):
        return ()
    return tuple(
        Changed(path=done.folder / path, deleted=deleted)
        for done in write_outputs(outputs, force=force)
        for paths, deleted in ((done.changed, False), (done.deleted, True))
        for path in paths
        if path.name != MANIFEST
    )


def difference(change: Change) -> str:
    """A unified diff of one file; one line for files that are no text."""
    from pclgen.source.difference import difference as lines_of

    name = change.path.as_posix()
    try:
        before, after = (None if data is None else data.decode("utf-8") for data in (change.before, change.after))
    except UnicodeDecodeError:
        return f"Binary file {one_line(name)} differs\n"
    return "".join(f"{line}\n" for line in lines_of(before, after, (name, name)))
