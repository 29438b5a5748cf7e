"""`pclgen graph`: draw the dependencies of a program, as a picture or as text for other tools."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.cli.arguments import Parser, add_checking_options, add_reporting_options
from pclgen.cli.console import Console
from pclgen.cli.programs import failed, load_programs
from pclgen.cli.stores import Stores

EXAMPLES = """\
examples:
  pclgen graph web --format svg > web.svg      a picture
  pclgen graph web --format html > web.html    a page with the picture
  pclgen graph web --format mermaid            for Markdown
  pclgen graph web | dot -Tpdf > web.pdf       a picture, with Graphviz
  pclgen graph web --format json               for another tool

The graph goes to standard output, diagnostics (in any format) to standard error. A picture (svg, html) also shows
cycles that are errors; other errors prevent the graph.
exit status: 0 drawn, 1 errors in the program, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Draw the program in `argv`; status 1, and at most a picture of its cycles, if it has an error."""
    args, console = _parser().begin(argv, console)
    stores = Stores(args, console)
    (program,) = load_programs([args.path], console, args)
    from pclgen import pipeline

    outcome = pipeline.graph(program, store=stores.of(program), lenient=stores.lenient(program), graph_format=args.format)
    stores.tell()
    console.report(outcome.diagnostics, args.output_format, stream=console.err)
    if outcome.text is not None:
        console.print_exactly(outcome.text)
    return failed(outcome.diagnostics)


def _parser() -> Parser:
    parser = Parser(
        "graph",
        usage="PATH [--format FORMAT] [options]",
        description="Check a program and draw its dependency graph.",
        examples=EXAMPLES,
    )
    parser.operand("path", metavar="PATH", about="a program directory, one .pp file, or - (standard input)")
    formats = ("dot", "html", "json", "mermaid", "svg")
    parser.option("--format", about="dot (default), html, json, mermaid or svg", choices=formats, default="dot")
    add_checking_options(parser)
    add_reporting_options(parser)
    return parser
