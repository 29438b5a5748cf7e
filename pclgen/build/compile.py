"""One program at a time: compile it or read it from the cache, then write its files.

The compiler itself is imported only if a program must be compiled. In a build, every problem with a program becomes part of
the result of that program.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field, to_builtins

from pclgen.build.cache import MOST, MtimeCache, ResultCache, StoredResult, load_diagnostics, store_diagnostics, trim
from pclgen.build.dependencies import (
    Dependencies,
    Inputs,
    dependencies_of,
    display_path,
    fingerprint_of,
    folders_named,
    inputs_of,
)
from pclgen.build.model import Blame, BuildContext, ChangedFile, Options, Problem, Result, Status, Task
from pclgen.choices import Action
from pclgen.deps.components import Components
from pclgen.diagnostics.model import Diagnostic, Severity, has_raised, with_levels
from pclgen.disk import digest, digest_of
from pclgen.emit.write import MANIFEST, Change, Output, Owner, foresee, is_written, write_outputs
from pclgen.errors import REPORT, UserError, own_failure
from pclgen.reads import recording
from pclgen.schema.cache import LIMIT, default_directory
from pclgen.schema.config import ConfigurationError
from pclgen.schema.discovery import Settings, Shelf
from pclgen.source.load import LoadedProgram, load_program
from pclgen.source.text import one_line
from pclgen.version import VERSION

if TYPE_CHECKING:
    from pclgen.results import GenerateResult
    from pclgen.schema.config import Configuration
    from pclgen.schema.load import SchemaStore


# -- compilation ------------------------------------------------------------------------------------------------------------

_PACKAGE = Path(__file__).resolve().parents[1]
_SHAPED_BY = ("black", "jinja2", "lark", "networkx", "msgspec", "pyyaml")
"""Libraries that influence generated files or diagnostics."""


class Compiled(Struct, frozen=True, kw_only=True):
    """The result of a compilation and whether it came from the cache.

    `fingerprint` is equal as long as `dependencies` are unchanged; `inputs` are filled on request.
    """

    root: Path
    result: StoredResult
    from_cache: bool
    dependencies: Dependencies
    fingerprint: str
    inputs: Inputs = field(default_factory=Inputs)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics, sorted by position."""
        return load_diagnostics(self.result)

    def outputs(self, context: BuildContext, task: Task) -> list[Output]:
        """Return the folders to write, in language order, without languages that cannot express the program."""
        return [
            Output(
                folder=task.folder(language),
                files={PurePosixPath(path): text for path, text in self.result.files[language].items()},
                data={PurePosixPath(path): self.root / own for path, own in self.result.data.get(language, {}).items()},
                owner=Owner(program=task.label, root=context.root),
            )
            for language in task.options.languages
            if language in self.result.files
        ]


class Compiler:
    """Compiles programs that share settings: one per process and build."""

    def __init__(
        self, settings: Settings, environment: Mapping[str, str], *, is_listed: bool = False, is_watched: bool = False
    ) -> None:
        """With `is_listed` results list their inputs, with `is_watched` the folders that programs name."""
        self._is_listed = is_listed
        self._is_watched = is_watched
        self._shelf = Shelf(settings, environment)
        is_cached = not settings.no_cache and not environment.get("PCLGEN_NO_CACHE")
        self._cache = ResultCache(settings.cache_directory or default_directory(environment)) if is_cached else None

    def tidy(self, root: Path) -> None:
        """Trim the cache to the size configured in `root`; an invalid configuration is ignored."""
        if self._cache is not None:
            with suppress(ConfigurationError):  # reported by the builds of its programs
                size = self._shelf.project(root).configuration.cache_size
                trim(self._cache.root, size * 1_000_000 if size is not None else LIMIT)

    def places(self, root: Path) -> Iterator[Path]:
        """Yield files and folders with schemas, functions and policies that the command line and the configuration in
        `root` name."""
        project = self._shelf.project(root)
        yield from (*project.settings.schemas, *project.configuration.schemas)
        functions = self._shelf.of(root).functions
        yield from functions.files if functions is not None else ()
        policy = self._shelf.of(root).policy
        yield from policy.files if policy is not None else ()

    def mtime_cache(self, context: BuildContext, count: int) -> MtimeCache | None:
        """Return the mtime cache for the `count` programs of `context`; None if it does not apply."""
        if self._cache is None or context.is_listed or context.action is not Action.WRITE or count > MOST:
            return None
        return MtimeCache(context, self._cache, self._shelf)

    def cached(self, task: Task) -> Compiled | None:
        """Return the cached result of the program in its present state. Raises `LoadError` and `ConfigurationError`."""
        return self.cached_sources(_load(task), task.options) if self._cache is not None else None

    def cached_sources(self, sources: LoadedProgram, options: Options) -> Compiled | None:
        """Return the cached result of a loaded program. Raises `ConfigurationError`."""
        if self._cache is None:
            return None
        return self._cached(options, self._key(options, sources), sources, self._shelf.of(sources.surroundings))

    def compile(self, task: Task) -> Compiled:
        """Return the cached result, or compile the program. Raises `LoadError` and `ConfigurationError`."""
        return self.compile_sources(_load(task), task.options)

    def configuration(self, sources: LoadedProgram) -> Configuration:
        """Return the configuration of a program. Raises `ConfigurationError`."""
        return self._shelf.project(sources.surroundings).configuration

    def store(self, sources: LoadedProgram) -> SchemaStore:
        """Return the schemas of a program. Raises `ConfigurationError`."""
        return self._shelf.of(sources.surroundings)

    @property
    def cache_root(self) -> Path | None:
        """The directory of all caches; None without a cache."""
        return self._cache.root if self._cache is not None else None

    def compile_sources(self, sources: LoadedProgram, options: Options) -> Compiled:
        """Return the cached result of a loaded program, or compile it. Raises `ConfigurationError`."""
        store = self._shelf.of(sources.surroundings)
        key = self._key(options, sources) if self._cache is not None else ""
        cached = self._cached(options, key, sources, store)
        if cached is not None:
            return cached
        with recording() as reads:
            generated = _generate(options, sources, store)
        result = _kept(generated, sources.root)
        dependencies = dependencies_of(reads, store)
        fingerprint = fingerprint_of(dependencies, sources, store, reads.directories) if self._cache is not None else ""
        if self._cache is not None:
            self._cache.keep(key, dependencies, fingerprint, result)
        inputs = self._inputs(options, dependencies, sources, store)
        return Compiled(
            root=sources.root,
            result=result,
            from_cache=False,
            dependencies=dependencies,
            fingerprint=fingerprint,
            inputs=inputs,
        )

    def _inputs(self, options: Options, dependencies: Dependencies, sources: LoadedProgram, store: SchemaStore) -> Inputs:
        if self._is_listed:
            project = self._shelf.project(sources.surroundings)
            return inputs_of(dependencies, sources, store, project, overlay=options.overlay)
        return Inputs(folders=folders_named(dependencies, sources, store) if self._is_watched else ())

    def _cached(self, options: Options, key: str, sources: LoadedProgram, store: SchemaStore) -> Compiled | None:
        for dependencies in self._cache.dependencies(key) if self._cache is not None else ():
            assert self._cache is not None
            fingerprint = fingerprint_of(dependencies, sources, store)
            result = self._cache.result(key, fingerprint)
            if result is not None:
                inputs = self._inputs(options, dependencies, sources, store)
                return Compiled(
                    root=sources.root,
                    result=result,
                    from_cache=True,
                    dependencies=dependencies,
                    fingerprint=fingerprint,
                    inputs=inputs,
                )
        return None

    def _key(self, options: Options, sources: LoadedProgram) -> str:
        """Return the first key: a hash of everything that is known before the program is read."""
        configuration = self._shelf.project(sources.surroundings).configuration
        store = self._shelf.of(sources.surroundings)
        functions, policy = store.functions, store.policy
        parts = [
            compiler_identity(),
            to_builtins(options),
            sources.name,
            sources.is_on_disk,
            to_builtins(sources.project),
            [(raw.name, hashlib.sha256(raw.data).hexdigest()) for raw in sources.files],
            sorted(configuration.versions.items()),
            configuration.languages,
            functions.identity if functions is not None else "",
            Components(sources, self._shelf.of(sources.surroundings)).state,
            policy.identity if policy is not None else "",
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@lru_cache(maxsize=2)
def _shared(settings: Settings, environment: tuple[tuple[str, str], ...], flags: tuple[bool, bool], place: str) -> Compiler:
    del place
    return Compiler(settings, dict(environment), is_listed=flags[0], is_watched=flags[1])


def compiler_for(context: BuildContext) -> Compiler:
    """Return the compiler that all chunks of a build share in this process."""
    environment = tuple(sorted(context.environment.items()))
    flags = context.is_listed, context.is_watched
    return _shared(context.settings, environment, flags, f"{os.getcwd()} {context.serial}")


@cache
def compiler_identity() -> str:
    """Return a digest of pclgen, its templates, and the libraries that influence its output."""
    digest = hashlib.sha256(f"{VERSION} {sys.version_info[:2]}".encode())
    for name in _SHAPED_BY:
        digest.update(f"{name} {version(name)}\0".encode())
    for path in compiler_files():
        digest.update(f"{path.relative_to(_PACKAGE.parent).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


@cache
def compiler_files() -> tuple[Path, ...]:
    """Return the files of pclgen, including templates."""
    return tuple(
        path
        for folder in (_PACKAGE, _PACKAGE.parent / "templates")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    )


def _load(task: Task) -> LoadedProgram:
    # In a build, files beside a single-file program are programs themselves; names are not looked up in them.
    return load_program(str(task.path), allow_outside=task.options.allow_outside, others=False)


def _generate(options: Options, sources: LoadedProgram, store: SchemaStore) -> GenerateResult:
    from pclgen import pipeline

    return pipeline.generate(
        sources,
        languages=options.languages,
        lenient=options.lenient,
        program_only=not options.project_files,
        copy_files=options.copy_files,
        overlay=options.overlay,
        style=options.style,
        hidden=frozenset(options.hidden),
        store=store,
        keep_going=True,
    )


def _kept(generated: GenerateResult, root: Path) -> StoredResult:
    diagnostics, sources = store_diagnostics(generated.diagnostics)
    return StoredResult(
        ok=generated.ok,
        files={language: {str(path): text for path, text in files.items()} for language, files in generated.files.items()},
        data={
            language: {str(path): os.path.relpath(source, root) for path, source in files.items()}
            for language, files in generated.data.items()
        },
        diagnostics=diagnostics,
        sources=sources,
    )


# -- tasks of a build -------------------------------------------------------------------------------------------------------

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
    from pclgen.source.text import difference as lines_of

    name = change.path.as_posix()
    try:
        before, after = (None if data is None else data.decode("utf-8") for data in (change.before, change.after))
    except UnicodeDecodeError:
        return f"Binary file {one_line(name)} differs\n"
    return "".join(f"{line}\n" for line in lines_of(before, after, (name, name)))
