"""Command-line parsing that helps: shared options, checked values, did-you-mean.

Comes in: argument lists.  Goes out: `argparse.Namespace` values, or `UsageError`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Never

from pclgen.cli.console import COLOR_MODES, UsageError
from pclgen.cli.stores import add_source_options, add_verbose_option
from pclgen.diagnostics.formats import OUTPUT_FORMATS

LANGUAGES = ("python", "typescript", "go")
"""The languages of `--language`, in the order in which `all` generates them."""

_OTHER_NAMES = {
    "py": "python",
    "python3": "python",
    "ts": "typescript",
    "node": "typescript",
    "nodejs": "typescript",
    "javascript": "typescript",
    "js": "typescript",
    "golang": "go",
}


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` that raises `UsageError` instead of leaving, and knows what an unknown option may mean."""

    def __init__(self, command: str, *, usage: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"pclgen {command}",
            usage=f"pclgen {command} {usage}",
            description=description,
            epilog=examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self._known: list[str] = []

    def option(self, *names: str, metavar: str | None = None, about: str, **settings: object) -> None:
        """Add an option; `settings` are those of `add_argument`."""
        self._known += [name for name in names if name.startswith("--")]
        if metavar is not None:
            settings["metavar"] = metavar
        self.add_argument(*names, help=about, **settings)  # type: ignore[arg-type]  # argparse's own keywords, passed on

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parse `argv`; options and paths may stand in any order.  Raises `UsageError`."""
        args, unknown = self.parse_known_intermixed_args(list(argv))
        if not unknown:
            return args
        first = unknown[0]
        raise UsageError(f"unexpected argument `{first}`", self._hint(first))

    def error(self, message: str) -> Never:
        """Called by argparse for a missing or unfit argument.  Raises `UsageError`."""
        raise UsageError(message, f"see `{self.prog} --help`")

    def _hint(self, argument: str) -> str:
        if argument.startswith("-"):
            from pclgen.diagnostics.suggest import suggest

            similar = suggest(argument.partition("=")[0], [*self._known, "--help"])
            if similar is not None:
                return f"did you mean `{similar}`?"
        return f"see `{self.prog} --help`"


def add_checking_options(parser: Parser) -> None:
    """The options of every command that checks a program."""
    add_source_options(parser)
    add_verbose_option(parser)
    parser.option(
        "--lenient",
        about="turn mistakes that a deployment might survive (unknown packages, inputs that do not fit) into warnings",
        action="store_true",
    )


def add_reporting_options(parser: Parser) -> None:
    """How diagnostics are printed."""
    parser.option(
        "--output-format",
        about="how to print diagnostics: text (default, on standard error), json, github, sarif (on standard output)",
        choices=OUTPUT_FORMATS,
        default="text",
    )
    add_color_option(parser)


def add_color_option(parser: Parser) -> None:
    """`--color`, for commands with their own output."""
    parser.option(
        "--color",
        about="auto (default: on a terminal, unless NO_COLOR is set), always, never",
        choices=COLOR_MODES,
        default="auto",
    )


def chosen_languages(values: Sequence[str]) -> tuple[str, ...]:
    """The languages that `--language` values name (comma lists, `all`); all of them for none.  Raises `UsageError`."""
    names = [name.strip().lower() for value in values for name in value.split(",") if name.strip()]
    chosen: set[str] = set()
    for name in names or ["all"]:
        if name == "all":
            chosen.update(LANGUAGES)
        elif name in LANGUAGES:
            chosen.add(name)
        else:
            raise _unknown_language(name)
    return tuple(language for language in LANGUAGES if language in chosen)


def _unknown_language(name: str) -> UsageError:
    from pclgen.diagnostics.suggest import suggest

    similar = _OTHER_NAMES.get(name) or suggest(name, LANGUAGES)
    hint = f"did you mean `{similar}`?" if similar else f"there are {', '.join(LANGUAGES)} and all"
    return UsageError(f"unknown language `{name}`", hint)
