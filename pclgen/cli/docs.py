"""`pclgen docs`: write or check the tabs of examples in Markdown files and package schemas."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pclgen.cli.arguments import (
    Parser,
    add_color_option,
    add_outcome_options,
    add_reporting_options,
    add_scheduler_option,
    cluster_of,
    run_group,
)
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import count, failed, jobs_of
from pclgen.cli.stores import Stores, add_source_options
from pclgen.source.load import LoadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pclgen.diagnostics.model import Diagnostic
    from pclgen.docs.files import Spool
    from pclgen.docs.work import DocsFile
    from pclgen.schema.discovery import Settings

EXAMPLES = """\
examples:
  pclgen docs build docs                      write the tabs of all snippets in the Markdown files below `docs`
  pclgen docs build schema.json               write the tabs in the descriptions of a package schema
  pclgen docs build docs --out site           write copies, and keep the files unchanged
  pclgen docs coverage schema.json --html coverage.html    count the snippets that compile and run, with reasons
  pclgen docs coverage docs --baseline docs.json           fail only if a snippet was better before
  pclgen docs check docs schema.json          fail if a tab is missing or stale, or a snippet or marker is broken

A snippet is a fence `pcl`, or `yaml` with a program in Pulumi YAML. It shares a region with its tabs:
<!--Start PulumiCodeChooser --> to <!--End PulumiCodeChooser -->, {{< chooser language "..." >}}, or {{% example %}}.
`build` encloses a snippet without a region in the first of these. `docs.toml` chooses the tabs and has fixtures.

`pclgen docs COMMAND --help` describes each command.
exit status: 0 success, 1 broken snippets or markers, missing or stale tabs, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Run the subcommand at the start of `argv`."""
    about = "Translate the examples of Markdown files and package schemas to every language."
    return run_group("docs", COMMANDS, argv, console, description=about, examples=EXAMPLES)


def _parser(name: str, usage: str, description: str, *, formats: Sequence[str] = ()) -> Parser:
    parser = Parser(f"docs {name}", usage=usage, description=description, examples="")
    parser.operand("paths", metavar="PATH", nargs="+", about="Markdown files, package schemas (JSON), folders of both")
    parser.option(
        "--languages",
        metavar="LIST",
        about="the tabs in their order (overrides `languages` in docs.toml) (default: typescript,python,go,yaml,pcl)",
    )
    parser.option("--jobs", "-j", metavar="N", about="number of processes (default: one per core)", type=int)
    add_scheduler_option(parser)
    about = "convert snippets with errors as far as possible; the errors become warnings"
    parser.option("--lenient", about=about, action="store_true")
    add_source_options(parser)
    if formats:
        parser.option("--quiet", "-q", about="do not tell the steps", action="store_true")
        parser.option("--output-format", about=f"{' or '.join(formats)} (default: text)", choices=formats, default="text")
        add_color_option(parser)
        return parser
    add_outcome_options(parser)
    add_reporting_options(parser)
    return parser


_SNIPPETS = "snippets are fences of `pcl`, and of `yaml` with a program in Pulumi YAML"


def _settings(args: argparse.Namespace, console: Console) -> Settings:
    """Return the schema settings of the command line; schemas with snippets are included. Raises `UsageError`."""
    from pclgen.docs.files import schema_places

    settings = Stores(args, console).settings()
    return replace(settings, schemas=(*(place.absolute() for place in settings.schemas), *schema_places(args.paths)))


def _converted(args: argparse.Namespace, console: Console) -> Iterator[DocsFile]:
    """Yield all named files with converted snippets, one after the other. Raises `LoadError` and `UsageError`."""
    from pclgen.build.model import BuildContext
    from pclgen.docs.files import HINT
    from pclgen.docs.settings import languages_of
    from pclgen.docs.work import DocsRequest, convert_docs

    context = BuildContext(
        root=Path(),
        settings=_settings(args, console),
        environment={name: value for name, value in console.environ.items() if name.startswith(("PCLGEN_", "PATH", "HOME"))},
    )
    languages = languages_of(args.languages.split(","), "`--languages`") if args.languages else None
    paths = tuple(args.paths)
    with cluster_of(args.scheduler) as cluster:
        jobs = jobs_of(args) or (cluster.workers if cluster is not None else None)
        request = DocsRequest(paths=paths, context=context, languages=languages, jobs=jobs, lenient=args.lenient)
        files = convert_docs(request, executor=cluster)
        first = next(files, None)
        if first is None:
            listed = ", ".join(f"`{path}`" for path in paths)
            raise LoadError(f"there is no Markdown file and no package schema below {listed}", HINT)
        yield from chain((first,), files)


def _build(argv: Sequence[str], console: Console) -> int:
    from pclgen.docs.files import Spool

    about = "Write the tabs of all snippets: all files, or none if there is an error."
    parser = _parser("build", "PATH... [options]", about)
    about = "write the files to this folder instead of in place"
    parser.option("--out", "-o", metavar="DIR", about=about, type=Path)
    about = "write the tabs of correct snippets even if others fail"
    parser.option("--keep-going", "-k", about=about, action="store_true")
    args = parser.parse(argv)
    with Spool.opened() as texts:
        return _built(args, replace(console, color=args.color), texts)


def _built(args: argparse.Namespace, console: Console, texts: Spool) -> int:
    from pclgen.docs.work import lost, mistakes, rewritten
    from pclgen.emit.write import write_files

    errors: list[Diagnostic] = []
    unread: list[str] = []
    files = snippets = 0
    is_broken = False
    for file in _converted(args, console):
        files, snippets = files + 1, snippets + len(file.entries)
        errors += mistakes(file)
        unread += lost(file)
        is_broken = is_broken or bool(file.diagnostics)
        text = file.file.text if file.diagnostics else rewritten(file)
        if args.out is not None or text != file.file.text:
            texts.add(file.file.path, text.encode("utf-8"))
    console.report(errors, args.output_format)
    for sentence in unread:
        console.complain(sentence, None)
    if (errors or unread) and (is_broken or not args.keep_going):
        if args.output_format == "text" and not args.quiet:
            console.say("nothing was written")
        return 1
    if args.out is None:
        write_files(texts)
    changed = len(texts) if args.out is None else _write_out(texts, args.paths, args.out)
    if args.output_format == "text" and not args.quiet:
        summary = f"{changed} changed" if snippets else _SNIPPETS
        console.say(f"{count(snippets, 'snippet')} in {count(files, 'file')}: {summary}")
    return int(bool(failed(errors) or unread))


def _write_out(texts: Mapping[Path, bytes], paths: Sequence[str], out: Path) -> int:
    """Write all files below `out` at their paths below the named folders; return the number of changes.

    Raises `UsageError` for two files with one name.
    """
    from pathlib import PurePosixPath

    from pclgen.emit.write import Output, write_outputs

    files: dict[PurePosixPath, str] = {}
    for path, data in texts.items():
        tops = [Path(name) for name in paths if Path(name).is_dir() and path.is_relative_to(name)]
        place = PurePosixPath(path.relative_to(tops[0]).as_posix() if tops else path.name)
        if place in files:
            raise UsageError(f"two files would be `{out / place}`", "build them one after the other")
        files[place] = data.decode("utf-8")
    return sum(len(written.changed) for written in write_outputs([Output(folder=out, files=files)]))


def _check(argv: Sequence[str], console: Console) -> int:
    from pclgen.docs.work import lost, mistakes, problems

    about = "Report missing and stale tabs, and broken snippets and markers."
    parser = _parser("check", "PATH... [options]", about)
    args, console = parser.begin(argv, console)
    wrong: list[Diagnostic] = []
    stale: list[Diagnostic] = []
    unread: list[str] = []
    files = snippets = 0
    for file in _converted(args, console):
        files, snippets = files + 1, snippets + len(file.entries)
        wrong += mistakes(file)
        stale += problems(file)
        unread += lost(file)
    diagnostics = (*wrong, *stale)
    console.report(diagnostics, args.output_format)
    for sentence in unread:
        console.complain(sentence, None)
    if args.output_format == "text" and not args.quiet:
        fine = "no problems" if snippets else _SNIPPETS
        summary = count(len(diagnostics) + len(unread), "problem") if diagnostics or unread else fine
        console.say(f"checked {count(snippets, 'snippet')}, {count(files, 'file')}: {summary}")
    return int(bool(failed(diagnostics) or unread))


def _coverage(argv: Sequence[str], console: Console) -> int:
    from pclgen.docs import covered
    from pclgen.docs.covered import CoverageRequest, baseline_of, cover, read_baseline, regressions
    from pclgen.docs.work import mistakes
    from pclgen.emit.write import write_file
    from pclgen.schema.discovery import Shelf

    args, console = _coverage_parser().begin(argv, console)
    if args.update_baseline and args.baseline is None:
        raise UsageError("`--update-baseline` needs `--baseline FILE`")
    docs = tuple(_converted(args, console))
    if not any(file.entries for file in docs):
        raise LoadError(f"there is no snippet in {count(len(docs), 'file')}", _SNIPPETS)
    tell: Callable[[str], None] = (lambda _: None) if args.quiet else (lambda text: console.say(f"{text} ..."))
    shelf = Shelf(_settings(args, console), console.environ)
    jobs = jobs_of(args) or os.cpu_count() or 1
    coverage_request = CoverageRequest(
        level=args.level, shelf=shelf, jobs=jobs, keep=not args.no_cache, lenient=args.lenient, tell=tell
    )
    coverage = cover(docs, coverage_request)
    if args.html is not None:
        write_file(args.html, covered.to_html(coverage).encode("utf-8"))
    if args.output_format == "json":
        console.print_exactly(covered.to_json(coverage))
    else:
        console.print(covered.to_text(coverage))
    if args.baseline is None or args.update_baseline:
        if args.baseline is not None:
            write_file(args.baseline, baseline_of(coverage).encode("utf-8"))
        shows = args.output_format == "text" and args.baseline is None
        errors = [error for file in docs for error in mistakes(file)] if shows else []
        console.report(errors, "text", stream=console.err)
        return int(args.baseline is None and any(row.is_failed for row in coverage.rows))
    worse = regressions(coverage, read_baseline(args.baseline))
    for sentence in worse:
        console.complain(sentence, None)
    return int(bool(worse))


def _coverage_parser() -> Parser:
    about = "Count the snippets that convert, format, compile and run, by package and language."
    parser = _parser("coverage", "PATH... [options]", about, formats=("text", "json"))
    levels = ("converted", "formatted", "compiled", "run")
    about = "the last level to measure: converted, formatted, compiled, run (default)"
    parser.option("--level", about=about, choices=levels, default="run")
    parser.option("--html", metavar="FILE", about="write a page with all failures: source, output, message", type=Path)
    about = "fail only if a snippet falls behind the level in this file"
    parser.option("--baseline", metavar="FILE", about=about, type=Path)
    parser.option("--update-baseline", about="rewrite the baseline", action="store_true")
    return parser


COMMANDS: Mapping[str, Callable[[Sequence[str], Console], int]] = {
    "build": _build,
    "check": _check,
    "coverage": _coverage,
}
