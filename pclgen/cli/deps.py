"""`pclgen deps`: manage component packages in `pclgen.toml`, `pclgen.lock` and the local archives."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Never, TypeVar

from msgspec.structs import replace

from pclgen.cli.arguments import Parser, add_quiet_option, add_reporting_options, run_group
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import count
from pclgen.diagnostics.model import Diagnostic

if TYPE_CHECKING:
    from pclgen.deps.catalog import Catalog
    from pclgen.deps.lock import Lock
    from pclgen.deps.manifest import Project
    from pclgen.deps.update import UpdateResult

_R = TypeVar("_R")

EXAMPLES = """\
examples:
  pclgen deps add network                    add the newest version and its compatible successors: ^1.0.6
  pclgen deps add storage@~1.5.2             add a range of versions
  pclgen deps add shared --path ../shared    add a folder or an archive
  pclgen deps install                        update pclgen.lock and install the packages it pins
  pclgen deps install --locked               install, and fail if pclgen.lock is stale: for CI
  pclgen deps update                         choose the newest matching versions, of all packages or of those you name
  pclgen deps why storage                    print every path from this project to a package
  pclgen deps list                           list the chosen packages and their origins
  pclgen deps publish --index ../packages    publish this package to an index
  pclgen deps publish web.mupack.json        publish a pack (--index DIR, or --out DIR)

`pclgen deps COMMAND --help` describes each command; docs/packages.md is the guide.
exit status: 0 success, 1 no matching versions or an unusable package, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Run the subcommand at the start of `argv`."""
    about = "Choose, fetch and publish packages of components."
    return run_group("deps", COMMANDS, argv, console, description=about, examples=EXAMPLES)


def _parser(name: str, usage: str, description: str) -> Parser:
    parser = Parser(f"deps {name}", usage=usage, description=description, examples="")
    about = "folder of the project (default: here)"
    parser.option("--project", metavar="DIR", about=about, type=Path, default=Path())
    add_quiet_option(parser)
    add_reporting_options(parser)
    return parser


def _add_fetching_options(parser: Parser) -> None:
    parser.option("--offline", about="do not use the network", action="store_true")
    parser.option("--time-limit", metavar="SECONDS", about="how long a download may take", type=float)
    parser.option("--cache-dir", metavar="DIR", about="keep packages here (also PCLGEN_CACHE_DIR)", type=Path)


class _Command:
    """The state of one run of a command."""

    def __init__(self, args: argparse.Namespace, console: Console) -> None:
        self.args = args
        self.console = replace(console, color=args.color)

    def configuration(self) -> Path:
        """Return the configuration file, which may have to be created. Raises `UsageError` and `ConfigurationError`."""
        from pclgen.schema.config import FILE, find_configuration

        folder: Path = self.args.project
        if not folder.is_dir():
            raise UsageError(f"there is no directory `{folder}`")
        return find_configuration(folder).path or folder.absolute() / FILE

    def project(self) -> Project:
        """Return the manifest of the project. Raises `UsageError` if there is none."""
        from pclgen.deps.program import open_project

        path = self.configuration()
        if not path.exists():
            raise UsageError(f"there is no {path.name} here or above", "`pclgen deps add NAME` writes one")
        return self.usable(open_project(path))

    def lock(self, project: Project) -> Lock | None:
        """Return the lock file of the project, if it has one."""
        from pclgen.deps.update import locked_before

        return self.usable(locked_before(project))

    def catalog(self, project: Project, *, offline: bool = False) -> Catalog:
        """Return the available packages. Raises `UsageError`."""
        from pclgen.deps.archive import ArchiveCache
        from pclgen.deps.catalog import TIME_LIMIT, Catalog
        from pclgen.schema.cache import default_directory

        limit = self.args.time_limit
        if limit is not None and not limit > 0:
            raise UsageError(f"`--time-limit {limit:g}`: it must be greater than 0")
        return Catalog(
            project.folder,
            project.manifest.indexes,
            ArchiveCache(self.args.cache_dir or default_directory(self.console.environ)),
            limit=limit if limit is not None else TIME_LIMIT,
            offline=offline or self.args.offline,
        )

    def fail(self, problem: Diagnostic) -> Never:
        """Report an error and end the command."""
        self.console.report([problem], self.args.output_format)
        raise SystemExit(1)

    def usable(self, result: _R | Diagnostic) -> _R:
        """Return the result; fail with an error in its place."""
        return self.fail(result) if isinstance(result, Diagnostic) else result

    def done(self, result: UpdateResult | Diagnostic) -> int:
        """Report the chosen packages; return the status."""
        result = self.usable(result)
        if self.args.output_format != "text":
            self.console.report([], self.args.output_format)
        if not self.args.quiet:
            for line in _changes(result):
                self.console.say(line)
            self.console.say(f"{count(len(result.packages), 'package')}{'' if result.changed else ', nothing to do'}")
        return 0


def _changes(result: UpdateResult) -> Sequence[str]:
    now = {package.name: package for package in result.packages}
    lines = []
    for name in sorted({*now, *result.before}):
        old, new = result.before.get(name), now.get(name)
        if new is None:
            lines.append(f"- {old.identity if old is not None else name}")
        elif old is None:
            lines.append(f"+ {new.identity} ({new.place})")
        elif old.version != new.version or old.place != new.place:
            lines.append(f"~ {old.identity} → {new.identity} ({new.place})")
    return lines


def _install(argv: Sequence[str], console: Console) -> int:
    from pclgen.deps.update import install

    parser = _parser(
        "install",
        "[options]",
        "Install the component packages pinned in pclgen.lock. A stale lock file is updated first, with as few changes as"
        " possible.",
    )
    _add_fetching_options(parser)
    parser.option("--locked", about="fail if pclgen.lock is stale", action="store_true")
    parser.option("--frozen", about="--locked and --offline", action="store_true")
    command = _Command(parser.parse(argv), console)
    project = command.project()
    frozen = command.args.frozen
    return command.done(install(project, command.catalog(project, offline=frozen), locked=frozen or command.args.locked))


def _update(argv: Sequence[str], console: Console) -> int:
    from pclgen.deps.update import update

    parser = _parser(
        "update",
        "[NAME...] [options]",
        "Choose the newest matching versions of all or of the named packages, and write pclgen.lock.",
    )
    parser.operand("names", metavar="NAME", nargs="*", about="only these packages and their dependencies")
    _add_fetching_options(parser)
    command = _Command(parser.parse(argv), console)
    project = command.project()
    names = command.args.names
    lock = command.lock(project) if names else None
    for name in names:
        _demand_package(name, project, lock)
    return command.done(update(project, command.catalog(project), updated=set(names) if names else None))


def _demand_package(name: str, project: Project, lock: Lock | None) -> None:
    """Raise `UsageError` for a package that is not a dependency."""
    from pclgen.diagnostics.suggest import suggestion

    packages = sorted({*project.manifest.dependencies, *(lock.by_name if lock is not None else ())})
    if name not in packages:
        hint = suggestion(name, packages, "`pclgen deps list` lists what is needed")
        raise UsageError(f"nothing here needs `{name}`", hint)


def _add(argv: Sequence[str], console: Console) -> int:
    from pclgen.deps.catalog import CatalogError
    from pclgen.deps.manifest import NAME, EditError, entry, with_dependency
    from pclgen.deps.program import open_project, with_text
    from pclgen.deps.update import update
    from pclgen.schema.config import PYPROJECT

    parser = _parser(
        "add",
        "NAME[@RANGE] [--path PATH | --url URL] [options]",
        "Add a dependency to pclgen.toml, choose versions, and write pclgen.lock.",
    )
    parser.operand("package", metavar="NAME[@RANGE]", about="for example network, network@^1.0.6 or network@1.2.0")
    parser.option("--path", metavar="PATH", about="the folder of the package, or its archive", default="")
    parser.option("--url", metavar="URL", about="URL of its archive", default="")
    parser.option("--digest", metavar="DIGEST", about="refuse any other archive: sha256: and 64 digits", default="")
    _add_fetching_options(parser)
    command = _Command(parser.parse(argv), console)
    args = command.args
    name, _, version = args.package.partition("@")
    if NAME.fullmatch(name) is None:
        raise UsageError(f"`{name}` is not the name of a package", "names look like network or web-server")
    path = command.configuration()
    prefix = "tool.pclgen" if path.name == PYPROJECT else ""
    opened = command.usable(open_project(path)) if path.exists() else with_text(path, "")
    catalog = command.catalog(opened)
    try:
        if not (version or args.path or args.url):
            version = _newest(catalog, name)
        written = entry(version=version, path=args.path, url=args.url, digest=args.digest)
        text = with_dependency(opened.source.text, name, written, prefix=prefix)
        project = with_text(path, text)
    except CatalogError as error:
        command.console.complain(str(error), error.hint)
        return 1
    except EditError as error:
        raise UsageError(f"{opened.source.name} cannot be edited", str(error)) from error
    return command.done(update(project, catalog, updated={name}, manifest=text.encode(), path=path))


def _newest(catalog: Catalog, name: str) -> str:
    """Return the range of versions compatible with the newest version of a package. Raises `CatalogError`."""
    from pclgen.deps.catalog import CatalogError

    versions = catalog.versions(name)
    if not versions:
        if not catalog.has_indexes:
            raise CatalogError(
                f"there is no index to look for `{name}` in", "`indexes` of pclgen.toml names some; or say --path or --url"
            )
        similar = catalog.similar(name)
        raise CatalogError(
            f"there is no package `{name}`", f"did you mean `{similar}`?" if similar is not None else None
        )
    newest = next((candidate for candidate in versions if not candidate.version.prerelease), versions[0])
    return f"^{newest.version.text.partition('+')[0]}"


def _why(argv: Sequence[str], console: Console) -> int:
    from pclgen.deps.program import dependency_paths

    parser = _parser("why", "NAME [options]", "Print every dependency path from this project to a package.")
    parser.operand("name", metavar="NAME", about="a package of pclgen.lock")
    command = _Command(parser.parse(argv), console)
    project = command.project()
    lock = command.lock(project)
    name = command.args.name
    _demand_package(name, project, lock)
    packages = lock.by_name if lock is not None else {}
    paths = dependency_paths(project, lock) if lock is not None else {}
    requirements = {"": project.manifest.dependencies[name].text} if name in project.manifest.dependencies else {}
    requirements |= {
        package.name: package.dependencies[name] for package in packages.values() if name in package.dependencies
    }
    if name in packages:
        console.print_line(f"{packages[name].identity} ({packages[name].place})")
    for who in sorted(requirements):
        steps = ["this project", *(packages[step].identity for step in paths.get(who, ()))]
        console.print_line(f"  {' → '.join(steps)} wants {name} {requirements[who]}")
    return 0


def _list(argv: Sequence[str], console: Console) -> int:
    from pclgen.deps.lock import as_json
    from pclgen.diagnostics.dependencies import not_locked

    parser = _parser("list", "[--json] [options]", "List the chosen packages and their origins.")
    parser.option("--json", about="print JSON", action="store_true")
    command = _Command(parser.parse(argv), console)
    project = command.project()
    lock = command.lock(project)
    if lock is None and project.manifest.dependencies:
        table = project.span("dependencies")
        command.fail(not_locked("there is no pclgen.lock yet", table, "run `pclgen deps install`"))
    packages = lock.packages if lock is not None else []
    if command.args.json:
        console.print(as_json(packages))
        return 0
    rows = [(package.name, package.version, package.place) for package in packages]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for name, version, place in rows:
        console.print_line(f"{name:{widths[0]}}  {version:{widths[1]}}  {place}")
    return 0


def _publish(argv: Sequence[str], console: Console) -> int:
    from pclgen.deps.publish import PublishError, pack, publish, published, write_to

    parser = _parser(
        "publish",
        "[FILE] [--index DIR | --out DIR] [options]",
        "Write the package of this project as one file: pclgen.toml, the .pp files, README.md and LICENSE.",
    )
    about = "a pack or an archive to publish as it is"
    parser.operand("file", metavar="FILE", nargs="?", type=Path, about=about)
    about = "publish to the index in this folder; create it if it does not exist"
    parser.option("--index", metavar="DIR", about=about, type=Path)
    parser.option("--out", metavar="DIR", about="write to this folder (default: here)", type=Path, default=Path())
    command = _Command(parser.parse(argv), console)
    args = command.args
    packed = command.usable(published(args.file) if args.file is not None else pack(command.project()))
    try:
        if args.index is not None:
            is_new = publish(packed, args.index)
        else:
            write_to(args.out, {packed.file: packed.data})
            is_new = True
    except PublishError as error:
        command.console.complain(str(error), None)
        return 1
    place = (args.index or args.out) / packed.file
    if not args.quiet:
        did = "wrote" if is_new else "there is already"
        command.console.say(f"{did} {place.as_posix()}: {count(len(packed.files), 'file')}")
    command.console.print_line(packed.digest)
    return 0


COMMANDS: Mapping[str, Callable[[Sequence[str], Console], int]] = {
    "add": _add,
    "install": _install,
    "update": _update,
    "why": _why,
    "list": _list,
    "publish": _publish,
}
