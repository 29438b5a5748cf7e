"""`pclgen functions`: list the functions of PCL, or describe one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from pclgen.cli.arguments import Parser, add_color_option
from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.cells import Role
from pclgen.diagnostics.suggest import suggestion
from pclgen.stdlib.model import Function, signature
from pclgen.stdlib.pages import FORMAT_VERSION, data_of, lines_of
from pclgen.stdlib.registry import FUNCTIONS

EXAMPLES = """\
examples:
  pclgen functions              all, one line each
  pclgen functions lookup       its arguments, its result, an example
  pclgen functions --json       the same for tools

With --allow-functions, the function packs of the configuration are listed, too.
"""


def run(argv: Sequence[str], console: Console) -> int:
    """List the functions, or describe the function in `argv`.  Raises `UsageError` for an unknown function."""
    args, console = _parser().begin(argv, console)
    functions = {**FUNCTIONS, **_of_packs(args.allow_functions, console)}
    if args.name is not None and args.name not in functions:
        hint = suggestion(args.name, functions, "`pclgen functions` lists all")
        raise UsageError(f"there is no function `{args.name}`", hint)
    chosen = [functions[args.name]] if args.name is not None else list(functions.values())
    if args.json:
        document = {"format_version": FORMAT_VERSION, "functions": [data_of(function) for function in chosen]}
        console.print_exactly(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    elif args.name is not None:
        console.print("\n".join(lines_of(chosen[0])) + "\n")
    else:
        style = console.style(console.out)
        width = max(len(signature(function)) for function in chosen)
        for function in chosen:
            console.print(f"{style.paint(Role.STRONG, f'{signature(function):<{width}}')}  {function.doc}\n")
    return 0


def _of_packs(allowed: bool, console: Console) -> Mapping[str, Function]:
    """Return the functions of packs; none if their code must not run and the user did not ask for them."""
    from pclgen.schema.discovery import Settings, find_project, functions_of

    functions = functions_of(find_project(Path(), Settings(allow_functions=allowed), console.environ))
    return functions.by_name if functions is not None else {}


def _parser() -> Parser:
    parser = Parser(
        "functions", usage="[NAME] [--json]", description="Describe the functions that programs can call.", examples=EXAMPLES
    )
    parser.operand("name", metavar="NAME", nargs="?", about="for example lookup; without it, list all")
    parser.option("--json", about="print JSON", action="store_true")
    parser.option(
        "--allow-functions", about="run the code of packs of functions (also PCLGEN_ALLOW_FUNCTIONS)", action="store_true"
    )
    add_color_option(parser)
    return parser
