"""`pclgen schema`: inspect package schemas and vendor them in `schemas/`."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import to_builtins

from pclgen.cli.arguments import Parser, add_color_option, add_quiet_option, run_group
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import count
from pclgen.cli.stores import Stores, add_source_options, shown_path
from pclgen.diagnostics.cells import Role, Style

if TYPE_CHECKING:
    from pclgen.schema.describe import Description, Property
    from pclgen.schema.package import FoundPackage


_WIDEST = 100
_CHOICES_SHOWN = 12


def terminal_width(console: Console) -> int:
    """Return the number of columns to use."""
    return min(_WIDEST, shutil.get_terminal_size().columns) if console.out.isatty() else _WIDEST


def description_lines(entry: Description, style: Style, width: int) -> Iterator[str]:
    """Yield the description of a member: kind and token, documentation, and properties by section."""
    version = f" {entry.version}" if entry.version else ""
    yield style.paint(Role.STRONG, f"{entry.kind} {entry.token}") + f"  (package {entry.package}{version})"
    if entry.deprecated:
        yield from _wrapped(f"deprecated: {entry.deprecated}", width, "  ")
    if entry.doc:
        yield from _wrapped(_prose(entry.doc), width, "  ")
    if entry.former:
        yield from _wrapped(f"once called {', '.join(entry.former)}", width, "  ")
    for title, properties in entry.sections.items():
        yield ""
        yield style.paint(Role.STRONG, f"{title}:") + ("" if properties else " none")
        for each in properties:
            yield from _property_lines(each, style, width)
    yield ""


def _property_lines(each: Property, style: Style, width: int) -> Iterator[str]:
    words = [word for word, holds in (("required", each.required), ("secret", each.secret)) if holds]
    if each.default:
        words.append(f"default {each.default}")
    about = f" ({', '.join(words)})" if words else ""
    name = f"{style.paint(Role.CAUSE, each.name)}: " if each.name else ""
    yield f"  {name}{each.type}{about}"
    if each.deprecated:
        yield from _wrapped(f"deprecated: {each.deprecated}", width, "      ")
    if each.doc:
        yield from _wrapped(_prose(each.doc), width, "      ")
    if each.choices:
        shown = ", ".join(each.choices[:_CHOICES_SHOWN])
        more = f", … ({len(each.choices)} in all)" if len(each.choices) > _CHOICES_SHOWN else ""
        yield from _wrapped(f"one of {shown}{more}", width, "      ")
    elif each.refers:
        yield from _wrapped(f"see {', '.join(each.refers)}", width, "      ")


def _prose(doc: str) -> str:
    """Return the first paragraphs of Markdown, up to the first heading or example."""
    text = re.split(r"^(?:#|```|\{\{%|<!--)", doc, maxsplit=1, flags=re.MULTILINE)[0].strip()
    return text or doc.strip().partition("\n")[0]


def _wrapped(text: str, width: int, indent: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        yield from textwrap.wrap(
            " ".join(paragraph.split()), width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )


EXAMPLES = """\
examples:
  pclgen schema list                         list the packages with a schema and its source
  pclgen schema show aws                     list the resource types and functions of a package; aws:s3: of a module
  pclgen schema show aws:s3:Bucket           show the properties of a resource type, function, object type or enum
  pclgen schema add aws@7.48.0               store a schema in schemas/, from the installed SDK, a plugin or the CLI
  pclgen schema add shop --from shop.json    store a schema from a file or an http(s) URL
  pclgen schema add shop --from shop.json --ask-go-proxy
                                             also find the Go module of its SDK
  pclgen schema check shop.json              report the problems of a schema, for its author
  pclgen schema remove shop@1.0.0            delete a schema that `add` stored
  pclgen schema path                         list the sources of schemas in their order
  pclgen schema path aws                     print the source of the schema of aws

`pclgen schema COMMAND --help` describes each command.
exit status: 0 success, 1 not found or out of reach, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Run the subcommand at the start of `argv`."""
    about = "Inspect package schemas and vendor them."
    return run_group("schema", COMMANDS, argv, console, description=about, examples=EXAMPLES)


def _parser(name: str, usage: str, description: str) -> Parser:
    parser = Parser(f"schema {name}", usage=usage, description=description, examples="")
    parser.option(
        "--project", metavar="DIR", about="folder of the project (default: here)", type=Path, default=Path()
    )
    add_source_options(parser)
    add_color_option(parser)
    return parser


def _teller(console: Console, args: argparse.Namespace) -> Callable[[str], None]:
    """Return a function that prints steps and their outcome, or nothing with `--quiet`."""
    return (lambda _: None) if args.quiet else console.say


def _list(argv: Sequence[str], console: Console) -> int:
    parser = _parser("list", "[NAME...] [options]", "List the packages with a schema.")
    parser.operand("names", metavar="NAME", nargs="*", about="only these packages")
    parser.option("--json", about="print JSON", action="store_true")
    args = parser.parse(argv)
    store = Stores(args, console).at(args.project)
    entries = [entry for name in args.names or store.names() for entry in store.listing(name)]
    if args.json:
        console.print(json.dumps([to_builtins(entry) for entry in entries], indent=2) + "\n")
    else:
        rows = [(e.name, e.version or "-", shown_path(e.where) + (" (locked)" if e.locked else "")) for e in entries]
        widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
        for name, version, where in rows:
            console.print_line(f"{name:{widths[0]}}  {version:{widths[1]}}  {where}")
    missing = [name for name in args.names if not any(entry.name == name for entry in entries)]
    for name in missing:
        console.complain(f"no schema of package `{name}` was found", "`pclgen schema path` lists the sources")
    if not entries and not args.names:
        console.say("no schemas were found; `pclgen schema path` lists the sources")
    return 1 if missing else 0


def _show(argv: Sequence[str], console: Console) -> int:
    from pclgen.schema.describe import describe, members, nearest
    from pclgen.schema.errors import SchemaError
    from pclgen.schema.tokens import TokenError, parse_token

    parser = _parser(
        "show",
        "TOKEN [options]",
        "Print the schema of a resource type, function or type, or the members of a package or module.",
    )
    parser.operand("token", metavar="TOKEN", about="for example aws:s3:Bucket, aws:s3 or aws")
    parser.option("--version", metavar="VERSION", about="the version of the package")
    parser.option("--json", about="print JSON", action="store_true")
    args, console = parser.begin(argv, console)
    is_package = ":" not in args.token
    token = parse_token(f"{args.token}:index:any" if is_package else args.token)
    if isinstance(token, TokenError):
        raise UsageError(f"`{args.token}` is no token: {token.reason}", "write `package:module:Member`")
    stores = Stores(args, console)
    result = _lookup(stores, args, token.package, args.version)
    inside = members(result, "" if is_package else args.token)
    if is_package:
        return _print_members(inside, args, console)
    try:
        descriptions = describe(result, token)
    except SchemaError as error:
        console.complain(f"{result.where}: {error.path}: {error.reason}", None)
        return 1
    stores.flush()
    if not descriptions and any(inside.values()):
        return _print_members(inside, args, console)
    if not descriptions:
        similar = nearest(result, token)
        hint = f"did you mean `{similar}`?" if similar is not None else None
        console.complain(f"package `{result.package.name}` has no `{args.token}`", hint)
        return 1
    if args.json:
        console.print(json.dumps([to_builtins(entry) for entry in descriptions], indent=2) + "\n")
        return 0
    width = terminal_width(console)
    for entry in descriptions:
        for line in description_lines(entry, console.style(console.out), width):
            console.print(line.rstrip() + "\n")
    return 0


def _print_members(inside: Mapping[str, Sequence[str]], args: argparse.Namespace, console: Console) -> int:
    """Print the members of a package or module."""
    if args.json:
        console.print(json.dumps(inside, indent=2) + "\n")
        return 0
    for kind, names in inside.items():
        if names:
            console.print("".join([f"{kind}:\n", *(f"  {name}\n" for name in names)]))
    return 0


def _lookup(stores: Stores, args: argparse.Namespace, name: str, version: str | None) -> FoundPackage:
    """Return the package; report that it does not exist, and end the command, if it does not."""
    from pclgen.diagnostics.packages import getting
    from pclgen.diagnostics.suggest import suggestion
    from pclgen.schema.errors import BadSchema
    from pclgen.schema.package import FoundPackage

    result = stores.at(args.project).find(name, version)
    if isinstance(result, FoundPackage):
        return result
    console = stores.console
    if isinstance(result, BadSchema):
        console.complain(f"the schema of package `{name}` cannot be used: {result.where}: {result.reason}", result.help)
        raise SystemExit(1)
    hint = suggestion(name, stores.at(args.project).names())
    if hint is not None:
        console.complain(f"no schema of package `{name}` was found", hint)
        raise SystemExit(1)
    label = f"version {result.version} of package `{name}`" if result.version is not None else f"package `{name}`"
    has = f"there are {', '.join(result.versions)}; " if result.versions else ""
    console.complain(f"no schema of {label} was found", has + getting(name, result.version, result.commands))
    raise SystemExit(1)


def _add(argv: Sequence[str], console: Console) -> int:
    from pclgen.gomodule import with_go_module
    from pclgen.schema.config import ConfigurationError
    from pclgen.schema.fetch import TIME_LIMIT, FetchError, add, expected, fetch, taken

    parser = _parser(
        "add",
        "NAME[@VERSION] [--from URL|FILE] [options]",
        "Copy a schema into the project's own `schemas/` and note it in the lock file. Without --from it is taken from"
        " an installed SDK, a plugin, the Pulumi CLI or a loader service.",
    )
    parser.operand("package", metavar="NAME[@VERSION]", about="the package, for example aws or aws@7.48.0")
    parser.option("--from", metavar="PLACE", about="an http(s) URL or a file", dest="place")
    parser.option("--sha256", metavar="DIGEST", about="fail if the file has another digest", default="")
    parser.option("--ask-go-proxy", about="ask Go's module proxy (GOPROXY) for the module of the SDK", action="store_true")
    add_quiet_option(parser)
    args = parser.parse(argv)
    tell = _teller(console, args)
    stores = Stores(args, console)
    project = stores.project(args.project)
    limit = project.settings.time_limit if project.settings.time_limit is not None else TIME_LIMIT
    package = expected(args.package, args.sha256)
    try:
        if args.place is not None:
            if args.place.startswith(("http://", "https://")):
                tell(f"getting {args.place} ...")
            fetched = fetch(args.place, package, limit=limit)
        else:
            tell(f"looking for the schema of {args.package} ...")
            result = _lookup(stores.without_project(), args, package.name, package.version)
            fetched = taken(result.document, package)
        if args.ask_go_proxy:
            fetched = with_go_module(fetched, limit, tell)
        folder = project.own_folder()
        entry = add(folder, fetched)
    except (FetchError, ConfigurationError) as error:
        console.complain(str(error), error.hint)
        return 1
    stores.flush()
    tell(f"added {shown_path(str(folder / entry.file))} from {shown_path(entry.source)}")
    return 0


def _remove(argv: Sequence[str], console: Console) -> int:
    from pclgen.schema.config import ConfigurationError
    from pclgen.schema.fetch import FetchError, expected, remove

    parser = _parser("remove", "NAME[@VERSION] [options]", "Delete a schema that `pclgen schema add` wrote.")
    parser.operand("package", metavar="NAME[@VERSION]", about="the package, with a version if there are several")
    add_quiet_option(parser)
    args = parser.parse(argv)
    tell = _teller(console, args)
    folder = Stores(args, console).project(args.project).own_folder()
    package = expected(args.package)
    try:
        for entry in remove(folder, package):
            tell(f"removed {shown_path(str(folder / entry.file))}")
    except (FetchError, ConfigurationError) as error:
        console.complain(str(error), error.hint)
        return 1
    return 0


def _path(argv: Sequence[str], console: Console) -> int:
    parser = _parser("path", "[NAME[@VERSION]] [options]", "Print where a schema is, or where pclgen looks for schemas.")
    parser.operand("package", metavar="NAME[@VERSION]", nargs="?", about="a package; without it, list all locations")
    args = parser.parse(argv)
    stores = Stores(args, console)
    if args.package is None:
        for place in stores.at(args.project).places():
            console.print_line(shown_path(place))
        return 0
    name, _, version = args.package.partition("@")
    console.print_line(_lookup(stores, args, name, version or None).where)
    return 0


def _check(argv: Sequence[str], console: Console) -> int:
    from pclgen.schema.lint import mistakes_in

    parser = Parser(
        "schema check",
        usage="FILE... [--json] [--quiet]",
        description="Report the problems of package schemas: unknown keys, dangling references, missing required properties,"
        " unusable members.",
        examples="",
    )
    parser.operand("files", metavar="FILE", nargs="+", type=Path, about="a schema, JSON or YAML")
    parser.option("--json", about="print JSON", action="store_true")
    add_quiet_option(parser)
    add_color_option(parser)
    args, console = parser.begin(argv, console)
    mistakes = [(file, mistake) for file in args.files for mistake in mistakes_in(_schema_bytes(file), where=str(file))]
    if args.json:
        rows = [{"file": str(file), **to_builtins(mistake)} for file, mistake in mistakes]
        console.print(json.dumps(rows, indent=2) + "\n")
    else:
        for file, mistake in mistakes:
            hint = f" ({mistake.help})" if mistake.help else ""
            console.print_line(f"{file}: {mistake.pointer or '/'}: {mistake.message}{hint}")
        _teller(console, args)(f"{count(len(mistakes), 'mistake')} in {count(len(args.files), 'schema')}")
    return int(bool(mistakes))


def _schema_bytes(file: Path) -> bytes:
    """Return the JSON of a schema file. Raises `LoadError` and `UsageError`."""
    from pclgen.schema.sources import is_yaml, json_of_yaml
    from pclgen.source.load import read_file

    data = read_file(file).data
    converted = json_of_yaml(data) if is_yaml(file) else data
    if isinstance(converted, str):
        raise UsageError(f"{file}: {converted}")
    return converted


COMMANDS: Mapping[str, Callable[[Sequence[str], Console], int]] = {
    "list": _list,
    "show": _show,
    "add": _add,
    "check": _check,
    "remove": _remove,
    "path": _path,
}
