"""`pclgen completion`: print a shell completion script.

shtab writes the script from the parsers of all commands, so completion starts no process.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pclgen.cli.arguments import Parser, parser_of
from pclgen.cli.console import Console
from pclgen.languages import TARGETS

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")

EXAMPLES = """\
examples:
  eval "$(pclgen completion bash)"                                    in ~/.bashrc
  pclgen completion zsh > "${fpath[1]}/_pclgen"                       once; then start a new shell
  pclgen completion fish > ~/.config/fish/completions/pclgen.fish     once
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Print the script for a shell."""
    parser = Parser(
        "completion",
        usage=f"{{{','.join(SHELLS)}}}",
        description="Print a script that completes commands, options and their values in a shell.",
        examples=EXAMPLES,
    )
    parser.operand("shell", metavar="SHELL", choices=SHELLS, about=", ".join(SHELLS[:-1]) + f" or {SHELLS[-1]}")
    args = parser.parse(argv)
    import shtab

    console.print_exactly(shtab.complete(all_commands(console), args.shell) + "\n")
    return 0


def all_commands(console: Console) -> argparse.ArgumentParser:
    """Return one parser with the parsers of all commands below it."""
    from pclgen.cli.app import COMMANDS, command

    root = argparse.ArgumentParser("pclgen")
    root.add_argument("--version", action="version", version="", help="print the version")
    commands = root.add_subparsers()
    for name, about in COMMANDS.items():
        run, group = command(name)
        if not group:
            _add(commands, name, about, parser_of(run, [], console))
        else:
            subcommands = commands.add_parser(name, help=about).add_subparsers()
            for subcommand in group:
                parser = parser_of(run, [subcommand], console)
                _add(subcommands, subcommand, parser.description or about, parser)
    return root


def _add(commands: Commands, name: str, about: str, parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        _complete(action)
    commands.add_parser(name, help=about, parents=[parser], add_help=False)


def _complete(action: argparse.Action) -> None:
    """Tell shtab the possible values of an argument that argparse does not know."""
    import shtab

    places = {"DIR": shtab.DIRECTORY, "PATH": shtab.FILE, "FILE": shtab.FILE}
    match action.metavar:
        case str() as metavar if metavar in places:
            action.complete = places[metavar]  # type: ignore[attr-defined]  # where shtab looks
        case "LANGUAGE":
            action.choices = (*TARGETS, "all")
        case "CODE":
            from pclgen.diagnostics.codes import all_codes

            action.choices = tuple(entry.code for entry in all_codes())
        case _:
            pass
