"""`pclgen completion`: print a shell completion script.

The script is generated once and contains all commands, options and their values, so completion starts no process.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from typing import TypeAlias

from msgspec import Struct

from pclgen.cli.arguments import Parser, parser_of
from pclgen.cli.console import Console
from pclgen.languages import TARGETS

SHELLS = ("bash", "zsh", "fish")

EXAMPLES = """\
examples:
  eval "$(pclgen completion bash)"                                    in ~/.bashrc
  pclgen completion zsh > "${fpath[1]}/_pclgen"                       once; then start a new shell
  pclgen completion fish > ~/.config/fish/completions/pclgen.fish     once
"""


class Places(StrEnum):
    """Values that a shell completes itself."""

    FILES = "files"
    FOLDERS = "folders"
    NONE = "none"


Values: TypeAlias = "Places | tuple[str, ...]"

_BY_METAVAR: Mapping[str, Values] = {
    "DIR": Places.FOLDERS,
    "PATH": Places.FILES,
    "FILE": Places.FILES,
    "LANGUAGE": (*TARGETS, "all"),
}


class Option(Struct, frozen=True, kw_only=True):
    """An option with its names and its possible values (None: it takes none)."""

    names: tuple[str, ...]
    about: str
    values: Values | None


class Words(Struct, frozen=True, kw_only=True):
    """A command by its words (`schema show`), with its options and the values of its other arguments."""

    command: str
    about: str
    options: tuple[Option, ...]
    operands: Values


def run(argv: Sequence[str], console: Console) -> int:
    """Print the script for a shell."""
    parser = Parser(
        "completion",
        usage=f"{{{','.join(SHELLS)}}}",
        description="Print a script that completes commands, options and their values in a shell.",
        examples=EXAMPLES,
    )
    parser.operand("shell", metavar="SHELL", choices=SHELLS, about="bash, zsh or fish")
    args = parser.parse(argv)
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]
    console.print_exactly("\n".join(write(commands(console))) + "\n")
    return 0


def commands(console: Console) -> list[Words]:
    """Return all commands, from their own parsers."""
    from pclgen.cli.app import COMMANDS

    words: list[Words] = []
    for name, about in COMMANDS.items():
        module = import_module(f"pclgen.cli.{name}")
        group: Mapping[str, object] | None = getattr(module, "COMMANDS", None)
        for sub in [[subcommand] for subcommand in group] if group is not None else [[]]:
            parser = parser_of(module.run, sub, console)
            words.append(_words(" ".join([name, *sub]), parser.description or about, parser))
    return words


def _words(command: str, about: str, parser: Parser) -> Words:
    options: list[Option] = []
    operands: Values = Places.NONE
    for action in parser._actions:
        if action.option_strings:
            values = None if action.nargs == 0 else _values(action)
            options.append(Option(names=tuple(action.option_strings), about=action.help or "", values=values))
        elif operands is Places.NONE:
            operands = _values(action)
    return Words(command=command, about=about, options=tuple(options), operands=operands)


def _values(action: argparse.Action) -> Values:
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if action.choices is not None:
        return tuple(str(choice) for choice in action.choices)
    if metavar == "CODE":
        from pclgen.diagnostics.codes import all_codes

        return tuple(entry.code for entry in all_codes())
    return _BY_METAVAR.get(metavar, Places.NONE)


def _first_words(words: Sequence[Words]) -> dict[str, list[str]]:
    """Return the first words of commands, each with its second words."""
    first_words: dict[str, list[str]] = {}
    for command in words:
        first, _, second = command.command.partition(" ")
        first_words.setdefault(first, []).extend([second] if second else [])
    return first_words


# -- bash ----------------------------------------------------------------------------------------------------------------

_BASH_HEAD = """\
# Completion of pclgen for bash: eval "$(pclgen completion bash)"
_pclgen() {
    local current="${COMP_WORDS[COMP_CWORD]}" before="" command="${COMP_WORDS[1]}" words="" kind="" start=2
    ((COMP_CWORD > 0)) && before="${COMP_WORDS[COMP_CWORD - 1]}"
    if [[ $current == = ]]; then
        current=""
    elif [[ $before == = ]]; then
        before="${COMP_WORDS[COMP_CWORD - 2]}"
    fi"""

_BASH_TAIL = """\
    case "$kind" in
        files) compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        folders) compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    esac
}
complete -F _pclgen pclgen"""


def _bash(words: Sequence[Words]) -> Iterator[str]:
    yield _BASH_HEAD
    firsts = _first_words(words)
    for first, seconds in firsts.items():
        if seconds:
            yield f'    [[ $command == {first} ]] && ((COMP_CWORD > 2)) && command="{first} ${{COMP_WORDS[2]}}"'
    yield '    if ((COMP_CWORD == 1)); then command=""; fi'
    yield '    case "$command $before" in'
    for command in words:
        for option in command.options:
            if option.values is not None:
                patterns = "|".join(f'"{command.command} {name}"' for name in option.names)
                yield f"        {patterns}) {_bash_values(option.values, 'none')} ;;"
    yield "    esac"
    yield '    [[ -n $kind$words ]] || case "$command" in'
    yield f'        "") words="{" ".join([*firsts, "--help", "--version"])}" ;;'
    for first, seconds in firsts.items():
        if seconds:
            yield f'        {first}) words="{" ".join(seconds)}" ;;'
    for command in words:
        options = " ".join(name for option in command.options for name in option.names)
        operands = _bash_values(command.operands, "none")
        yield f'        "{command.command}") if [[ $current == -* ]]; then words="{options}"; else {operands}; fi ;;'
    yield "    esac"
    yield _BASH_TAIL


def _bash_values(values: Values, nothing: str) -> str:
    if isinstance(values, Places):
        return f"kind={nothing}" if values is Places.NONE else f"kind={values}"
    return f'words="{" ".join(values)}"'


# -- zsh -----------------------------------------------------------------------------------------------------------------


def _zsh(words: Sequence[Words]) -> Iterator[str]:
    firsts = _first_words(words)
    yield '#compdef pclgen\n# Completion of pclgen for zsh: pclgen completion zsh > "${fpath[1]}/_pclgen"'
    yield "_pclgen() {"
    yield '    local command="${words[2]}"'
    yield f"    if ((CURRENT == 2)); then compadd -- {' '.join([*firsts, '--help', '--version'])}; return; fi"
    for first, seconds in firsts.items():
        if seconds:
            yield f"    if [[ $command == {first} ]]; then"
            yield f"        if ((CURRENT == 3)); then compadd -- {' '.join(seconds)}; return; fi"
            yield f'        command="{first} ${{words[3]}}"; shift words; ((CURRENT--))'
            yield "    fi"
    yield "    shift words; ((CURRENT--))"
    yield '    case "$command" in'
    for command in words:
        yield f'        "{command.command}")'
        yield "            _arguments -s \\"
        for option in command.options:
            for name in option.names:
                value = "" if option.values is None else f":value:{_zsh_values(option.values)}"
                yield f"                {_quoted(f'*{name}[{_zsh_text(option.about)}]{value}')} \\"
        yield f"                {_quoted(f'*:argument:{_zsh_values(command.operands)}')} ;;"
    yield "    esac\n}"
    yield 'if [[ ${funcstack[1]} == _pclgen ]]; then _pclgen "$@"; else compdef _pclgen pclgen; fi'


def _zsh_values(values: Values) -> str:
    match values:
        case Places.FILES:
            return "_files"
        case Places.FOLDERS:
            return "_files -/"
        case Places():
            return " "
        case _:
            return f"({' '.join(values)})"


def _zsh_text(text: str) -> str:
    """Return a description inside of brackets."""
    return _plain(text).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


# -- fish ----------------------------------------------------------------------------------------------------------------

_FISH_HEAD = """\
# Completion of pclgen for fish: pclgen completion fish > ~/.config/fish/completions/pclgen.fish
function __pclgen_is
    set -l words (commandline -opc)
    set -l count (count $argv)
    test (count $words) -gt $count; and test "$words[2..$(math $count + 1)]" = "$argv"
end
complete -c pclgen -f"""


def _fish(words: Sequence[Words]) -> Iterator[str]:
    yield _FISH_HEAD
    for first, seconds in _first_words(words).items():
        yield f"complete -c pclgen -n '__fish_use_subcommand' -a {first}"
        if seconds:
            alone = f"__pclgen_is {first}; and test (count (commandline -opc)) -eq 2"
            yield f"complete -c pclgen -n '{alone}' -a '{' '.join(seconds)}'"
    for command in words:
        start = f"complete -c pclgen -n '__pclgen_is {command.command}'"
        if command.operands is not Places.NONE:
            yield f"{start} {_fish_values(command.operands)}"
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = "" if option.values is None else f" {_fish_value(option.values)}".rstrip()
            yield f"{start} {names}{value} -d {_quoted(_plain(option.about))}"


def _fish_value(values: Values) -> str:
    """Return the value of an option without files, which fish offers by default."""
    return f"{'-r' if values is Places.FILES else '-x'} {_fish_values(values)}"


def _fish_values(values: Values) -> str:
    match values:
        case Places.FILES:
            return "-F"
        case Places.FOLDERS:
            return "-a '(__fish_complete_directories)'"
        case Places():
            return ""
        case _:
            return f"-a '{' '.join(values)}'"


def _plain(text: str) -> str:
    """Return a description as one line without quotes, valid in every shell."""
    return " ".join(text.replace("%%", "%").replace("'", "").replace("`", "").split())


def _quoted(text: str) -> str:
    """Return a text without `'` in single quotes."""
    return f"'{text}'"
