"""The canonical layout of a file.

The text has the same tree and comments, laid out anew:

    resource pet "random:RandomPet" {        - two blanks of indentation a bracket; one around operators, and inside the
      length = 2                               braces of a block or an object on one line
      prefix = "my"                          - `=` in one column over neighbouring lines that hold a whole item each

      keepers = {                            - a list or an object that spans lines has a line for each element; a list
        zones = [                              ends each with a comma (but for a heredoc at the end), an object none;
          "a",                                 arguments of a call and loops that break at their own level do the same
          "b", # the new one                 - one line stays one line, however long: width plays no part
        ]                                    - a bracket around one element alone may hug it: `[{`, `f([`, `(<<END`
      }
    }                                        - comments stay with the item they describe, one blank behind it

    a = [{                                   - one blank line around top-level blocks, with the comments on top of them;
      b = 1                                    elsewhere none or one as written, none after `{` or before `}`
    }]                                       - templates, heredocs and comments are copied; a file of CRLF lines keeps these

`layout_atoms` reads the content, `layout_breaks` decides on line breaks and commas, `layout_lines` on blanks and
blank lines, and `layout_document` makes a document of that, which the printer of `pclgen.layout` prints.
"""

from __future__ import annotations

from typing import Final

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.layout import print_doc
from pclgen.source.text import SourceFile
from pclgen.syntax.layout_atoms import read_atoms
from pclgen.syntax.layout_breaks import break_lines
from pclgen.syntax.layout_document import write_document
from pclgen.syntax.layout_lines import read_lines
from pclgen.syntax.lexer import lex
from pclgen.syntax.parse import parse_file

INDENT: Final = 2


def format_source(source: SourceFile, bag: DiagnosticBag) -> str | None:
    """Return the text of `source` in canonical layout; None after a syntax error, which is reported to `bag`."""
    problems = DiagnosticBag()
    parse_file(source, problems)
    bag.extend(problems)
    if problems.has_errors:
        return None
    atoms = list(read_atoms(source.text, lex(source)))
    text = print_doc(write_document(read_lines(break_lines(atoms))), step=INDENT).text
    if text:
        text += "\n"
    breaks = source.text.count("\n")
    if breaks and source.text.count("\r\n") == breaks:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return text
