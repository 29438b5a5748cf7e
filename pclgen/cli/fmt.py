"""`pclgen fmt`: format files in the canonical layout.

A file with a syntax error is reported and unchanged; the others are still formatted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pclgen.cli.arguments import Parser, add_reporting_options
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import count, failed
from pclgen.diagnostics.cells import DIFF_ROLES, Role, Style
from pclgen.diagnostics.model import Diagnostic
from pclgen.diagnostics.syntax import not_formatted
from pclgen.emit.write import write_file
from pclgen.source.load import STDIN, STDIN_NAME, LoadError, RawFile, find_own_files, load_program, read_component, read_file
from pclgen.source.text import difference

EXAMPLES = """\
examples:
  pclgen fmt .                  all .pp files of this directory and those below it
  pclgen fmt main.pp --diff     show what would change, change nothing
  pclgen fmt . --check          list files that are not formatted, for CI
  pclgen fmt . --check --output-format github    the same as annotations (also json, sarif)
  cat main.pp | pclgen fmt -    standard input to standard output
  pclgen fmt Pulumi.yaml --from yaml > main.pp   a program in Pulumi YAML as PCL

exit status: 0 success; 1 syntax errors, or with --check or --diff something to format; 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Format the files in `argv`; status 1 for syntax errors, and for unformatted files with `--check` or `--diff`."""
    args, console = _parser().begin(argv, console)
    from pclgen.formatting import convert_source, format_source

    if args.source == "yaml":
        if len(args.paths) != 1 or args.check or args.diff:
            raise UsageError("`--from yaml` takes one program and prints it as PCL", "send it to a file: > main.pp")
        program = load_program(args.paths[0], stdin=console.stdin, stdin_yaml=True)
        source, *beside = program.files
        outcome = convert_source(source, beside=beside, read_plugin=partial(read_component, program))
        if outcome.text is not None:
            console.print_exactly(outcome.text)
        console.report(outcome.diagnostics, args.output_format, stream=console.err)
        return failed(outcome.diagnostics)
    diagnostics: list[Diagnostic] = []
    different = same = 0
    dry = args.check or args.diff
    reported = args.check and not args.diff and args.output_format != "text"
    listed = args.check and not args.diff and not reported and STDIN not in args.paths
    for source in _sources(args.paths, console):
        outcome = format_source(source)
        diagnostics += outcome.diagnostics
        if outcome.text is None:
            continue
        new = outcome.text.encode("utf-8")
        if new == source.data:
            same += 1
        else:
            different += 1
        if args.diff:
            console.print(_diff(source, outcome.text, console.style(console.out)))
        if source.path is None and not dry:
            console.print_exactly(outcome.text)
        if new == source.data:
            continue
        if listed:
            console.print_line(source.name)
        elif reported:
            diagnostics.append(not_formatted(source.name, source.data.decode("utf-8", "replace"), outcome.text))
        elif source.path is not None and not dry:
            write_file(source.path, new)
    # A report must not mix with a result on standard output.
    has_result = listed or args.diff or (STDIN in args.paths and not dry)
    console.report(diagnostics, args.output_format, stream=console.err if has_result else None)
    if args.output_format == "text" and args.paths != [STDIN]:
        verb = "would be formatted" if dry else "formatted"
        console.say(f"{count(different, 'file')} {verb}, {same} already fine")
    return failed(diagnostics) or int(dry and different > 0)


def _parser() -> Parser:
    parser = Parser(
        "fmt",
        usage="PATH... [--check] [--diff] [options]",
        description="Format .pp files in the canonical layout.",
        examples=EXAMPLES,
    )
    parser.operand("paths", metavar="PATH", nargs="+", about=".pp files, directories (all .pp files below them), or -")
    parser.option("--check", about="change nothing; list the files that would change", action="store_true")
    parser.option("--diff", about="change nothing; show the changes", action="store_true")
    about = "input language: pcl (default), or yaml to print a Pulumi YAML program as PCL"
    parser.option("--from", about=about, dest="source", choices=("pcl", "yaml"), default="pcl")
    add_reporting_options(parser)
    return parser


def _sources(paths: Sequence[str], console: Console) -> Iterator[RawFile]:
    """Yield all files to format, each once."""
    if STDIN in paths and len(paths) > 1:
        raise UsageError("`-` (standard input) cannot be mixed with other paths")
    if STDIN in paths:
        data = b"" if console.stdin is None else console.stdin.read()
        yield RawFile(name=STDIN_NAME, path=None, data=data)
        return
    files = dict.fromkeys(file for path in paths for file in find_own_files(path))
    if not files:
        listed = ", ".join(f"`{path}`" for path in paths)
        raise LoadError(f"there are no .pp files below {listed}", "name a folder that has some, a .pp file, or `-`")
    for file in files:
        yield read_file(file)


def _diff(source: RawFile, new: str, style: Style) -> str:
    out: list[str] = []
    names = (source.name, f"{source.name} (formatted)")
    for line in difference(source.data.decode("utf-8", "replace"), new, names):
        role = Role.STRONG if line.startswith(("+++", "---")) else DIFF_ROLES.get(line[:1], Role.PLAIN)
        out.append(style.paint(role, line) + "\n")
    return "".join(out)
