"""Comments of a program are for readers: none of them may steer the tools that read the generated code.

Comes in: a line of a comment and what a language's tools obey.  Goes out: the line, in parentheses if a tool would obey it;
and without anything that ends a line in some language, whatever the text.  All targets print comments with this.
"""

from __future__ import annotations

import re

from pclgen.core.program import ConfigVariable
from pclgen.source.text import one_line


def harmless(line: str, directives: re.Pattern[str]) -> str:
    """`line` as one line, or `(line)` where `directives` match at its beginning."""
    line = one_line(line)
    return f"({line.strip()})" if directives.match(line.strip()) else line


def all_said(node: ConfigVariable) -> tuple[str, ...]:
    """All comments of an input of a component: a member, or a parameter, has only lines above it."""
    return (*node.comments.leading, *node.comments.trailing, *node.closing)
