"""`pclgen explain`: the page of a diagnostic code, or the list of all codes."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence

from pclgen.cli.arguments import Parser, add_color_option
from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.cells import Role, Style
from pclgen.diagnostics.codes import Page, all_codes, find_code, page, similar_code

EXAMPLES = """\
examples:
  pclgen explain PCL0101    (or pcl101, or 101)
  pclgen explain            all codes, one line each
"""

MAX_WIDTH = 88


def run(argv: Sequence[str], console: Console) -> int:
    """Explain the code named in `argv`, or list all.  Raises `UsageError` for an unknown code."""
    args, console = _parser().begin(argv, console)
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


def _parser() -> Parser:
    parser = Parser(
        "explain",
        usage="[CODE]",
        description="Say what a diagnostic means, with a wrong and a right example.",
        examples=EXAMPLES,
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
