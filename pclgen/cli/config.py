"""`pclgen config`: the JSON Schema of a program's configuration, and checks of stack configuration against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pclgen.cli.arguments import (
    Parser,
    add_checking_options,
    add_outcome_options,
    add_reporting_options,
    run_group,
)
from pclgen.cli.console import Console
from pclgen.cli.programs import count, failed, load_programs
from pclgen.cli.stores import Stores
from pclgen.diagnostics.model import Severity, with_levels
from pclgen.source.load import read_file

EXAMPLES = """\
examples:
  pclgen config schema web                       print the configuration of `web` as a JSON Schema
  pclgen config schema web > config.schema.json  for editors and for checks of stacks
  pclgen config check web/Pulumi.*.yaml          check each stack of `web` before a deployment fails

`pclgen config COMMAND --help` describes each command.
exit status: 0 success, 1 errors in the program or in a stack, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Run the subcommand at the start of `argv`."""
    about = "Describe the configuration of a program, and check the stacks that set it."
    return run_group("config", COMMANDS, argv, console, description=about, examples=EXAMPLES)


def _schema(argv: Sequence[str], console: Console) -> int:
    parser = Parser(
        "config schema",
        usage="PATH [options]",
        description="Check a program and print the JSON Schema of its configuration.",
        examples="",
    )
    parser.operand("path", metavar="PATH", about="a program directory, one .pp file, or - (standard input)")
    add_checking_options(parser)
    add_reporting_options(parser)
    args, console = parser.begin(argv, console)
    stores = Stores(args, console)
    (program,) = load_programs([args.path], console, args)
    from pclgen import pipeline

    outcome = pipeline.config_schema(program, store=stores.of(program), lenient=stores.lenient(program))
    stores.tell()
    console.report(outcome.diagnostics, args.output_format, stream=console.err)
    if outcome.text is not None:
        console.print_exactly(outcome.text)
    return failed(outcome.diagnostics)


def _check(argv: Sequence[str], console: Console) -> int:
    parser = Parser(
        "config check",
        usage="FILE... [--program PATH] [options]",
        description="Check the configuration of stacks against a program: names, types, required variables.",
        examples="",
    )
    parser.operand("files", metavar="FILE", nargs="+", about="files of stacks: Pulumi.<stack>.yaml")
    about = "the program (default: the directory of the first file)"
    parser.option("--program", metavar="PATH", about=about)
    parser.option("--project", metavar="NAME", about="name of the project (default: that of the program)")
    add_checking_options(parser)
    add_outcome_options(parser)
    add_reporting_options(parser)
    args, console = parser.begin(argv, console)
    stores = Stores(args, console)
    where = args.program if args.program is not None else str(Path(args.files[0]).parent)
    (program,) = load_programs([where], console, args)
    files = [read_file(Path(name)) for name in dict.fromkeys(args.files)]
    choices = stores.choices(program)
    from pclgen import pipeline

    outcome = pipeline.check_stack_files(
        program, files, project=args.project, store=stores.of(program), lenient=stores.lenient(program)
    )
    diagnostics = with_levels(outcome.diagnostics, choices.levels, errors_from=Severity(args.error_on))
    stores.tell()
    console.report(diagnostics, args.output_format)
    if args.output_format == "text" and not args.quiet and not diagnostics:
        console.say(f"checked {count(len(files), 'stack')}: no problems")
    return failed(diagnostics)


COMMANDS: Mapping[str, Callable[[Sequence[str], Console], int]] = {"schema": _schema, "check": _check}
