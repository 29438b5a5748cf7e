"""Shared functions of commands: find and read programs, count, and compute the exit status."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.formats import OutputFormat
from pclgen.diagnostics.model import Diagnostic, has_errors
from pclgen.languages import TITLES
from pclgen.source.load import STDIN, LoadedProgram, load_program

if TYPE_CHECKING:
    from pclgen.build.model import ChangedFile

PATH_HELP = "a program (directory), one .pp file, - (standard input), or a folder with programs below it"


def programs_below(paths: Sequence[str]) -> tuple[str, ...]:
    """Return `paths` with each directory that is not a program replaced by the programs below it, as `pclgen build` finds
    them.

    Raises `LoadError`.
    """
    programs: list[str] = []
    for path in paths:
        below: Sequence[str] = ()
        if path != STDIN and Path(path).is_dir():
            from pclgen.build.programs import find_programs

            below = [str(program.path) for program in find_programs(Path(path), ["."]).present]
        programs += below or [path]
    return tuple(programs)


def load_programs(paths: Sequence[str], console: Console, args: argparse.Namespace) -> tuple[LoadedProgram, ...]:
    """Return the programs at `paths`, in order, read as `args` say. Raises `LoadError`, and `UsageError` for a second
    `-`."""
    if paths.count(STDIN) > 1:
        raise UsageError("standard input (`-`) can be read only once")
    is_yaml = getattr(args, "source", "pcl") == "yaml"
    return tuple(
        load_program(path, stdin=console.stdin, stdin_yaml=is_yaml, allow_outside=args.allow_outside) for path in paths
    )


def jobs_of(args: argparse.Namespace) -> int | None:
    """Return `--jobs`, or None. Raises `UsageError` for a number below 1."""
    jobs: int | None = args.jobs
    if jobs is not None and jobs < 1:
        raise UsageError(f"`--jobs {jobs}`: there must be one at least", "leave it out for one on each core")
    return jobs


def print_changes(changes: Iterable[ChangedFile], console: Console, output_format: OutputFormat) -> None:
    """List the changes that writing would make, or show diffs.

    If standard output is for another tool, the list goes to standard error, so that people see why a check fails.
    """
    for change in changes:
        if output_format != "text":
            console.say(f"{change.path.as_posix()} is not up to date")
        elif change.text:
            console.print(change.text)
        else:
            console.print_line(change.path.as_posix())


def failed(diagnostics: Iterable[Diagnostic]) -> int:
    """Return the exit status: 1 if there is an error among `diagnostics`, else 0."""
    return int(has_errors(diagnostics))


def count(number: int, noun: str) -> str:
    """Return a count with its noun, such as `1 file` or `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def split_languages(program: str, written: Sequence[str], refused: Sequence[str]) -> str:
    """Return the sentence about a program that only some languages can express."""
    titles = [" and ".join(TITLES[language] for language in languages) for languages in (written, refused)]
    return f"{program}: written in {titles[0]}, not in {titles[1]}"
