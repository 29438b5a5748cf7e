"""`pclgen functions`: what can be called in a program.  Comes in: arguments; goes out: a list, or what there is to know."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from pclgen.cli.arguments import Parser, add_color_option
from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.style import Role
from pclgen.diagnostics.suggest import suggest
from pclgen.stdlib.calling import signature
from pclgen.stdlib.pages import FORMAT_VERSION, data_of, lines_of
from pclgen.stdlib.registry import FUNCTIONS

EXAMPLES = """\
examples:
  pclgen functions              all, one line each
  pclgen functions lookup       its arguments, its result, an example
  pclgen functions --json       the same for tools
"""


def run(argv: Sequence[str], console: Console) -> int:
    """List the functions, or describe the one that `argv` names.  Raises `UsageError` for an unknown one."""
    args = _parser().parse(argv)
    console = replace(console, color=args.color)
    if args.name is not None and args.name not in FUNCTIONS:
        similar = suggest(args.name, tuple(FUNCTIONS))
        hint = f"did you mean `{similar}`?" if similar is not None else "`pclgen functions` lists all"
        raise UsageError(f"there is no function `{args.name}`", hint)
    chosen = [FUNCTIONS[args.name]] if args.name is not None else list(FUNCTIONS.values())
    if args.json:
        found = {"format_version": FORMAT_VERSION, "functions": [data_of(function) for function in chosen]}
        console.print_exactly(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    elif args.name is not None:
        console.print("\n".join(lines_of(chosen[0])) + "\n")
    else:
        style = console.style(console.out)
        width = max(len(signature(function)) for function in chosen)
        for function in chosen:
            console.print(f"{style.paint(Role.STRONG, f'{signature(function):<{width}}')}  {function.doc}\n")
    return 0


def _parser() -> Parser:
    parser = Parser(
        "functions", usage="[NAME] [--json]", description="Describe the functions that programs can call.", examples=EXAMPLES
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="for example lookup; without it, all are listed")
    parser.option("--json", about="print JSON", action="store_true")
    add_color_option(parser)
    return parser
