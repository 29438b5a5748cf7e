"""`pclgen evaluate`: run a program without any cloud."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.cli.arguments import Parser, add_checking_options, add_reporting_options, add_run_options, key_values
from pclgen.cli.console import Console
from pclgen.cli.programs import failed, load_programs
from pclgen.cli.stores import Stores

_MOST_ELEMENTS = 100
"""Maximum length of invented lists: samples of nested outputs multiply."""

EXAMPLES = """\
examples:
  pclgen evaluate web                                  what an update registers
  pclgen evaluate web --preview                        what a preview knows of it
  pclgen evaluate web --config region=eu-west-1 --config-secret password=hunter2
  pclgen evaluate web --config-file Pulumi.prod.yaml --stack prod
  pclgen evaluate web --format json > run.json         for another tool; --replay takes it as recorded answers

There is no provider: a resource returns its inputs and an id, and pclgen makes up other outputs from their types. The pure
functions of the package std are computed. --replay uses the answers of a file, whose format docs/guides/evaluate.md shows.
The run goes to standard output, diagnostics (in any format) to standard error.
exit status: 0 the program ran, 1 the program has errors or failed, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Run the program named in `argv`; status 1 if it has an error or fails."""
    args, console = _parser().begin(argv, console)
    stores = Stores(args, console)
    (program,) = load_programs([args.path], console, args)
    from pclgen import pipeline

    inputs = pipeline.inputs_for_run(
        program,
        preview=args.preview,
        project=args.project or program.project.name or None,
        stack=args.stack,
        organization=args.organization,
        config=key_values(args.config, "--config"),
        secrets=key_values(args.config_secret, "--config-secret"),
        stack_file=args.config_file,
        replay_file=args.replay,
        pulumi_version=args.pulumi_version,
        list_length=args.list_length,
    )
    outcome = pipeline.evaluate(program, inputs, store=stores.of(program), lenient=stores.lenient(program))
    stores.tell()
    console.report(outcome.diagnostics, args.output_format, stream=console.err)
    if outcome.trace is not None:
        from pclgen.trace.json import dumps
        from pclgen.trace.render import render_trace

        if args.format == "json":
            console.print_exactly(dumps(outcome.trace))
        else:
            shown = replace(outcome.trace, log=())  # the diagnostics contain its messages
            color = console.style(console.out).color
            console.print(render_trace(shown, color=color, secrets=args.show_secrets))
    return failed(outcome.diagnostics)


def _list_length(text: str) -> int:
    count = int(text) if text.isdecimal() else -1
    if not 0 <= count <= _MOST_ELEMENTS:
        raise ArgumentTypeError(f"expected a number from 0 to {_MOST_ELEMENTS}, not {text!r}")
    return count


def _parser() -> Parser:
    parser = Parser(
        "evaluate",
        usage="PATH [--preview] [--config KEY=VALUE] [--replay FILE] [options]",
        description="Run a program without a cloud and print the resources it registers, with inputs, options and"
        " dependencies.",
        examples=EXAMPLES,
    )
    parser.operand("path", metavar="PATH", about="a program directory, one .pp file, or - (standard input)")
    parser.option("--preview", about="run as a preview, in which values of an update are unknown", action="store_true")
    add_run_options(parser)
    parser.option("--project", metavar="NAME", about="name of the project (default: that of the program)")
    parser.option(
        "--pulumi-version",
        metavar="VERSION",
        about="the version to check requiredVersionRange against (default: none)",
        default="",
    )
    parser.option(
        "--list-length",
        metavar="COUNT",
        about=f"number of elements in made-up output lists (default: 1, at most {_MOST_ELEMENTS})",
        type=_list_length,
        default=1,
    )
    parser.option("--format", about="tree (default) or json", choices=("tree", "json"), default="tree")
    parser.option("--show-secrets", about="show secret values in the tree (JSON always has them)", action="store_true")
    add_checking_options(parser)
    add_reporting_options(parser)
    return parser
