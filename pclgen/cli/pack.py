"""`pclgen pack`: bundle a program and everything it needs into one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pclgen.cli.arguments import Parser, add_checking_options, add_reporting_options
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import failed, load_programs
from pclgen.cli.stores import Stores

EXAMPLES = """\
examples:
  pclgen pack website                         writes website.mupack.json
  pclgen pack website --out out/site.json     to another file
  pclgen pack parts/vpc --package vpc@1.0.6   to use it as a component
  pclgen generate website.mupack.json         every command takes a pack where it takes a program

A pack contains the checked program, its sources, the files that it names, and the parts of package schemas that it uses.
No other file is needed to generate, check, evaluate, draw or verify it. docs/packs.md describes the format.
exit status: 0 written, 1 errors in the program, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Pack the program in `argv`; status 1, and no file, if it has an error."""
    from pclgen.emit.write import write_file
    from pclgen.source.load import PACK_SUFFIX

    args, console = _parser().begin(argv, console)
    stores = Stores(args, console)
    (program,) = load_programs([args.path], console, args)
    from pclgen import pipeline

    package = _package(args.package) if args.package else None
    outcome = pipeline.pack(program, store=stores.of(program), lenient=stores.lenient(program), package=package)
    stores.tell()
    console.report(outcome.diagnostics, args.output_format)
    if outcome.data is not None:
        path = args.out if args.out is not None else Path(f"{program.name}{PACK_SUFFIX}")
        write_file(path, outcome.data)
        if args.output_format == "text":
            console.say(f"wrote {path}: {len(outcome.data):,} bytes")
    return failed(outcome.diagnostics)


def _package(text: str) -> tuple[str, str]:
    """Return the name and version in `text`.  Raises `UsageError`."""
    from pclgen.deps.manifest import NAME
    from pclgen.schema.ranges import read_version

    name, _, version = text.partition("@")
    if NAME.fullmatch(name) is None or read_version(version) is None:
        raise UsageError(f"`{text}` is not a package in a version", "write NAME@VERSION, for example network@1.0.6")
    return name, version


def _parser() -> Parser:
    parser = Parser(
        "pack",
        usage="PATH [--out FILE] [options]",
        description="Bundle a checked program and everything it needs into one file.",
        examples=EXAMPLES,
    )
    parser.operand("path", metavar="PATH", about="a program directory, one .pp file, or - (standard input)")
    parser.option("--out", metavar="FILE", about="the file to write; NAME.mupack.json here", type=Path)
    about = "name and version under which other programs use it as a component"
    parser.option("--package", metavar="NAME@VERSION", about=about, default="")
    add_checking_options(parser)
    add_reporting_options(parser)
    return parser
