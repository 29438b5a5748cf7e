"""`pclgen check`: find the errors in programs."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.cli.arguments import Parser, add_checking_options, add_outcome_options, add_reporting_options
from pclgen.cli.console import Console
from pclgen.cli.programs import PATH_HELP, count, failed, load_programs, programs_below
from pclgen.cli.stores import Stores
from pclgen.diagnostics.model import Diagnostic, Severity, with_levels

EXAMPLES = """\
examples:
  pclgen check web                            all .pp files of the directory `web`
  pclgen check .                              all programs below this folder
  pclgen check web/main.pp --schemas schemas  one file; package schemas are in `schemas`
  pclgen check web api --output-format json   two programs, diagnostics for another tool
  cat main.pp | pclgen check -                standard input

exit status: 0 no errors, 1 errors, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Check all programs named in `argv`; status 1 if a program has an error."""
    args, console = _parser().begin(argv, console)
    stores = Stores(args, console)
    programs = load_programs(programs_below(args.paths), console, args)
    from pclgen import pipeline

    diagnostics: list[Diagnostic] = []
    for program in programs:
        choices = stores.choices(program)
        outcome = pipeline.check(program, store=stores.of(program), lenient=stores.lenient(program)).diagnostics
        diagnostics += with_levels(outcome, choices.levels, errors_from=Severity(args.error_on))
    stores.tell()
    console.report(diagnostics, args.output_format)
    if args.output_format == "text" and not diagnostics and not args.quiet:
        files = sum(len(program.files) for program in programs)
        console.say(f"checked {count(len(programs), 'program')}, {count(files, 'file')}: no problems")
        for program in programs:
            if program.unread:
                unread = count(len(program.unread), "other .pp file")
                console.say(f"not read: {unread} in `{program.root}`; `pclgen check {program.root}` reads them all")
    return failed(diagnostics)


def _parser() -> Parser:
    parser = Parser(
        "check",
        usage="PATH... [options]",
        description="Check programs against the schemas of their packages and report every error.",
        examples=EXAMPLES,
    )
    parser.operand("paths", metavar="PATH", nargs="+", about=PATH_HELP)
    add_checking_options(parser)
    add_outcome_options(parser)
    add_reporting_options(parser)
    return parser
