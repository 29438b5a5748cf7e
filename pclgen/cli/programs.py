"""What several commands do with programs: find and read them all, count, and turn diagnostics into a status."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.formats import OutputFormat
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.languages import TITLES
from pclgen.source.load import STDIN, LoadedProgram, load_program

if TYPE_CHECKING:
    from pclgen.build.model import ChangedFile

PATH_HELP = "a program (directory), one .pp file, - (standard input), or a folder with programs below it"


def programs_below(paths: Sequence[str]) -> tuple[str, ...]:
    """`paths`, and in the place of each directory that is no program itself the programs below it, as `pclgen build` finds
    them.  Raises `LoadError`."""
    found: list[str] = []
    for path in paths:
        below: Sequence[str] = ()
        if path != STDIN and Path(path).is_dir():
            from pclgen.build.programs import find_programs

            below = [str(one.path) for one in find_programs(Path(path), ["."]).present]
        found += below or [path]
    return tuple(found)


def load_programs(paths: Sequence[str], console: Console, args: argparse.Namespace) -> tuple[LoadedProgram, ...]:
    """The programs at `paths`, in that order, read as `args` say.  Raises `LoadError`, and `UsageError` for a second `-`."""
    if paths.count(STDIN) > 1:
        raise UsageError("standard input (`-`) can be read only once")
    is_yaml = getattr(args, "source", "pcl") == "yaml"
    return tuple(
        load_program(path, stdin=console.stdin, stdin_yaml=is_yaml, allow_outside=args.allow_outside) for path in paths
    )


def jobs_of(args: argparse.Namespace) -> int | None:
    """`--jobs`, if it was given.  Raises `UsageError` for a number of which nothing comes."""
    jobs: int | None = args.jobs
    if jobs is not None and jobs < 1:
        raise UsageError(f"`--jobs {jobs}`: there must be one at least", "leave it out for one on each core")
    return jobs


def print_changes(changes: Iterable[ChangedFile], console: Console, output_format: OutputFormat) -> None:
    """List what writing would change, or show how.  Where standard output is for another tool, people read a list on
    standard error: else a check would fail and nobody could see why."""
    for change in changes:
        if output_format != "text":
            console.say(f"{change.path.as_posix()} is not up to date")
        elif change.text:
            console.print(change.text)
        else:
            console.print_line(change.path.as_posix())


def failed(diagnostics: Iterable[Diagnostic]) -> int:
    """Exit status: 1 when there is an error among `diagnostics`, else 0."""
    return int(any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics))


def count(number: int, noun: str) -> str:
    """For example `1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def split_languages(program: str, written: Sequence[str], refused: Sequence[str]) -> str:
    """The sentence about a program of which some languages are written, and others cannot express it."""
    titles = [" and ".join(TITLES[language] for language in languages) for languages in (written, refused)]
    return f"{program}: written in {titles[0]}, not in {titles[1]}"
