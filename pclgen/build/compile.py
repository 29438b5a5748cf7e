"""One program, compiled or read from the cache.

The compiler itself is imported only if a program must be compiled.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct, field, to_builtins

from pclgen.build.cache import ResultCache, StoredResult, load_diagnostics, store_diagnostics, trim
from pclgen.build.dependencies import Dependencies, dependencies_of, fingerprint_of
from pclgen.build.inputs import Inputs, folders_named, inputs_of
from pclgen.build.model import BuildContext, Options, Task
from pclgen.build.mtimes import MOST, MtimeCache
from pclgen.choices import Action
from pclgen.deps.components import Components
from pclgen.diagnostics.model import Diagnostic
from pclgen.emit.write import Output, Owner
from pclgen.reads import recording
from pclgen.schema.cache import LIMIT, default_directory
from pclgen.schema.config import ConfigurationError
from pclgen.schema.discovery import Settings, Shelf
from pclgen.source.load import LoadedProgram, load_program
from pclgen.version import VERSION

if TYPE_CHECKING:
    from pclgen.results import GenerateResult
    from pclgen.schema.config import Configuration
    from pclgen.schema.load import SchemaStore

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
