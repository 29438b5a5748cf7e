"""`pclgen generate`: generate projects from programs.

A run writes all files or none: an error in a program stops the run, as does a file that would be lost. With `--keep-going`,
programs with errors and languages that cannot express a program are skipped.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pclgen.choices import OUTPUT, Action, pattern_problem
from pclgen.cli.arguments import (
    Parser,
    add_checking_options,
    add_language_option,
    add_outcome_options,
    add_preview_options,
    add_reporting_options,
    add_style_options,
    add_templates_option,
    chosen_action,
    chosen_languages,
    style_choices,
)
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import (
    PATH_HELP,
    count,
    failed,
    jobs_of,
    load_programs,
    print_changes,
    programs_below,
    split_languages,
)
from pclgen.cli.stores import Stores
from pclgen.diagnostics.model import Diagnostic, Severity, has_raised, with_levels
from pclgen.emit.write import Output, Written, places_of, write_outputs
from pclgen.forks import cores
from pclgen.source.load import STDIN, LoadedProgram, without_suffix

if TYPE_CHECKING:
    from pclgen.build.model import ChangedFile
    from pclgen.results import GenerateResult

DEFAULT_PATTERN = "build/{program}/{language}"
STDOUT = "-"
_FEW = 12
"""Maximum number of folders with a line each."""

EXAMPLES = """\
examples:
  pclgen generate web                                  all languages, to build/web/python, build/web/go, ...
  pclgen generate . --out 'out/{path}/{language}'      all programs below this folder
  pclgen generate . --keep-going                       skip programs with errors, and languages that cannot
                                                       express a program
  pclgen generate web --diff                           show what would change, write nothing
  pclgen generate web --language python --out out      Python only, to `out`
  pclgen generate web api --language python,go         two programs, two languages
  pclgen generate web --out 'dist/{language}/{program}'
  cat main.pp | pclgen generate - --language go --out -

In PATTERN, {program} is the name of the directory (of `web/main.pp`: main; of `-`: stdin), {path} is the way to it
from here, and {language} is python, typescript or go.  A second run replaces the files of the first.  Files that
pclgen did not write, or that were edited since, are never overwritten without --force: `.pclgen.json` in each folder
knows which they are.  `--out -` prints the program to standard output, without project files.  Files that the program
names, as in readFile("./policy.json"), are copied beside it, at the same place.

exit status: 0 written, 1 errors in a program (nothing is written; with --keep-going, the other programs and languages are),
or --check or --diff found a change, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Generate all programs in `argv`; status 1, and no files (or none of the program), if a program has an error."""
    args, console = _parser().begin(argv, console)
    if args.request is not None:
        return _answer(args, console)
    if args.dump_after is not None:
        from pclgen.cli.show import dump

        return dump(args, console)
    if not args.paths:
        raise UsageError("there is no program to generate", "name a directory, as in `pclgen generate .`")
    stores = Stores(args, console)
    languages = chosen_languages(args.language)
    # One job per language, also with fewer cores than languages: all languages then finish together.
    jobs = jobs_of(args) or (len(languages) if cores() > 1 else 1)
    if args.out is not None:
        _check_pattern(args.out)
    paths = programs_below(args.paths)
    programs = load_programs(paths, console, args)
    to_stdout = args.out == STDOUT
    if to_stdout and args.source_map:
        raise UsageError("`--source-map` writes files, and `--out -` prints one", "name a folder after `--out`")
    if to_stdout:
        _check_stdout(programs, languages, args.output_format)
    folders = [] if to_stdout else _folders(programs, paths, languages, args)
    from pclgen import pipeline

    outcomes: list[GenerateResult] = []
    outputs: list[Output] = []
    diagnostics: list[Diagnostic] = []
    partial: list[str] = []
    with _uncollected() if len(programs) == 1 else nullcontext():
        for at, program in enumerate(programs):
            choices = stores.choices(program)
            outcome = pipeline.generate(
                program,
                languages=languages,
                store=stores.of(program),
                lenient=stores.lenient(program),
                program_only=args.program_only or to_stdout or choices.project_files is False,
                copy_files=not (args.no_copy_files or to_stdout or choices.copy_files is False),
                overlay=stores.overlay(args.templates or choices.templates),
                keep_going=args.keep_going,
                style=replace(style_choices(args).over(choices).style, inline_helpers=to_stdout),
                source_maps=args.source_map,
                jobs=jobs,
            )
            outcomes.append(outcome)
            shown = with_levels(outcome.diagnostics, choices.levels, errors_from=Severity(args.error_on))
            diagnostics += shown
            if folders and not has_raised(outcome.diagnostics, shown):
                outputs += _outputs(outcome, folders[at], program)
                refused = [language for language in languages if language not in outcome.files]
                partial += [split_languages(program.name, list(outcome.files), refused)] if outcome.files and refused else []
    status = failed(diagnostics)
    # Write before the report: a machine-readable report must be the only output.
    text = _only_file(outcomes[0].files[languages[0]]) if to_stdout and not status else None
    written, changes = _write(outputs, args) if args.keep_going or not status else ((), ())
    stores.tell()
    console.report(diagnostics, args.output_format)
    print_changes(changes, console, args.output_format)
    if args.output_format == "text":
        for line in () if args.quiet else (*_summary(written), *partial):
            console.say(line)
    if text is not None:
        console.print_exactly(text)
    return status or int(bool(changes) and not args.dry_run)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Do not look for cycles while the only program of a run is compiled, nor right afterwards, when the process ends."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()  # both together: all objects count as old
        if collecting:
            gc.enable()


def _answer(args: argparse.Namespace, console: Console) -> int:
    """Answer the request of `--request`. Raises `UsageError`, `RequestError` and `LoadError`."""
    from pclgen.build.serve import Server, read_request
    from pclgen.source.load import read_file

    if args.paths:
        raise UsageError("`--request` names the program itself", "omit the paths")
    if args.request == STDIN and console.stdin is None:
        raise UsageError("standard input is not available here")
    data = console.stdin.read() if args.request == STDIN and console.stdin else read_file(Path(args.request)).data
    request = read_request(data)
    server = Server(Stores(args, console).settings(), console.environ)
    answer = server.answer(request)
    server.tidy()
    console.print_exactly(json.dumps(answer) + "\n")
    return int(not answer["ok"])


def _write(outputs: Sequence[Output], args: argparse.Namespace) -> tuple[Sequence[Written], Sequence[ChangedFile]]:
    """Write all outputs, or only compare; return the written files and the pending changes. Raises `WriteError`."""
    action = chosen_action(args)
    if action is Action.WRITE:
        return write_outputs(outputs, force=args.force), ()
    from pclgen.build.compile import foreseen

    return (), foreseen(action, outputs, force=args.force)


def _parser() -> Parser:
    parser = Parser(
        "generate",
        usage="PATH... [--language LANGUAGE] [--out PATTERN] [options]",
        description="Check programs and compile each to projects that are ready to deploy.",
        examples=EXAMPLES,
    )
    parser.operand("paths", metavar="PATH", nargs="*", about=PATH_HELP)
    add_language_option(parser)
    parser.option(
        "--out",
        "-o",
        metavar="PATTERN",
        about=f"output folder of a program in a language (default {DEFAULT_PATTERN}); - prints a single program",
    )
    parser.option("--program-only", about="omit the project files (Pulumi.yaml, go.mod, ...)", action="store_true")
    parser.option("--no-copy-files", about="do not copy the files that the program names", action="store_true")
    about = "also write a source map (main.go.map) beside each source file in Python, TypeScript and Go"
    parser.option("--source-map", about=about, action="store_true")
    add_templates_option(parser)
    add_style_options(parser)
    add_preview_options(parser)
    parser.option("--force", about="overwrite files that pclgen did not write", action="store_true")
    about = "write the correct programs and languages even if others fail"
    parser.option("--keep-going", "-k", about=about, action="store_true")
    parser.option("--request", metavar="FILE", about="answer one JSON request, as `pclgen serve` does; - is standard input")
    about = "print the program after this compiler pass and write nothing; `list` names the passes"
    parser.option("--dump-after", metavar="PASS", about=about)
    about = "number of processes for a large program (default: one per language, one on a single core)"
    parser.option("--jobs", "-j", metavar="N", about=about, type=int)
    add_checking_options(parser)
    add_outcome_options(parser)
    add_reporting_options(parser)
    return parser


def _check_pattern(pattern: str) -> None:
    problem = pattern_problem(pattern)
    if problem is not None:
        raise UsageError(f"`--out`: {problem[0]}", problem[1])


def _check_stdout(programs: Sequence[LoadedProgram], languages: Sequence[str], output_format: str) -> None:
    """Raise `UsageError` unless the output is the text of a single program, which standard output can hold."""
    if len(programs) > 1:
        raise UsageError(f"`--out -` prints one program, and there are {len(programs)}", "omit `--out -`")
    if len(languages) > 1:
        raise UsageError("`--out -` prints one language", f"choose it, as in `--language {languages[0]}`")
    if output_format != "text":
        raise UsageError(
            f"`--out -` and `--output-format {output_format}` would both print to standard output",
            "omit one of them",
        )


def _only_file(files: Mapping[PurePosixPath, str]) -> str:
    """Return the text to print. Raises `UsageError` if there are several files."""
    if len(files) > 1:
        names = ", ".join(f"`{path}`" for path in sorted(files))
        raise UsageError(f"`--out -` prints one file, and the program becomes {names}", "name a folder after `--out`")
    return next(iter(files.values()))


def _folders(
    programs: Sequence[LoadedProgram], paths: Sequence[str], languages: Sequence[str], args: argparse.Namespace
) -> list[Mapping[str, Path]]:
    """Return the folder of each language, for each program.

    Raises `UsageError` if two share a folder, and `WriteError` for a folder out of bounds.
    """
    pattern = args.out or DEFAULT_PATTERN
    places = places_of(pattern, Path(), is_typed=args.out is not None, allow_outside=args.allow_outside)
    owners: dict[Path, str] = {}
    folders: list[Mapping[str, Path]] = []
    for program, path in zip(programs, paths, strict=True):
        own: dict[str, Path] = {}
        for language in languages:
            values = {"program": program.name, "path": _way(program, path), "language": language}
            folder = Path(os.path.normpath(pattern.format(**values)))
            owner = f"{program.name} in {language}"
            place = places.of(folder)
            other = owners.get(place)
            if other is not None:
                raise _shared_folder(folder, other, owner)
            owners[place] = owner
            own[language] = folder
        folders.append(own)
    return folders


def _way(program: LoadedProgram, path: str) -> str:
    """Return the value of `{path}`: the path to a program from here, without `.pp`; its name if it lies elsewhere."""
    way = PurePosixPath(without_suffix(Path(os.path.relpath(path)).as_posix()))
    return program.name if path == STDIN or ".." in way.parts or way.is_absolute() else str(way)


def _summary(written: Sequence[Written]) -> Sequence[str]:
    """Return a line for each folder, or a single one if there are many."""
    if len(written) <= _FEW:
        return [_written_line(done) for done in written]
    total, changed = sum(done.total for done in written), sum(bool(done.changed or done.deleted) for done in written)
    return [f"wrote {count(len(written), 'folder')}: {count(total, 'file')}, {count(changed, 'folder')} changed"]


def _shared_folder(folder: Path, first_program: str, second_program: str) -> UsageError:
    if first_program == second_program:
        return UsageError(
            f"two programs are named {first_program.partition(' ')[0]}, and both would be written to `{folder}`",
            f"tell them apart in PATTERN, as in `--out '{OUTPUT}'`",
        )
    return UsageError(
        f"{first_program} and {second_program} would both be written to `{folder}`",
        f"tell them apart in PATTERN, as in `--out '{DEFAULT_PATTERN}'`",
    )


def _outputs(outcome: GenerateResult, folders: Mapping[str, Path], program: LoadedProgram) -> list[Output]:
    return [
        Output(
            folder=folder,
            files={**outcome.files[language], **_maps(outcome, language, folder, program)},
            data=outcome.data.get(language, {}),
        )
        for language, folder in folders.items()
        if language in outcome.files
    ]


def _maps(
    outcome: GenerateResult, language: str, folder: Path, program: LoadedProgram
) -> Mapping[PurePosixPath, str]:
    """Return the source maps in `language` as files beside the sources."""
    home = folder if program.is_on_disk else None
    source_maps = outcome.source_maps.get(language, {})
    return {path.with_name(f"{path.name}.map"): source_map.to_json(folder=home) for path, source_map in source_maps.items()}


def _written_line(done: Written) -> str:
    changed = [path for path in done.changed if path.name != ".pclgen.json"]
    news = f"{len(changed)} changed" if changed else "nothing new"
    gone = f", {len(done.deleted)} deleted" if done.deleted else ""
    return f"wrote {done.folder}: {count(done.total, 'file')}, {news}{gone}"
