"""Comments of a program are for readers: none of them may steer the tools that read the generated code.

A line that a language's tools would obey is put in parentheses, and never holds anything that ends a line in some language.
All targets print comments with this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from pclgen.core.expr import GAP, Comments
from pclgen.core.program import ConfigVariable
from pclgen.source.text import MORE_MARKS, one_line

_HEADING: Final = re.compile(r"^#+ +")


def harmless(line: str, directives: re.Pattern[str]) -> str:
    """`line` as one line, or `(line)` where `directives` match at its beginning."""
    line = one_line(line)
    return f"({line.strip()})" if directives.match(line.strip()) else line


def comment_line(mark: str, line: str, directives: re.Pattern[str]) -> str:
    """A line of a comment of a program behind the `mark` of the language; an empty text for `GAP`.

    A line that begins with `# ` had more marks than one: so it has where `#` is the mark.
    """
    if line == GAP:
        return ""
    text = harmless(line, directives)
    if mark != "#":
        text = _HEADING.sub("", text)
    is_joined = MORE_MARKS.match(text) is not None and text.startswith(mark[0])
    return f"{mark}{'' if is_joined else ' '}{text}".rstrip()


def without_gaps(lines: Iterable[str]) -> tuple[str, ...]:
    """`lines` where formatters take out empty lines: an empty line of a comment keeps comments apart."""
    return tuple(["" if line == GAP else line for line in lines])


def with_closing(comments: Comments, closing: tuple[str, ...]) -> Comments:
    """`comments` of a block that becomes a plain statement, with those inside of it: one goes behind it, more above it."""
    if len(closing) == 1 and not comments.trailing:
        return replace(comments, trailing=closing)
    return replace(comments, leading=(*comments.leading, *closing)) if closing else comments


def all_comments(node: ConfigVariable) -> tuple[str, ...]:
    """Return all comments of an input of a component in one block: members and parameters have comments only above them."""
    return (*node.comments.leading, *node.comments.trailing, *node.closing)
