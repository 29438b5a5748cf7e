"""The canonical layout of a file.

Comes in: a source.  Goes out: its text with the same tree and comments, laid out anew:

    resource pet "random:RandomPet" {        - two blanks of indentation a bracket; one around operators, and inside the
      length = 2                               braces of what stands on one line
      prefix = "my"                          - `=` in one column over neighbouring lines that hold a whole item each

      keepers = {                            - a list or an object that spans lines has a line for each element; a list
        zones = [                              ends each with a comma (but for a heredoc at the end), an object none;
          "a",                                 arguments of a call and loops that break at their own level do the same
          "b", # the new one                 - what stands on one line stays on it, however long: width plays no part
        ]                                    - a bracket around one element alone may hug it: `[{`, `f([`, `(<<END`
      }
    }                                        - comments stay with what they describe, one blank behind it

    a = [{                                   - one blank line around top-level blocks, with the comments on top of them;
      b = 1                                    elsewhere none or one as written, none after `{` or before `}`
    }]                                       - templates, heredocs and comments are copied; a file of CRLF lines keeps these

`layout_atoms` reads what is to be laid out, `layout_breaks` decides on line breaks and commas, `layout_lines` on the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.syntax.layout_atoms import read_atoms
from pclgen.syntax.layout_breaks import break_lines
from pclgen.syntax.layout_lines import Line, lay_out
from pclgen.syntax.lexer import lex
from pclgen.syntax.parse import parse_file

INDENT = "  "


def format_source(source: SourceFile, bag: DiagnosticBag) -> str | None:
    """The text of `source` in canonical layout; None when it does not parse, which is reported to `bag`."""
    found = DiagnosticBag()
    parse_file(source, found)
    bag.extend(found)
    if found.has_errors:
        return None
    breaks = source.text.count("\n")
    newline = "\r\n" if breaks and source.text.count("\r\n") == breaks else "\n"
    atoms = list(read_atoms(source.text, lex(source)))
    return _print(lay_out(break_lines(atoms)), newline)


def _print(lines: Sequence[Line], newline: str) -> str:
    """The text, with `=` in one column over runs of lines."""
    out: list[str] = []
    index = 0
    while index < len(lines):
        stop = index + 1
        first = lines[index]
        if first.rest is not None:
            while stop < len(lines) and _same_run(first, lines[stop]):
                stop += 1
        width = max(len(line.text) for line in lines[index:stop])
        for line in lines[index:stop]:
            if line.blank_before:
                out.append(newline)
            text = line.text if line.rest is None else f"{line.text:<{width}} {line.rest}"
            out.append(f"{INDENT * line.indent}{text}{newline}")
        index = stop
    return "".join(out)


def _same_run(first: Line, line: Line) -> bool:
    return line.rest is not None and not line.blank_before and line.indent == first.indent
