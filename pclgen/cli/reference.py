"""The commands that print what pclgen knows: its functions, diagnostic codes and templates.

    pclgen functions    the functions of PCL, or one of them
    pclgen explain      the page of a diagnostic code, or the list of all codes
    pclgen templates    the templates that an overlay can replace, or one of them
"""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.cli.arguments import Parser, add_color_option
from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.cells import Role, Style
from pclgen.diagnostics.suggest import suggestion

if TYPE_CHECKING:
    from pclgen.diagnostics.codes import Page
    from pclgen.stdlib.model import Function


# -- functions --------------------------------------------------------------------------------------------------------------

_FUNCTIONS_EXAMPLES = """\
examples:
  pclgen functions              all, one line each
  pclgen functions lookup       its arguments, its result, an example
  pclgen functions --json       the same for tools

With --allow-functions, the function packs of the configuration are listed, too.
"""


def run_functions(argv: Sequence[str], console: Console) -> int:
    """List the functions, or describe the function in `argv`.  Raises `UsageError` for an unknown function."""
    from pclgen.stdlib.model import signature
    from pclgen.stdlib.pages import FORMAT_VERSION, data_of, lines_of
    from pclgen.stdlib.registry import FUNCTIONS

    args, console = _functions_parser().begin(argv, console)
    functions = {**FUNCTIONS, **_of_packs(args.allow_functions, console)}
    if args.name is not None and args.name not in functions:
        hint = suggestion(args.name, functions, "`pclgen functions` lists all")
        raise UsageError(f"there is no function `{args.name}`", hint)
    chosen = [functions[args.name]] if args.name is not None else list(functions.values())
    if args.json:
        document = {"format_version": FORMAT_VERSION, "functions": [data_of(function) for function in chosen]}
        console.print_exactly(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    elif args.name is not None:
        console.print("\n".join(lines_of(chosen[0])) + "\n")
    else:
        style = console.style(console.out)
        width = max(len(signature(function)) for function in chosen)
        for function in chosen:
            console.print(f"{style.paint(Role.STRONG, f'{signature(function):<{width}}')}  {function.doc}\n")
    return 0


def _of_packs(allowed: bool, console: Console) -> Mapping[str, Function]:
    """Return the functions of packs; none if their code must not run and the user did not ask for them."""
    from pclgen.schema.discovery import Settings, find_project, functions_of

    functions = functions_of(find_project(Path(), Settings(allow_functions=allowed), console.environ))
    return functions.by_name if functions is not None else {}


def _functions_parser() -> Parser:
    parser = Parser(
        "functions",
        usage="[NAME] [--json]",
        description="Describe the functions that programs can call.",
        examples=_FUNCTIONS_EXAMPLES,
    )
    parser.operand("name", metavar="NAME", nargs="?", about="for example lookup; without it, list all")
    parser.option("--json", about="print JSON", action="store_true")
    parser.option(
        "--allow-functions", about="run the code of packs of functions (also PCLGEN_ALLOW_FUNCTIONS)", action="store_true"
    )
    add_color_option(parser)
    return parser


# -- diagnostic codes -------------------------------------------------------------------------------------------------------

_EXPLAIN_EXAMPLES = """\
examples:
  pclgen explain PCL0101    (or pcl101, or 101)
  pclgen explain            all codes, one line each
"""

MAX_WIDTH = 88


def run_explain(argv: Sequence[str], console: Console) -> int:
    """Explain the code named in `argv`, or list all.  Raises `UsageError` for an unknown code."""
    from pclgen.diagnostics.codes import all_codes, find_code, page, similar_code

    args, console = _explain_parser().begin(argv, console)
    style = console.style(console.out)
    if args.code is None:
        for entry in all_codes():
            console.print(f"{style.paint(Role.STRONG, entry.code)}  {entry.title}\n")
        return 0
    code = find_code(args.code)
    explained = None if code is None else page(code)
    if explained is None:
        similar = similar_code(args.code)
        hint = f"did you mean `{similar}`?" if similar else "`pclgen explain` lists all codes"
        raise UsageError(f"there is no diagnostic code `{args.code}`", hint)
    width = min(MAX_WIDTH, shutil.get_terminal_size().columns)
    console.print("\n".join(_lines(explained, style, width)) + "\n")
    return 0


def _explain_parser() -> Parser:
    parser = Parser(
        "explain",
        usage="[CODE]",
        description="Say what a diagnostic means, with a wrong and a right example.",
        examples=_EXPLAIN_EXAMPLES,
    )
    parser.operand("code", metavar="CODE", nargs="?", about="for example PCL0101; without it, all codes are listed")
    add_color_option(parser)
    return parser


def _lines(explained: Page, style: Style, width: int) -> Iterator[str]:
    """Yield the page for a terminal: wrapped prose, aligned tables, indented examples under a heading."""
    yield style.paint(Role.STRONG, f"{explained.code}: {explained.title}")
    paragraph: list[str] = []
    inside = False
    for line in [*explained.text.splitlines()[1:], ""]:
        if line.startswith("```"):
            inside = not inside
            if inside:
                yield from ("", _heading(line.removeprefix("```").split(), style), "")
        elif inside:
            yield f"    {line}".rstrip()
        elif line.strip():
            paragraph.append(line)
        elif paragraph:
            yield ""
            yield from _table(paragraph) if paragraph[0].startswith("|") else [_filled(paragraph, width)]
            paragraph = []


def _filled(paragraph: Sequence[str], width: int) -> str:
    return textwrap.fill(" ".join(paragraph), width, break_long_words=False, break_on_hyphens=False)


def _table(lines: Sequence[str]) -> Iterator[str]:
    """Yield the aligned rows of a Markdown table with two columns."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|--")]
    left = max(len(row[0]) for row in rows)
    for row in rows:
        yield f"    {row[0]:<{left}}   {row[1]}"


def _heading(words: Sequence[str], style: Style) -> str:
    name = next((f" ({word.removeprefix('file=')})" for word in words if word.startswith("file=")), "")
    if "wrong" in words:
        return style.paint(Role.ERROR, f"Wrong{name}:")
    if "right" in words:
        return style.paint(Role.HELP, f"Right{name}:")
    kind = "With the package schema" if words[:1] == ["schema"] else "With the file"
    return style.paint(Role.STRONG, f"{kind}{name}:")


# -- templates --------------------------------------------------------------------------------------------------------------

_TEMPLATES_EXAMPLES = """\
examples:
  pclgen templates                                          list the templates and their purposes
  pclgen templates python/statements/construct.jinja        print pclgen's template, as a starting point
  pclgen generate web --templates house                     use the templates in `house` instead of pclgen's

docs/templates.md describes the variables of templates, and which of them are stable across versions.
"""

_COMMENT = re.compile(r"\{# (.*?) #\}")


def run_templates(argv: Sequence[str], console: Console) -> int:
    """List the templates, or print the template in `argv`.  Raises `UsageError` for an unknown template."""
    from pclgen.emit.overlay import template_names, template_text

    args = _templates_parser().parse(argv)
    names = template_names()
    if args.name is None:
        width = max(map(len, names))
        for name in names:
            comment = _COMMENT.match(template_text(name))
            console.print(f"{name:<{width}}  {comment[1] if comment is not None else ''}".rstrip() + "\n")
        return 0
    if args.name not in names:
        hint = suggestion(args.name, names, "`pclgen templates` lists all")
        raise UsageError(f"pclgen has no template `{args.name}`", hint)
    console.print_exactly(template_text(args.name))
    return 0


def _templates_parser() -> Parser:
    parser = Parser(
        "templates",
        usage="[NAME]",
        description="List the templates of generated code, or print one.",
        examples=_TEMPLATES_EXAMPLES,
    )
    parser.operand("name", metavar="NAME", nargs="?", about="for example go/file.go.jinja (default: list all templates)")
    add_color_option(parser)
    return parser
