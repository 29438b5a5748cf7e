"""`pclgen config`: the configuration of programs.  Comes in: arguments; goes out: a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pclgen.cli.arguments import Parser, add_checking_options, add_reporting_options, run_group
from pclgen.cli.console import Console
from pclgen.cli.programs import failed, load_programs
from pclgen.cli.services import load_compiler
from pclgen.cli.stores import Stores

EXAMPLES = """\
examples:
  pclgen config schema web                       the configuration of `web` as a JSON Schema
  pclgen config schema web > config.schema.json  for editors, and for whoever checks stacks

`pclgen config COMMAND --help` tells more.
exit status: 0 fine, 1 errors in the program, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Run the command that `argv` begins with."""
    about = "Describe the configuration of a program."
    return run_group("config", COMMANDS, argv, console, description=about, examples=EXAMPLES)


def _schema(argv: Sequence[str], console: Console) -> int:
    parser = Parser(
        "config schema",
        usage="PATH [options]",
        description="Check a program and print the JSON Schema of its configuration: types, defaults, what is required.",
        examples="",
    )
    parser.add_argument("path", metavar="PATH", help="a program directory, one .pp file, or - (standard input)")
    add_checking_options(parser)
    add_reporting_options(parser)
    args = parser.parse(argv)
    console = replace(console, color=args.color)
    stores = Stores(args, console)
    (program,) = load_programs([args.path], console, allow_outside=args.allow_outside)
    outcome = load_compiler().config_schema(program, store=stores.of(program), lenient=args.lenient)
    stores.tell()
    console.report(outcome.diagnostics, args.output_format, stream=console.err)
    if outcome.text is not None:
        console.print_exactly(outcome.text)
    return failed(outcome.diagnostics)


COMMANDS: Mapping[str, Callable[[Sequence[str], Console], int]] = {"schema": _schema}
