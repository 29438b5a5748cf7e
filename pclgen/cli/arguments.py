"""Command-line parsing with shared options, checked values, and suggestions."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Never

from msgspec.structs import replace

from pclgen.choices import Action, Choices, JsonText, RuntimeChecks
from pclgen.cli.console import COLOR_MODES, Console, UsageError
from pclgen.cli.stores import add_source_options, add_verbose_option
from pclgen.diagnostics.formats import OUTPUT_FORMATS
from pclgen.languages import LANGUAGE_NAMES, LANGUAGES, ROWS, TARGETS

if TYPE_CHECKING:
    from pclgen.build.cluster import Cluster


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that raises `UsageError` instead of exiting, and suggests options for unknown ones."""

    def __init__(self, command: str, *, usage: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"pclgen {command}",
            usage=f"pclgen {command} {usage}",
            description=description,
            epilog=examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            exit_on_error=False,
        )
        self._options: list[str] = []
        self._sections: dict[str, argparse._ArgumentGroup] = {}
        self._section: argparse._ArgumentGroup | None = None
        self._needed: list[argparse.Action] = []

    def operand(self, name: str, *, metavar: str, about: str, nargs: str | None = None, **settings: object) -> None:
        """Add a positional argument; `nargs` (`?`, `*`, `+`, None for one) and `settings` are those of argparse."""
        # pclgen reports missing arguments itself, since argparse names them only in a text.
        lenient = {None: "?", "+": "*"}.get(nargs, nargs)
        action = self.add_argument(name, metavar=metavar, nargs=lenient, help=about, **settings)  # type: ignore[arg-type]  # argparse's own
        if lenient != nargs:
            self._needed.append(action)

    def option(self, *names: str, metavar: str | None = None, about: str, **settings: object) -> None:
        """Add an option; `settings` are those of `add_argument`."""
        self._options += [name for name in names if name.startswith("--")]
        if metavar is not None:
            settings["metavar"] = metavar
        target = self if self._section is None else self._section
        target.add_argument(*names, help=about, **settings)  # type: ignore[arg-type]  # argparse's own keywords, passed on

    @contextmanager
    def section(self, title: str) -> Iterator[None]:
        """List the options added in this block under `title`, after the command's own options."""
        if title not in self._sections:
            self._sections[title] = self.add_argument_group(title)
        self._section = self._sections[title]
        try:
            yield
        finally:
            self._section = None

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse `argv`; options and paths may be mixed. Raises `UsageError`, and `Described` for `parser_of`."""
        if _describing.get():
            raise Described(self)
        if any(not word and not (at and argv[at - 1].startswith("-")) for at, word in enumerate(argv)):
            # Otherwise an unset shell variable would mean the current directory.
            raise UsageError("an argument is empty", self._see)
        try:
            args, unknown = self.parse_known_intermixed_args(list(argv))
        except argparse.ArgumentError as problem:  # an error that the methods below do not report
            raise UsageError(f"`{problem.argument_name}` takes no value", self._see) from None
        if unknown:
            raise UsageError(f"unexpected argument `{unknown[0]}`", self._hint(unknown[0]))
        missing = [str(action.metavar) for action in self._needed if not getattr(args, action.dest)]
        if missing:
            raise UsageError(f"`{self.prog}` needs {', '.join(missing)}", self._see)
        return args

    def begin(self, argv: Sequence[str], console: Console) -> tuple[argparse.Namespace, Console]:
        """Parse `argv` as `parse` does; also return the console with the colors of `--color`."""
        args = self.parse(argv)
        return args, replace(console, color=args.color)

    @property
    def _see(self) -> str:
        return f"see `{self.prog} --help`"

    # Overridden steps of argparse, which have structured errors; later there is only a text.

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Raise `UsageError` for a value that is not one of the choices."""
        if action.choices is not None and value not in action.choices:
            raise _unknown_choice(action, str(value))

    def _get_value(self, action: argparse.Action, arg_string: str) -> object:
        """Return the converted value. Raises `UsageError` if `type` does not accept it."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as problem:
            name = _name(action)
            if action.type not in (int, float):
                raise UsageError(f"`{name}`: {problem.message}", self._see) from None
            kind = "a whole number" if action.type is int else "a number"
            raise UsageError(f"`{name} {arg_string}`: expected {kind}", self._see) from None

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """Return the number of words of an option's value. Raises `UsageError` if it is missing."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError:
            raise UsageError(f"a value is missing after `{_name(action)}`", self._see) from None

    def error(self, message: str) -> Never:
        """Raise `UsageError`; argparse calls this instead of exiting."""
        raise UsageError(message, self._see)

    def _hint(self, argument: str) -> str:
        if argument.startswith("-"):
            from pclgen.diagnostics.suggest import suggest

            name = argument.partition("=")[0]
            similar = suggest(name, [*self._options, "--help"]) or self._ending(name.lstrip("-"))
            if similar is not None:
                return f"did you mean `{similar}`?"
        return self._see

    def _ending(self, word: str) -> str | None:
        """Return the only option whose last word is `word`: `--output-format` for `--format`."""
        matches = [name for name in self._options if name.endswith(f"-{word}")]
        return matches[0] if word and len(matches) == 1 else None


class Described(Exception):  # noqa: N818 - it is no error
    """Carries the parser of a command to `parser_of` instead of running it."""

    def __init__(self, parser: Parser) -> None:
        super().__init__(parser.prog)
        self.parser = parser


_describing: ContextVar[bool] = ContextVar("describing", default=False)


def parser_of(run: Callable[[Sequence[str], Console], int], argv: Sequence[str], console: Console) -> Parser:
    """Return the parser of a command: the first parser that it uses."""
    token = _describing.set(True)
    try:
        run(argv, console)
    except Described as described:
        return described.parser
    finally:
        _describing.reset(token)
    raise AssertionError(f"{' '.join(argv)} runs before it parses its arguments")


def _name(action: argparse.Action) -> str:
    """Return an argument's name for messages: its first option, or the word for its value."""
    return action.option_strings[0] if action.option_strings else str(action.metavar)


def _unknown_choice(action: argparse.Action, value: str) -> UsageError:
    from pclgen.diagnostics.suggest import suggest

    choices = [str(choice) for choice in action.choices or ()]
    similar = suggest(value, choices)
    if similar is None:
        hint = f"there are {', '.join(choices)}"
    else:
        hint = f"did you mean `{' '.join([*action.option_strings[:1], similar])}`?"
    return UsageError(f"`{_name(action)}` cannot be `{value}`", hint)


def add_checking_options(parser: Parser) -> None:
    """Add the options of every command that checks a program."""
    add_source_options(parser)
    add_verbose_option(parser)
    parser.option(
        "--from",
        about="what `-` holds: pcl (default) or yaml (Pulumi YAML)",
        dest="source",
        choices=("pcl", "yaml"),
        default="pcl",
    )
    add_strictness_options(parser)


def add_strictness_options(parser: Parser) -> None:
    """Add the options that make checks stricter or more lenient."""
    parser.option(
        "--lenient",
        about="turn errors that a deployment might survive (unknown packages, unfit inputs) into warnings",
        action="store_true",
    )
    parser.option(
        "--allow-outside",
        about="allow files and output outside of the program's repository (the nearest .git or pclgen.toml)",
        action="store_true",
    )


def run_group(
    group: str,
    commands: Mapping[str, Callable[[Sequence[str], Console], int]],
    argv: Sequence[str],
    console: Console,
    *,
    description: str,
    examples: str,
) -> int:
    """Run the subcommand at the start of `argv`, as in `pclgen schema add`. Raises `UsageError`."""
    if not argv or argv[0] in ("--help", "-h"):
        parser = Parser(group, usage=f"{{{','.join(commands)}}} ...", description=description, examples=examples)
        console.print(parser.format_help())
        return 0 if argv else 2
    command = commands.get(argv[0])
    if command is None:
        from pclgen.diagnostics.suggest import alternatives

        hint = alternatives(argv[0], list(commands))
        raise UsageError(f"there is no command `{group} {argv[0]}`", hint)
    return command(argv[1:], console)


def add_templates_option(parser: Parser) -> None:
    """Add `--templates`."""
    about = "your own templates, which replace those of pclgen file by file"
    parser.option("--templates", metavar="DIR", about=about, type=Path)


def add_style_options(parser: Parser) -> None:
    """Add `--runtime-checks` and `--canonical-json`."""
    about = "blame: check values of any type where they are used, and say where they came from; none (default)"
    parser.option("--runtime-checks", about=about, choices=tuple(choice.value for choice in RuntimeChecks))
    about = "write the text of toJSON with the same bytes in every language"
    parser.option("--canonical-json", about=about, action="store_true")


def style_choices(args: argparse.Namespace) -> Choices:
    """Return the choices of style on the command line."""
    return Choices(
        runtime_checks=None if args.runtime_checks is None else RuntimeChecks(args.runtime_checks),
        json=JsonText.CANONICAL if args.canonical_json else None,
    )


def add_preview_options(parser: Parser) -> None:
    """Add options that only show changes; `chosen_action` reads them."""
    parser.option("--check", about="write nothing; list the changes; exit with 1 if there are any", action="store_true")
    parser.option("--diff", about="write nothing; show the changes; exit with 1 if there are any", action="store_true")
    parser.option("--dry-run", about="write nothing; list the changes", action="store_true")


def chosen_action(args: argparse.Namespace) -> Action:
    """Return the action that the options of `add_preview_options` select."""
    return Action.DIFF if args.diff else Action.COMPARE if args.check or args.dry_run else Action.WRITE


def add_outcome_options(parser: Parser) -> None:
    """Add options for the amount of output and the failure threshold."""
    with parser.section("diagnostics"):
        parser.option("--quiet", "-q", about="print only diagnostics", action="store_true")
        parser.option(
            "--error-on",
            about="fail on errors (default), or on warnings, too",
            choices=("error", "warning"),
            default="error",
        )


def add_reporting_options(parser: Parser) -> None:
    """Add options for the format of diagnostics."""
    with parser.section("diagnostics"):
        parser.option(
            "--output-format",
            about="text (default, on standard error), json, github, sarif (on standard output)",
            choices=OUTPUT_FORMATS,
            default="text",
        )
    add_color_option(parser)


def add_quiet_option(parser: Parser) -> None:
    """Add `--quiet`, for commands that report progress on standard error."""
    parser.option("--quiet", "-q", about="print only errors", action="store_true")


def add_color_option(parser: Parser) -> None:
    """Add `--color`, for commands with their own output."""
    with parser.section("diagnostics"):
        parser.option(
            "--color",
            about="auto (default: on a terminal unless NO_COLOR is set), always, never",
            choices=COLOR_MODES,
            default="auto",
        )


def add_language_option(parser: Parser, *names: str) -> None:
    """Add `--language`, optionally with other `names`; `chosen_languages` reads its values."""
    listed = ", ".join(f"{row.name} ({row.short})" if row.short else row.name for row in ROWS)
    partial = [name for name in TARGETS if name not in LANGUAGES]
    parser.option(
        *names,
        "--language",
        "-l",
        metavar="LANGUAGE",
        about=f"{listed}, or all (default: all but {' and '.join(partial)}); repeatable, or a comma list",
        action="append",
        default=[],
    )


def chosen_languages(values: Sequence[str]) -> tuple[str, ...]:
    """Return the languages in `--language` values (comma lists); `all`, or none, are all but Pulumi YAML. Raises
    `UsageError`."""
    names = [name.strip().lower() for value in values for name in value.split(",") if name.strip()]
    chosen: set[str] = set()
    for name in names or ["all"]:
        if name == "all":
            chosen.update(LANGUAGES)
        elif name in LANGUAGE_NAMES:
            chosen.add(LANGUAGE_NAMES[name])
        else:
            from pclgen.diagnostics.suggest import suggestion

            hint = suggestion(name, TARGETS, f"there are {', '.join(TARGETS)} and all")
            raise UsageError(f"unknown language `{name}`", hint)
    return tuple(language for language in TARGETS if language in chosen)


_MANY: Mapping[str, object] = {"action": "append", "default": []}


def add_run_options(parser: Parser) -> None:
    """Add options for the configuration, names of the deployment, and answers of providers."""
    parser.option("--config", metavar="KEY=VALUE", about="a configuration value; repeatable", **_MANY)
    parser.option("--config-secret", metavar="KEY=VALUE", about="a secret configuration value; repeatable", **_MANY)
    parser.option(
        "--config-file", metavar="FILE", about="the configuration of a stack (Pulumi.<stack>.yaml)", type=Path
    )
    parser.option("--stack", metavar="NAME", about="name of the stack (default: dev)", default="dev")
    parser.option("--organization", metavar="NAME", about="name of the organization", default="organization")
    parser.option("--replay", metavar="FILE", about="JSON file with provider answers", type=Path)


def key_values(values: Sequence[str], option: str) -> Mapping[str, str]:
    """Return the `key=value` arguments of `option`; the last value of a key counts.  Raises `UsageError`."""
    pairs: dict[str, str] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise UsageError(f"expected KEY=VALUE after {option}, found `{value}`", f"write {option} region=eu-west-1")
        pairs[key] = text
    return pairs


def add_scheduler_option(parser: Parser) -> None:
    """Add `--scheduler ADDRESS`."""
    parser.option("--scheduler", metavar="ADDRESS", about="compile on the Dask cluster of this scheduler (pclgen[dask])")


@contextmanager
def cluster_of(address: str | None) -> Iterator[Cluster | None]:
    """Provide the cluster at `address`, or None without an address.  Raises `NoClusterError`."""
    if address is None:
        yield None
        return
    from pclgen.build.cluster import connected

    with connected(address) as cluster:
        yield cluster
