"""Discovery of the schemas of a project: all sources in order, and the project's own folder.

    1  `--schemas` (or PCLGEN_SCHEMAS)                       directories and files, searched together
    2  the configuration's `schemas`, the project's own folder `schemas/` (with its lock file)
    3  installed Python SDKs
    4  provider plugins on this machine
    5  the Pulumi CLI
    6  a schema loader service (`--loader`, PCLGEN_LOADER)

The first source that has a package (in the required version) provides it. The command line overrides the environment, and
both override the configuration.

The lock file of the folder `schemas/` is sorted JSON with one entry per file, so that it can be reviewed and merged:

    {"version": 1,
     "schemas": [{"name": "aws", "version": "7.48.0", "file": "aws-7.48.0.json", "sha256": "…", "source": "…"}]}
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, assert_never

import msgspec
from msgspec import Struct

from pclgen.disk import recover
from pclgen.schema.cache import LIMIT, SchemaCache, default_directory
from pclgen.schema.config import (
    Configuration,
    ConfigurationError,
    SourceKind,
    find_configuration,
    folders_above,
    source_kinds,
)
from pclgen.schema.load import Place, SchemaStore, Surroundings
from pclgen.schema.sources import DirectorySource, Requirement, SchemaSource
from pclgen.source.files import fence_of, read_regular

if TYPE_CHECKING:
    from pclgen.schema.policy import Policy
    from pclgen.stdlib.packs import Functions


_T = TypeVar("_T")


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of the command line; None and () mean the value of the environment or the configuration.

    `isolated` ignores the configuration and the project's folder; `allow_functions` permits running the code of function
    packs; `policies` are files of `schema.policy`.
    """

    schemas: tuple[Path, ...] = ()
    sources: tuple[SourceKind, ...] | None = None
    sdk_folders: tuple[Path, ...] | None = None
    loader: str | None = None
    time_limit: float | None = None
    isolated: bool = False
    cache_directory: Path | None = None
    no_cache: bool = False
    allow_functions: bool = False
    policies: tuple[Path, ...] = ()


class ProjectContext(Struct, frozen=True, kw_only=True):
    """The context of a program, known before any source is searched.

    `folder` is the project's own `schemas/` (None if it does not exist); `settings` are complete.
    """

    directory: Path
    folder: Path | None
    configuration: Configuration
    settings: Settings
    environment: Mapping[str, str]

    def own_folder(self) -> Path:
        """The folder for the project's own schemas: the existing one, else beside the configuration, else here."""
        if self.folder is not None:
            return self.folder
        path = self.configuration.path
        return (path.parent if path is not None else self.directory) / FOLDER


class Shelf:
    """The stores of many programs; programs with equal contexts share one, so that a schema is read once."""

    def __init__(self, settings: Settings, environment: Mapping[str, str] = os.environ, *, own: bool = True) -> None:
        """Without `own`, the projects' own folders are ignored."""
        self._settings = settings
        self._environment = environment
        self._own = own
        self._configurations: dict[Path, Configuration | None] = {}
        self._stores: dict[tuple[object, ...], SchemaStore] = {}
        self._last: ProjectContext | None = None
        self._cache: SchemaCache | None = None

    def project(self, directory: Path) -> ProjectContext:
        """Return the context of the programs in `directory`. Raises `ConfigurationError`."""
        # Programs are queried several times in a row; keeping the contexts of all would take too much memory.
        if self._last is None or self._last.directory != directory:
            self._last = find_project(directory, self._settings, self._environment, configurations=self._configurations)
        return self._last

    def of(self, directory: Path) -> SchemaStore:
        """Return the store for the programs in `directory`. Raises `ConfigurationError`."""
        project = self.project(directory)
        key = _surroundings(project)
        if key not in self._stores:
            if self._cache is None:
                self._cache = open_cache(project)
            self._stores[key] = open_store(project, self._cache, own=self._own)
        return self._stores[key]


def _surroundings(project: ProjectContext) -> tuple[object, ...]:
    """Return the inputs of a store: equal for directories that can share a store."""
    configuration, here = project.configuration, project.directory.absolute()
    sdk = SourceKind.SDK in (project.settings.sources or ()) and project.settings.sdk_folders is None
    homes = (folder for folder in (here, *here.parents) if (folder / ".venv").is_dir()) if sdk else iter(())
    versions = tuple(sorted(configuration.versions.items()))
    return configuration.path, versions, configuration.schemas, project.folder, next(homes, None)


def find_project(
    directory: Path,
    settings: Settings,
    environment: Mapping[str, str] = os.environ,
    *,
    configurations: dict[Path, Configuration | None] | None = None,
) -> ProjectContext:
    """Read the configuration of the programs in `directory` and combine it with `settings`.

    `configurations` is as for `find_configuration`. Raises `ConfigurationError`.
    """
    configuration = Configuration() if settings.isolated else find_configuration(directory, configurations)
    return ProjectContext(
        directory=directory,
        folder=None if settings.isolated else project_folder(directory),
        configuration=configuration,
        settings=_complete(settings, configuration, environment),
        environment=environment,
    )


def open_store(project: ProjectContext, cache: SchemaCache, *, own: bool = True) -> SchemaStore:
    """Return the store over all sources of a project; nothing is read or started yet.

    Without `own`, the project's own folder is ignored. Raises `ConfigurationError`.
    """
    configuration, settings = project.configuration, project.settings
    versions = dict(configuration.versions)
    places: list[Place] = [place for place in configuration.schemas if place != project.folder]
    if own and project.folder is not None:
        entries = read_lock(project.folder)
        versions = {**pinned(entries, f"{project.folder.name}/{LOCK}"), **versions}
        places.append(DirectorySource(project.folder, locked={entry.file: entry.sha256 for entry in entries}))
    later: list[Place | Sequence[Place]] = []
    for kind in settings.sources or ():
        if kind is SourceKind.FILES:
            later += [settings.schemas, places]
        else:
            later += _sources(kind, project)
    requirements = {name: Requirement(name=name, origin=origin) for name, origin in configuration.origins.items()}
    requirements |= {name: Requirement(name=name, version=version, why=why) for name, (version, why) in versions.items()}
    return SchemaStore(
        later=later,
        requirements=requirements,
        languages=configuration.languages,
        cache=cache,
        functions=functions_of(project),
        surroundings=surroundings_of(project),
        policy=policy_of(project),
    )


def policy_of(project: ProjectContext) -> Policy | None:
    """Return the policy of the command line and the configuration. Raises `ConfigurationError`."""
    paths = (*project.settings.policies, *project.configuration.policies)
    if not paths:
        return None
    # Loaded here: few projects have a policy.
    from pclgen.schema.policy import PolicyError, read_policy

    try:
        return read_policy(tuple(dict.fromkeys(path.absolute() for path in paths)))
    except PolicyError as error:
        raise ConfigurationError(str(error), error.hint) from error


def functions_of(project: ProjectContext) -> Functions | None:
    """Return the functions of configured packs, whose code is run if that is allowed. Raises `ConfigurationError`."""
    configuration = project.configuration
    if not configuration.functions or configuration.path is None:
        return None
    # Loaded here: few configurations name packs.
    from pclgen.stdlib.packs import FunctionPackError, Functions, load_packs

    if not project.settings.allow_functions:
        return Functions(identity="refused", refused=frozenset(configuration.functions))
    folder = configuration.path.parent
    try:
        return load_packs(configuration.functions, folder, fence_of(folder))
    except FunctionPackError as error:
        raise ConfigurationError(f"{configuration.functions_place}{error}", error.hint) from error


def surroundings_of(project: ProjectContext) -> Surroundings | None:
    """Return the facts about a project's configuration that a store records; None without a configuration."""
    configuration, cache_directory = project.configuration, project.settings.cache_directory
    if configuration.path is None:
        return None
    return Surroundings(
        path=configuration.path,
        packaging=configuration.packaging,
        kept_in=(
            (lambda: cache_directory) if cache_directory is not None else partial(default_directory, project.environment)
        ),
    )


def open_cache(project: ProjectContext) -> SchemaCache:
    """Open the cache that the settings name."""
    settings = project.settings
    if settings.no_cache:
        return SchemaCache(None)
    size = project.configuration.cache_size
    return SchemaCache(
        settings.cache_directory or partial(default_directory, project.environment),
        limit=size * 1_000_000 if size is not None else LIMIT,
    )


def _complete(settings: Settings, configuration: Configuration, environment: Mapping[str, str]) -> Settings:
    def variable(name: str) -> str | None:
        return environment.get(f"PCLGEN_{name}") or None

    sources, limit, schemas = settings.sources, settings.time_limit, settings.schemas
    if not schemas:
        schemas = tuple([Path(word) for word in (variable("SCHEMAS") or "").split(os.pathsep) if word])
    if sources is None and (words := variable("SOURCES")) is not None:
        sources = source_kinds([word.strip() for word in words.split(",") if word.strip()], "PCLGEN_SOURCES: ")
    if limit is None and (text := variable("TIME_LIMIT")) is not None:
        limit = _seconds(text)
    return Settings(
        schemas=schemas,
        sources=_first(sources, configuration.sources, tuple(SourceKind)),
        sdk_folders=_first(settings.sdk_folders, configuration.sdk_folders),
        loader=settings.loader or variable("LOADER") or configuration.loader,
        time_limit=_first(limit, configuration.time_limit),
        isolated=settings.isolated,
        cache_directory=settings.cache_directory,
        no_cache=settings.no_cache or variable("NO_CACHE") is not None,
        allow_functions=settings.allow_functions or variable("ALLOW_FUNCTIONS") is not None,
        policies=settings.policies,
    )


def _first(*values: _T | None) -> _T | None:
    return next((value for value in values if value is not None), None)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ConfigurationError(f"PCLGEN_TIME_LIMIT: expected a number of seconds, found `{text}`")
    return seconds


def _sources(kind: SourceKind, project: ProjectContext) -> list[Callable[[], SchemaSource]]:
    """The sources of one kind, except files."""
    settings, environment = project.settings, project.environment
    limited = {"limit": settings.time_limit} if settings.time_limit is not None else {}

    def installed() -> SchemaSource:
        from pclgen.schema.recovery.folders import default_folders, packages_of
        from pclgen.schema.recovery.source import InstalledSource

        if settings.sdk_folders is None:
            return InstalledSource(default_folders(project.directory, environment))
        configured = settings.sdk_folders
        return InstalledSource([folder for place in configured for folder in packages_of(place) or [place]])

    def plugins() -> SchemaSource:
        from pclgen.schema.plugins import PluginSource, plugin_folder

        return PluginSource(folder=plugin_folder(environment), path=environment.get("PATH", ""), **limited)

    def cli() -> SchemaSource:
        from pclgen.schema.pulumi import PulumiCliSource

        return PulumiCliSource(path=environment.get("PATH", ""), **limited)

    def loader() -> SchemaSource:
        from pclgen.schema.pulumi import LoaderSource

        return LoaderSource(settings.loader or "", **limited)

    match kind:
        case SourceKind.FILES:
            return []
        case SourceKind.SDK:
            return [installed]
        case SourceKind.PLUGIN:
            return [plugins]
        case SourceKind.CLI:
            return [cli]
        case SourceKind.LOADER:
            return [loader] if settings.loader else []
        case _:
            assert_never(kind)


# -- the project's own schemas ----------------------------------------------------------------------------------------------

FOLDER = "schemas"
LOCK = "pclgen.lock"
_FORMAT = 1


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One schema of the project: its file in the folder, the digest of its bytes, and its original source."""

    name: str
    version: str
    file: str
    sha256: str
    source: str


class _LockFile(msgspec.Struct, frozen=True):
    version: int
    schemas: list[Entry]


def read_lock(folder: Path) -> tuple[Entry, ...]:
    """Return the entries of the lock file in `folder`; none without a file. Raises `ConfigurationError`."""
    recover(folder)
    path = folder / LOCK
    try:
        content = msgspec.json.decode(read_regular(path), type=_LockFile)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        hint = "take it from version control, or delete it and add the schemas again"
        raise ConfigurationError(f"{path}: not a lock file of pclgen: {error}", hint) from error
    if content.version != _FORMAT:
        hint = "use that version, or delete the file and add the schemas again"
        raise ConfigurationError(f"{path}: written by another version of pclgen", hint)
    return tuple(content.schemas)


def lock_file(entries: Mapping[str, Entry]) -> bytes | None:
    """Return the content of the lock file with these entries (by file); None for no file."""
    if not entries:
        return None
    content = _LockFile(version=_FORMAT, schemas=[entries[file] for file in sorted(entries)])
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def project_folder(directory: Path) -> Path | None:
    """Return the folder `schemas/` of the programs in `directory`: beside them, or above them in the repository."""
    return next((folder for folder in _folders(directory) if folder.is_dir()), None)


def _folders(directory: Path) -> Iterator[Path]:
    for folder in folders_above(directory):
        yield folder / FOLDER


def pinned(entries: tuple[Entry, ...], label: str) -> dict[str, tuple[str, str]]:
    """Return the versions pinned by a lock file, with the reason: packages that it holds in a single version."""
    versions: dict[str, set[str]] = {}
    for entry in entries:
        versions.setdefault(entry.name, set()).add(entry.version)
    reason = f"locked in {label}"
    return {name: (next(iter(own)), reason) for name, own in versions.items() if len(own) == 1 and "" not in own}
