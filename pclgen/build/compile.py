"""One program, compiled or taken from the cache.

Comes in: a `Task` and the `Order` that it belongs to.  Goes out: `Compiled`: what the program becomes, or what is wrong with
it.
The compiler itself is imported when something has to be compiled.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, field
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pclgen.build.cache import Kept, ResultCache, diagnostics_of, keep_diagnostics
from pclgen.build.glimpse import MOST, Glimpses
from pclgen.build.inputs import Inputs, folders_named, inputs_of
from pclgen.build.model import Action, Options, Order, Task
from pclgen.build.states import Needs, needs_of, state_of
from pclgen.build.tidy import trim
from pclgen.deps.components import Components
from pclgen.diagnostics.model import Diagnostic
from pclgen.emit.write import Output, Owner
from pclgen.records import dataclass
from pclgen.schema.cache import LIMIT, default_directory
from pclgen.schema.config import ConfigurationError
from pclgen.schema.discovery import Settings, Shelf
from pclgen.source.load import LoadedProgram, load_program
from pclgen.uses import recording
from pclgen.version import VERSION

if TYPE_CHECKING:
    from pclgen.pipeline import GenerateResult
    from pclgen.schema.config import Configuration
    from pclgen.schema.load import SchemaStore

_PACKAGE = Path(__file__).resolve().parents[1]
_SHAPED_BY = ("black", "jinja2", "lark", "networkx", "msgspec", "pyyaml")
"""Libraries that have a say in what is generated or told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """What a program becomes, whether that was known already, and what it was made from, if that was asked for.

    `needs` is what it looked at beside its own text; `state` is equal as long as that is the same.
    """

    root: Path
    kept: Kept
    from_cache: bool
    needs: Needs
    state: str
    inputs: Inputs = field(default_factory=Inputs)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What there is to say, sorted by place."""
        return diagnostics_of(self.kept)

    def outputs(self, order: Order, task: Task) -> list[Output]:
        """The folders to write, in the order of the languages; none for a language that cannot express the program."""
        return [
            Output(
                folder=task.folder(language),
                files={PurePosixPath(path): text for path, text in self.kept.files[language].items()},
                data={PurePosixPath(path): self.root / own for path, own in self.kept.data.get(language, {}).items()},
                owner=Owner(program=task.label, root=order.root),
            )
            for language in task.options.languages
            if language in self.kept.files
        ]


class Compiler:
    """Compiles programs that share settings: one for all chunks of a build in a process."""

    def __init__(
        self, settings: Settings, environment: Mapping[str, str], *, is_listed: bool = False, is_watched: bool = False
    ) -> None:
        """With `is_listed` the inputs of each program are told, with `is_watched` the folders that it names."""
        self._is_listed = is_listed
        self._is_watched = is_watched
        self._shelf = Shelf(settings, environment)
        kept = not settings.no_cache and not environment.get("PCLGEN_NO_CACHE")
        self._cache = ResultCache(settings.cache_directory or default_directory(environment)) if kept else None

    def tidy(self, root: Path) -> None:
        """Hold the cache to the size that the configuration in `root` allows, if that can be read."""
        if self._cache is not None:
            with suppress(ConfigurationError):  # who asked for something there was told
                size = self._shelf.project(root).configuration.cache_size
                trim(self._cache.root, size * 1_000_000 if size is not None else LIMIT)

    def places(self, root: Path) -> Iterator[Path]:
        """The files and folders with schemas, and the files with functions, that the command line and the configuration in
        `root` name."""
        project = self._shelf.project(root)
        yield from (*project.settings.schemas, *project.configuration.schemas)
        functions = self._shelf.of(root).functions
        yield from functions.files if functions is not None else ()
        policy = self._shelf.of(root).policy
        yield from policy.files if policy is not None else ()

    def glimpses(self, order: Order, count: int) -> Glimpses | None:
        """What was seen of the `count` programs of `order` when nothing was to be done; None where that is not used."""
        if self._cache is None or order.is_listed or order.action is not Action.WRITE or count > MOST:
            return None
        return Glimpses(order, self._cache, self._shelf)

    def known(self, task: Task) -> Compiled | None:
        """What a former compilation made of the program as it is now.  Raises `LoadError` and `ConfigurationError`."""
        return self.known_sources(_load(task), task.options) if self._cache is not None else None

    def known_sources(self, sources: LoadedProgram, options: Options) -> Compiled | None:
        """What a former compilation made of a program.  Raises `ConfigurationError`."""
        if self._cache is None:
            return None
        return self._known(options, self._key(options, sources), sources, self._shelf.of(sources.surroundings))

    def compile(self, task: Task) -> Compiled:
        """The same, or compile it now.  Raises `LoadError` and `ConfigurationError`."""
        return self.compile_sources(_load(task), task.options)

    def configuration(self, sources: LoadedProgram) -> Configuration:
        """The configuration of a program.  Raises `ConfigurationError`."""
        return self._shelf.project(sources.surroundings).configuration

    def store(self, sources: LoadedProgram) -> SchemaStore:
        """The schemas of a program.  Raises `ConfigurationError`."""
        return self._shelf.of(sources.surroundings)

    @property
    def cache_root(self) -> Path | None:
        """The directory of all caches; None when nothing is kept."""
        return self._cache.root if self._cache is not None else None

    def compile_sources(self, sources: LoadedProgram, options: Options) -> Compiled:
        """What a program becomes, from the cache or compiled now.  Raises `ConfigurationError`."""
        store = self._shelf.of(sources.surroundings)
        key = self._key(options, sources) if self._cache is not None else ""
        found = self._known(options, key, sources, store)
        if found is not None:
            return found
        with recording() as uses:
            made = _generate(options, sources, store)
        kept = _kept(made, sources.root)
        needs = needs_of(uses, store)
        state = state_of(needs, sources, store, uses.directories) if self._cache is not None else ""
        if self._cache is not None:
            self._cache.keep(key, needs, state, kept)
        inputs = self._inputs(options, needs, sources, store)
        return Compiled(root=sources.root, kept=kept, from_cache=False, needs=needs, state=state, inputs=inputs)

    def _inputs(self, options: Options, needs: Needs, sources: LoadedProgram, store: SchemaStore) -> Inputs:
        if self._is_listed:
            return inputs_of(needs, sources, store, self._shelf.project(sources.surroundings), overlay=options.overlay)
        return Inputs(folders=folders_named(needs, sources, store) if self._is_watched else ())

    def _known(self, options: Options, key: str, sources: LoadedProgram, store: SchemaStore) -> Compiled | None:
        for needs in self._cache.needs(key) if self._cache is not None else ():
            assert self._cache is not None
            state = state_of(needs, sources, store)
            kept = self._cache.result(key, state)
            if kept is not None:
                inputs = self._inputs(options, needs, sources, store)
                return Compiled(root=sources.root, kept=kept, from_cache=True, needs=needs, state=state, inputs=inputs)
        return None

    def _key(self, options: Options, sources: LoadedProgram) -> str:
        """All that is known before the program is read."""
        configuration = self._shelf.project(sources.surroundings).configuration
        store = self._shelf.of(sources.surroundings)
        functions, policy = store.functions, store.policy
        parts = [
            compiler_identity(),
            asdict(options),
            sources.name,
            sources.is_on_disk,
            asdict(sources.project),
            [(raw.name, hashlib.sha256(raw.data).hexdigest()) for raw in sources.files],
            sorted(configuration.versions.items()),
            configuration.languages,
            functions.identity if functions is not None else "",
            Components(sources, self._shelf.of(sources.surroundings)).state,
            policy.identity if policy is not None else "",
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@lru_cache(maxsize=2)
def _shared(settings: Settings, environment: tuple[tuple[str, str], ...], told: tuple[bool, bool], place: str) -> Compiler:
    del place
    return Compiler(settings, dict(environment), is_listed=told[0], is_watched=told[1])


def compiler_for(order: Order) -> Compiler:
    """The compiler that all chunks of a build share in this process."""
    environment = tuple(sorted(order.environment.items()))
    told = order.is_listed, order.is_watched
    return _shared(order.settings, environment, told, f"{os.getcwd()} {order.serial}")


@cache
def compiler_identity() -> str:
    """pclgen itself: changes with every change to it, to its templates, and to the libraries that shape what it writes."""
    digest = hashlib.sha256(f"{VERSION} {sys.version_info[:2]}".encode())
    for name in _SHAPED_BY:
        digest.update(f"{name} {version(name)}\0".encode())
    for path in compiler_files():
        digest.update(f"{path.relative_to(_PACKAGE.parent).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


@cache
def compiler_files() -> tuple[Path, ...]:
    """The files of pclgen itself, templates too."""
    return tuple(
        path
        for folder in (_PACKAGE, _PACKAGE.parent / "templates")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    )


def _load(task: Task) -> LoadedProgram:
    # Files beside a program that is a file are programs of their own here, and no place to look for names.
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


def _kept(made: GenerateResult, root: Path) -> Kept:
    diagnostics, sources = keep_diagnostics(made.diagnostics)
    return Kept(
        ok=made.ok,
        files={language: {str(path): text for path, text in files.items()} for language, files in made.files.items()},
        data={
            language: {str(path): os.path.relpath(source, root) for path, source in files.items()}
            for language, files in made.data.items()
        },
        diagnostics=diagnostics,
        sources=sources,
    )
