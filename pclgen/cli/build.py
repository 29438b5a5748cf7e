"""`pclgen build`: compile all programs of a project, with a progress bar on a terminal.

The bar is a line on standard error that disappears when the build ends. Logs, pipes and `--quiet` have none, and neither
have builds that end quickly: the drawing library is loaded only after a delay.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from pclgen.choices import OUTPUT, Action, Building, Choices, Strictness, pattern_problem
from pclgen.cli.arguments import (
    Parser,
    add_language_option,
    add_outcome_options,
    add_preview_options,
    add_reporting_options,
    add_scheduler_option,
    add_strictness_options,
    add_style_options,
    add_templates_option,
    chosen_action,
    chosen_languages,
    cluster_of,
    style_choices,
)
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import jobs_of, print_changes, split_languages
from pclgen.cli.stores import Stores, add_source_options
from pclgen.diagnostics.model import Severity
from pclgen.errors import UserError
from pclgen.source.load import without_suffix

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from pclgen.build.model import BuildContext, Summary
    from pclgen.build.run import BuildRequest


EXAMPLES = """\
examples:
  pclgen build                       all programs of pclgen.toml; without it, all below this folder
  pclgen build infra/web tools       only these: programs, or folders of them
  pclgen build -l ts,go --jobs 4     two languages, four processes
  pclgen build --check               for CI: list stale files, write nothing
  pclgen build --diff                show how files would change
  pclgen build --shard 2/5           the second of five equal parts, for CI matrices
  pclgen build --scheduler tcp://10.0.0.1:8786
                                     on a Dask cluster that has the same files in the same place
  pclgen build --watch               again whenever something changes
  pclgen build --manifest build/pclgen.json --depfile build/pclgen.d
                                     for make and ninja

A failing program does not stop the others. The build does not touch files that are up to date, and removes those of
programs that no longer exist. It neither overwrites nor removes files that pclgen did not write or that you edited.

exit status: 0 success; 1 a program failed, or --check or --diff found a change; 2 wrong use; 3 a bug in pclgen
"""

_ENVIRONMENT = ("PATH", "HOME", "USERPROFILE", "VIRTUAL_ENV", "PULUMI_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")
_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


def run(argv: Sequence[str], console: Console) -> int:
    """Build; the exit status is documented in `EXAMPLES`."""
    args, console = _parser().begin(argv, console)
    _check_lists(args)
    return _watch(args, console) if args.watch else _build(args, console)


def _watch(args: argparse.Namespace, console: Console) -> int:
    """Build repeatedly; return the status of the last build. Errors, also in the configuration, are reported and waited
    out."""
    from pclgen.build.plan import output_start
    from pclgen.build.run import Watcher, folders_beside, is_written_by_build, keep_building
    from pclgen.schema.cache import default_directory

    root, building = _configuration(args)
    start = output_start(root, building.output or OUTPUT)
    cache = Stores(args, console).settings().cache_directory or default_directory(console.environ)
    ours = [path for path in (start if start != root else None, args.manifest, args.depfile, cache) if path is not None]
    status = 0
    beside: list[Path] = []

    def look(request: BuildRequest, summary: Summary) -> None:
        beside[:] = folders_beside(request, summary)

    def once() -> list[Path]:
        nonlocal status
        try:
            status = _build(args, console, look)
        except UserError as error:
            status = 2
            console.complain(str(error), error.hint)
        console.err.flush()
        return beside

    keep_building(once, Watcher([root]), lambda path: is_written_by_build(path, ours))
    return status


def _build(
    args: argparse.Namespace,
    console: Console,
    on_summary: Callable[[BuildRequest, Summary], None] = lambda request, summary: None,
) -> int:
    from pclgen.build.model import BuildContext
    from pclgen.build.run import BuildRequest, build, folders_of

    settings = Stores(args, console).settings()
    root, building = _configuration(args)
    action = chosen_action(args)
    if args.manifest is not None and not args.force:
        from pclgen.build.report import check_places

        check_places(args.manifest, args.depfile)
    context = BuildContext(
        root=root,
        action=action,
        force=args.force,
        is_listed=args.manifest is not None,
        is_watched=args.watch,
        tells_changes=action is not Action.WRITE or args.output_format == "json",
        errors_from=Severity(args.error_on),
        settings=replace(settings, schemas=tuple(place.absolute() for place in settings.schemas)),
        environment={
            name: value for name, value in console.environ.items() if name.startswith("PCLGEN_") or name in _ENVIRONMENT
        },
    )
    request = BuildRequest(
        context=context,
        building=building,
        choices=_choices(args),
        only=tuple(_label(path, root) for path in args.paths),
        part=_part(args.shard),
        jobs=jobs_of(args),
        is_output_typed=args.out is not None,
        allow_outside=args.allow_outside,
    )
    with cluster_of(args.scheduler) as cluster, Progress(console, quiet=args.quiet) as progress:
        if cluster is not None:
            request = replace(request, jobs=args.jobs or cluster.workers)
        summary = build(request, executor=cluster, progress=progress)
    if args.manifest is not None:
        from pclgen.build.report import write_manifest

        write_manifest(summary, args.manifest, args.depfile, folders_of(request) if args.depfile is not None else ())
    on_summary(request, summary)
    _tell(summary, context, args, console)
    if summary.is_broken:
        return 3
    is_stale = summary.is_changed and (args.check or args.diff)
    return int(is_stale or any(result.status.value == "failed" for result in summary.results))


def _parser() -> Parser:
    parser = Parser(
        "build",
        usage="[PATH...] [options]",
        description="Compile all programs of the project (pclgen.toml) in all its languages.",
        examples=EXAMPLES,
    )
    parser.operand("paths", metavar="PATH", nargs="*", about="build only these programs, or those below these folders")
    add_language_option(parser)
    about = "output folder of a program in a language (default: `output` of pclgen.toml)"
    parser.option("--out", "-o", metavar="PATTERN", about=about)
    parser.option("--program-only", about="omit the project files (Pulumi.yaml, go.mod, ...)", action="store_true")
    parser.option("--no-copy-files", about="do not copy the files that programs name", action="store_true")
    add_templates_option(parser)
    add_style_options(parser)
    parser.option("--jobs", "-j", metavar="N", about="number of processes (default: one per core)", type=int)
    add_scheduler_option(parser)
    parser.option("--shard", metavar="K/N", about="build only the Kth of N equal parts", default="1/1")
    add_preview_options(parser)
    parser.option("--force", about="overwrite files that pclgen did not write", action="store_true")
    about = "build the other programs and languages when one fails: a build always does, with or without this"
    parser.option("--keep-going", "-k", about=about, action="store_true")
    parser.option("--watch", about="build again whenever something changes, until Ctrl-C", action="store_true")
    about = "write a JSON manifest of what each program read and produced"
    parser.option("--manifest", metavar="FILE", about=about, type=Path)
    parser.option("--depfile", metavar="FILE", about="write the dependencies of the manifest for make and ninja", type=Path)
    add_source_options(parser)
    add_strictness_options(parser)
    add_outcome_options(parser)
    add_reporting_options(parser)
    return parser


def _check_lists(args: argparse.Namespace) -> None:
    """Raise `UsageError` for an invalid manifest or depfile path."""
    if args.depfile is not None and args.manifest is None:
        hint = "write `--manifest build/pclgen.json`, for example: that is the target of the rule"
        raise UsageError("`--depfile` says what the manifest depends on, and there is no `--manifest`", hint)
    for option in ("check", "diff", "dry_run"):
        if args.manifest is not None and getattr(args, option):
            name = option.replace("_", "-")
            raise UsageError(f"`--manifest` describes a build, and `--{name}` builds nothing", "omit one of them")


def _configuration(args: argparse.Namespace) -> tuple[Path, Building]:
    """Return the base folder of program labels, as people write it from here, and the build configuration.

    Raises `UsageError` and `ConfigurationError`.
    """
    from pclgen.schema.config import Configuration, find_configuration

    configuration = Configuration() if args.isolated else find_configuration(Path())
    root = Path() if configuration.path is None else Path(os.path.relpath(configuration.path.parent))
    building = configuration.building
    if building.programs is None:
        building = replace(building, programs=(".",))
    if args.out is not None:
        problem = pattern_problem(args.out)
        if problem is not None:
            raise UsageError(f"`--out`: {problem[0]}", problem[1])
        building = replace(building, output=os.path.relpath(args.out, root))
    return root, building


def _choices(args: argparse.Namespace) -> Choices:
    """Return the choices of the command line, which override the configuration."""
    choices = Choices(
        languages=chosen_languages(args.language) if args.language else None,
        project_files=False if args.program_only else None,
        copy_files=False if args.no_copy_files else None,
        templates=args.templates,
        strictness=Strictness.LENIENT if args.lenient else None,
    )
    return style_choices(args).over(choices)


def _label(path: str, root: Path) -> str:
    """Return the path of a program or folder as the configuration names it. Raises `UsageError`."""
    label = without_suffix(Path(os.path.relpath(path, root)).as_posix())
    if not os.path.exists(path):
        raise UsageError(f"there is no file or directory `{path}`")
    if label.startswith("../") or label == "..":
        raise UsageError(f"`{path}` lies outside of the project `{root.resolve()}`")
    return label


def _part(text: str) -> tuple[int, int]:
    match = _SHARD.fullmatch(text)
    number, count = (int(match[1]), int(match[2])) if match is not None else (0, 0)
    if not 1 <= number <= count:
        raise UsageError(f"`--shard {text}`: there is no such part", "write K/N with K from 1 to N, as in `--shard 2/5`")
    return number, count


def _tell(summary: Summary, context: BuildContext, args: argparse.Namespace, console: Console) -> None:
    from pclgen.build.report import as_json, sentence

    is_text = args.output_format == "text"
    if context.action is not Action.WRITE and args.output_format != "json":
        print_changes((change for result in summary.results for change in result.changes), console, args.output_format)
        for folder in summary.removed:
            if is_text:
                console.print_line(f"{folder.as_posix()}/")
            else:
                console.say(f"{folder.as_posix()}/ would be removed")
    if args.output_format == "json":
        console.print_exactly(as_json(summary))
    else:
        console.report([item for result in summary.results for item in result.diagnostics], args.output_format)
    for result in summary.results if args.output_format != "json" else ():
        if result.problem is not None:
            console.complain(f"{result.label}: {result.problem.message}", result.problem.hint)
        elif result.refused and is_text and not args.quiet:
            console.say(split_languages(result.label, result.written, result.refused))
    if is_text and not args.quiet:
        for unmatched in summary.unmatched:
            console.say(f"note: `{unmatched.pattern}` in `{unmatched.setting}` names no program")
        console.say(sentence(summary, context.action))


_PATIENCE: Final = 0.5
"""Seconds before anything is shown."""
_PACE: Final = 0.1
"""Seconds between two updates."""


class Progress:
    """The progress bar; a context manager that removes it."""

    def __init__(self, console: Console, *, quiet: bool, clock: Callable[[], float] = time.monotonic) -> None:
        is_seen = console.err.isatty() and console.environ.get("TERM") != "dumb"
        self._console = console
        self._clock = clock
        self._due = clock() + _PATIENCE if is_seen and not quiet else float("inf")
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Update the bar if enough time has passed."""
        now = self._clock()
        if now < self._due:
            return
        self._due = now + _PACE
        if self._bar is None:
            self._bar = _bar(self._console)
            self._bar.add_task("compiling", total=total, completed=done)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, refresh=True)


def _bar(console: Console) -> Bar:
    from rich.console import Console as Screen
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    color = console.style(console.err).color
    screen = Screen(file=console.err, force_terminal=True, no_color=not color, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Without a thread and without redirected streams: it draws only on updates.
    return Bar(*columns, console=screen, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
