"""Comments of a program in generated code, where they must not act as directives for tools.

A line that a tool would obey is put in parentheses. No line contains a character that ends a line in some language. All
targets print comments with this module.
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
    """Return `line` as one line, in parentheses if `directives` match at its beginning."""
    line = one_line(line)
    return f"({line.strip()})" if directives.match(line.strip()) else line


def comment_line(mark: str, line: str, directives: re.Pattern[str]) -> str:
    """Return a comment line of a program after the `mark` of the language; an empty text for `GAP`.

    A line that begins with `# ` had several marks; it keeps them only if the mark is `#`.
    """
    if line == GAP:
        return ""
    text = harmless(line, directives)
    if mark != "#":
        text = _HEADING.sub("", text)
    is_joined = MORE_MARKS.match(text) is not None and text.startswith(mark[0])
    return f"{mark}{'' if is_joined else ' '}{text}".rstrip()


def without_gaps(lines: Iterable[str]) -> tuple[str, ...]:
    """Return `lines` for formatters that remove empty lines: an empty comment line separates comments."""
    return tuple(["" if line == GAP else line for line in lines])


def with_closing(comments: Comments, closing: tuple[str, ...]) -> Comments:
    """Return `comments` and the `closing` comments of a block that becomes a plain statement.

    A single closing comment goes after the statement, several go above it.
    """
    if len(closing) == 1 and not comments.trailing:
        return replace(comments, trailing=closing)
    return replace(comments, leading=(*comments.leading, *closing)) if closing else comments


def all_comments(node: ConfigVariable) -> tuple[str, ...]:
    """Return all comments of a component input as one block, to go above a member or parameter."""
    return (*node.comments.leading, *node.comments.trailing, *node.closing)
