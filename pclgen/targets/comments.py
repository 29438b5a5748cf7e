"""Comments of a program are for readers: none of them may steer the tools that read the generated code.

Comes in: a line of a comment and what a language's tools obey.  Goes out: the line, in parentheses if a tool would obey it;
and without anything that ends a line in some language, whatever the text.  All targets print comments with this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pclgen.source.text import one_line, split_lines


def harmless(line: str, directives: re.Pattern[str]) -> str:
    """`line` as one line, or `(line)` where `directives` match at its beginning."""
    line = one_line(line)
    return f"({line.strip()})" if directives.match(line.strip()) else line


def said_once(comment: Sequence[str], description: str) -> tuple[str, ...]:
    """The lines above something that has a comment and a description; where the comment says it already, the comment."""
    words = _words(description)
    if not description.strip() or (words and f" {words} " in f" {_words(' '.join(comment))} "):
        return tuple(comment)
    return (*comment, *split_lines(description.strip()))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
