"""The schemas of a command: options for sources, and one store per program, which share a cache."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.cli.console import Console, UsageError

if TYPE_CHECKING:
    from pclgen.choices import Choices
    from pclgen.cli.arguments import Parser
    from pclgen.emit.overlay import Overlay
    from pclgen.schema.discovery import ProjectContext, Settings, Shelf
    from pclgen.schema.load import SchemaStore
    from pclgen.source.load import LoadedProgram

_SCHEMA_SUFFIXES = (".json", ".yaml", ".yml")


def add_source_options(parser: Parser) -> None:
    """Add the options for sources of package schemas (docs/guides/schemas.md) and other project settings."""
    with parser.section("package schemas"):
        parser.option(
            "--schemas",
            metavar="PATH",
            about="first look here: a schema file, or a folder with name-version.json, name.json or name/schema.json;"
            " repeatable",
            action="append",
            default=[],
            type=Path,
        )
        parser.option(
            "--sources",
            metavar="KINDS",
            about="use these sources in this order: files, sdk (installed Python SDKs), plugin, cli, loader (default: all)",
        )
        parser.option(
            "--sdk-folder",
            metavar="DIR",
            about="look for installed Python SDKs in this site-packages folder or virtual environment; repeatable",
            action="append",
            default=[],
            type=Path,
        )
        parser.option("--loader", metavar="HOST:PORT", about="ask this schema loader service last")
        parser.option("--time-limit", metavar="SECONDS", about="limit for a plugin, the CLI or a service", type=float)
    with parser.section("project"):
        parser.option("--isolated", about="ignore pclgen.toml and pyproject.toml", action="store_true")
        parser.option(
            "--allow-functions",
            about="run the function packs of the configuration (also PCLGEN_ALLOW_FUNCTIONS)",
            action="store_true",
        )
        parser.option(
            "--policy",
            metavar="FILE",
            about="check the inputs of resources against the rules in this file; repeatable",
            action="append",
            default=[],
            type=Path,
        )
    with parser.section("cache"):
        parser.option("--cache-dir", metavar="DIR", about="the cache folder (also PCLGEN_CACHE_DIR)", type=Path)
        parser.option("--no-cache", about="do not read or write the cache", action="store_true")


def add_verbose_option(parser: Parser) -> None:
    """Add `--verbose`, for commands that compile."""
    with parser.section("diagnostics"):
        parser.option("--verbose", "-v", about="show which schema is used for each package, and why", action="store_true")


class Stores:
    """The stores of one run of a command."""

    def __init__(self, args: argparse.Namespace, console: Console) -> None:
        """Raises `UsageError` for an invalid `--schemas`."""
        check_schema_places(args.schemas)
        self._args = args
        self.console = console
        self._shelf: Shelf | None = None
        self._own = True
        self._stores: dict[Path, SchemaStore] = {}
        self._overlays: dict[Path, Overlay] = {}

    def of(self, program: LoadedProgram) -> SchemaStore:
        """Return the store for a program, shared by its directory. Raises `UsageError` and `ConfigurationError`."""
        return self.at(program.surroundings)

    def at(self, directory: Path) -> SchemaStore:
        """Return the store for the programs in `directory`. Raises as `of`."""
        key = directory.absolute()
        if key not in self._stores:
            self._stores[key] = self._open_shelf().of(directory)
        return self._stores[key]

    def choices(self, program: LoadedProgram) -> Choices:
        """Return the compile options of a program's configuration. Raises as `of`."""
        from pclgen.choices import Choices

        configuration = self.project(program.surroundings).configuration
        if configuration.path is None:
            return Choices()
        return configuration.building.of(Path(os.path.relpath(program.surroundings, configuration.path.parent)).as_posix())

    def lenient(self, program: LoadedProgram) -> bool:
        """Return whether a program is checked leniently, by the command line or its configuration. Raises as `of`."""
        from pclgen.choices import Strictness

        return self._args.lenient or self.choices(program).strictness is Strictness.LENIENT

    def overlay(self, folder: Path | None) -> Overlay | None:
        """Return the user's templates in `folder`, if any, read once. Raises `OverlayError`."""
        if folder is None:
            return None
        if folder not in self._overlays:
            from pclgen.emit.overlay import read_overlay

            self._overlays[folder] = read_overlay(folder)
        return self._overlays[folder]

    def without_project(self) -> Stores:
        """Return stores without the project's own folder, from which `schema add` copies schemas."""
        other = Stores(self._args, self.console)
        other._own = False
        return other

    def flush(self) -> None:
        """Write cached information to disk."""
        for store in self._stores.values():
            store.flush()

    def project(self, directory: Path) -> ProjectContext:
        """Return the project of the programs in `directory`. Raises as `of`."""
        return self._open_shelf().project(directory)

    def settings(self) -> Settings:
        """Return the schema settings of the command line. Raises `UsageError` and `ConfigurationError`."""
        from pclgen.schema.config import source_kinds
        from pclgen.schema.discovery import Settings

        args = self._args
        if args.time_limit is not None and not args.time_limit > 0:
            raise UsageError(f"`--time-limit {args.time_limit:g}`: it must be greater than 0")
        words = [word.strip() for word in (args.sources or "").split(",") if word.strip()]
        return Settings(
            schemas=tuple(args.schemas),
            sources=source_kinds(words, "`--sources`: ") if words else None,
            sdk_folders=tuple(args.sdk_folder) or None,
            loader=args.loader,
            time_limit=args.time_limit,
            isolated=args.isolated,
            cache_directory=args.cache_dir,
            no_cache=args.no_cache,
            allow_functions=args.allow_functions,
            policies=tuple(args.policy),
        )

    def _open_shelf(self) -> Shelf:
        if self._shelf is None:
            from pclgen.schema.discovery import Shelf

            self._shelf = Shelf(self.settings(), self.console.environ, own=self._own)
        return self._shelf

    def tell(self) -> None:
        """Print the schemas used on standard error, with `--verbose`."""
        if not getattr(self._args, "verbose", False):
            return
        first = {id(store): directory for directory, store in reversed(self._stores.items())}
        for directory, store in self._stores.items():
            for choice in store.choices() if first[id(store)] == directory else ():
                place = shown_path(choice.where)
                own = f" (for {shown_path(str(directory))})" if len(first) > 1 else ""
                self.console.say(f"package {choice.name} {choice.version or '(no version)'}: {place}, {choice.why}{own}")


def shown_path(where: str) -> str:
    """Return a path below the current directory in relative form; other paths unchanged."""
    prefix = os.getcwd() + os.sep
    return where.removeprefix(prefix)


def check_schema_places(places: Sequence[Path]) -> None:
    """Raise `UsageError` for the first of `places` that is neither a readable directory nor a schema file."""
    for place in places:
        if not place.exists():
            raise UsageError(f"`--schemas {place}`: it does not exist")
        if place.is_dir() and not os.access(place, os.R_OK | os.X_OK):
            raise UsageError(f"`--schemas {place}`: it cannot be read: permission denied")
        if not place.is_dir() and place.suffix not in _SCHEMA_SUFFIXES:
            raise UsageError(f"`--schemas {place}`: it is not a directory, and not a .json or .yaml file")
