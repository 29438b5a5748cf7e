"""Comments of a program are for readers: none of them may steer the tools that read the generated code.

Comes in: a line of a comment and what a language's tools obey.  Goes out: the line, in parentheses if a tool would obey it.
"""

from __future__ import annotations

import re


def harmless(line: str, directives: re.Pattern[str]) -> str:
    """`line`, or `(line)` where `directives` match at its beginning."""
    return f"({line.strip()})" if directives.match(line.strip()) else line
