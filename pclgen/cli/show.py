"""The commands that show one program: a page, its dependencies, its state after a compiler pass.

    pclgen view                     a page that shows a program beside its generated code
    pclgen graph                    the dependencies, as a picture or as text for other tools
    pclgen generate --dump-after    the program after a pass, or the list of passes
"""

from __future__ import annotations

import argparse
from argparse import ArgumentTypeError
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.cli.arguments import (
    Parser,
    add_checking_options,
    add_reporting_options,
    add_run_options,
    chosen_languages,
    key_values,
    style_choices,
)
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import failed, load_programs
from pclgen.cli.stores import Stores, add_source_options
from pclgen.diagnostics.suggest import suggestion
from pclgen.source.load import LoadError, load_program

if TYPE_CHECKING:
    from pclgen.view.page import ViewedProgram


# -- the page ---------------------------------------------------------------------------------------------------------------

_VIEW_EXAMPLES = """\
examples:
  pclgen view web                        open the page in your browser
  pclgen view web --no-open --port 8000  only print its address
  pclgen view web --html web.html        write the page to a file that needs no network
  pclgen view web --config size=3        with a value of the configuration

The page shows the program, its code in Python, TypeScript, Go and YAML, its problems, its dependencies, a run and its
configuration. Edit the program in the page to see what changes; files on disk stay as they are.

exit status: 0 you stopped the server (Ctrl-C), or the file is written; 1 the program has errors (only with `--html`);
2 wrong use
"""


def run_view(argv: Sequence[str], console: Console) -> int:
    """Serve or write the page of the program named in `argv`.  Raises `UsageError`, `LoadError` and `WriteError`."""
    args = _view_parser().parse(argv)
    if args.html is not None and (args.port is not None or args.no_open):
        raise UsageError("`--html` writes a file and starts no server", "remove `--port` and `--no-open`")
    program = load_program(args.path, others=False)
    if program.is_pack or not program.is_on_disk:
        raise UsageError(f"`{args.path}` is not a program in text files", "name its folder or its file")
    from pclgen.view.page import PageRequest, RunOptions, ViewedProgram

    options = RunOptions(
        config=key_values(args.config, "--config"),
        secrets=key_values(args.config_secret, "--config-secret"),
        stack=args.stack,
        organization=args.organization,
        stack_file=args.config_file,
        replay_file=args.replay,
    )
    viewed = ViewedProgram(Path(args.path).absolute(), Stores(args, console).settings(), console.environ, options)
    if args.html is None:
        _serve(viewed, args.port or 0, console, opens=not args.no_open)
        return 0
    from pclgen.emit.write import write_file
    from pclgen.view.page import page

    content = viewed.content(PageRequest())
    if "problem" in content:
        raise LoadError(str(content["problem"]), str(content["hint"]) if content["hint"] else None)
    write_file(args.html, page(content, live=False).encode("utf-8"))
    if content["languages"]:
        return 0
    console.say(f"{args.html} shows a program with errors; `pclgen check {args.path}` prints them")
    return 1


def _serve(viewed: ViewedProgram, port: int, console: Console, *, opens: bool) -> None:
    """Serve until the user stops it. Raises `UsageError` for an unavailable port."""
    import webbrowser

    from pclgen.view.server import ViewServer

    try:
        server = ViewServer(viewed, port)
    except OSError as error:
        raise UsageError(f"`--port {port}`: {error.strerror}", "choose another, or none for any free port") from None
    with server:
        console.print_line(server.url)
        console.out.flush()
        console.say("Press Ctrl-C to stop.")
        if opens:
            webbrowser.open(server.url)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise ArgumentTypeError(f"expected a number from 1 to 65535, not {text!r}")
    return int(text)


def _view_parser() -> Parser:
    parser = Parser(
        "view",
        usage="PATH [--port PORT] [--no-open] [options]",
        description="Show a program beside its generated code, with a run of it, on a page in your browser.",
        examples=_VIEW_EXAMPLES,
    )
    parser.operand("path", metavar="PATH", about="a program directory, one .pp file, or a Pulumi YAML file")
    parser.option("--port", metavar="PORT", about="serve at this port of 127.0.0.1 (default: a free one)", type=_port)
    parser.option("--no-open", about="only print the address; open no browser", action="store_true")
    parser.option("--html", metavar="FILE", about="write one file that needs no server", type=Path)
    add_run_options(parser)
    add_source_options(parser)
    return parser


# -- dependencies -----------------------------------------------------------------------------------------------------------

_GRAPH_EXAMPLES = """\
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


def run_graph(argv: Sequence[str], console: Console) -> int:
    """Draw the program in `argv`; status 1, and at most a picture of its cycles, if it has an error."""
    args, console = _graph_parser().begin(argv, console)
    stores = Stores(args, console)
    (program,) = load_programs([args.path], console, args)
    from pclgen import pipeline

    outcome = pipeline.graph(program, store=stores.of(program), lenient=stores.lenient(program), graph_format=args.format)
    stores.tell()
    console.report(outcome.diagnostics, args.output_format, stream=console.err)
    if outcome.text is not None:
        console.print_exactly(outcome.text)
    return failed(outcome.diagnostics)


def _graph_parser() -> Parser:
    parser = Parser(
        "graph",
        usage="PATH [--format FORMAT] [options]",
        description="Check a program and draw its dependency graph.",
        examples=_GRAPH_EXAMPLES,
    )
    parser.operand("path", metavar="PATH", about="a program directory, one .pp file, or - (standard input)")
    formats = ("dot", "html", "json", "mermaid", "svg")
    parser.option("--format", about="dot (default), html, json, mermaid or svg", choices=formats, default="dot")
    add_checking_options(parser)
    add_reporting_options(parser)
    return parser


# -- passes -----------------------------------------------------------------------------------------------------------------

LIST = "list"


def dump(args: argparse.Namespace, console: Console) -> int:
    """Print the program after the pass in `args`; status 1 if it has errors. Raises `UsageError`."""
    from pclgen import pipeline

    passes = pipeline.passes()
    if args.dump_after == LIST:
        width = max(map(len, passes))
        for name, does in passes.items():
            console.print(f"{name:{width}}  {does}\n")
        return 0
    if args.dump_after not in passes:
        hint = suggestion(args.dump_after, passes, "`--dump-after list` names them all")
        raise UsageError(f"`--dump-after`: there is no pass `{args.dump_after}`", hint)
    if len(args.paths) != 1:
        raise UsageError("`--dump-after` prints one program", "name one, as in `pclgen generate web --dump-after order`")
    stores = Stores(args, console)
    [program] = load_programs(args.paths, console, args)
    outcome = pipeline.dump(
        program,
        after=args.dump_after,
        languages=chosen_languages(args.language),
        store=stores.of(program),
        lenient=stores.lenient(program),
        style=style_choices(args).over(stores.choices(program)).style,
    )
    stores.tell()
    console.report(outcome.diagnostics, args.output_format, stream=console.err)
    if outcome.text is not None:
        console.print_exactly(outcome.text)
    return failed(outcome.diagnostics)
