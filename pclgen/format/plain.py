"""Detects files that black would not change: imports, comments and short plain statements, as in most programs.

`format.python` replaces long statements by names first. pclgen does not load black for a file that this module accepts.

    import pulumi                                           a group of imports, and an empty line after it

    # What everything is named after.
    pet = random.RandomPet("pet", length=2)                 calls, lists and dicts of names, texts and numbers
    size = 3 if large else count + 1                        operators, conditionals, comprehensions and lambdas
    pulumi.export("name", pet.id)

Black formats everything else: brackets around a single value, a comma before a closing bracket, a comment after a
statement, powers, slices, and all indented lines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import pairwise
from keyword import kwlist
from typing import Final

_IMPORT: Final = re.compile(r"import [\w.]+(?: as \w+)?|from [\w.]+ import \w+(?: as \w+)?(?:, \w+(?: as \w+)?)*")
_COMMENT: Final = re.compile(r"# (?!\s)(?!.*(?:fmt|yapf|type):).*(?<!\s)")
_TEXT: Final = re.compile(r"""(?<!\w)[fr]?"(?:[^"\\]|\\[^"])*"|(?<!\w)'[^'"\\]*"[^'\\]*'""")
"""A string whose quotes black keeps: double quotes without double quotes inside, or single quotes around a double quote."""
_STATEMENT: Final = re.compile(
    r"""
    (?:[\w.]+(?::\ [\w.]+(?:\[[\w.]+(?:,\ [\w.]+)*\])?)?\ =\ )?    # the target of an assignment, with its type
    (?: [\w.(){}\[\]]                   # names, numbers, brackets
      | (?<![\w"])"(?![\w"])             # a text
      | ,\ (?![)\]}])                   # a comma that is not the last character in brackets
      | :\ (?![)\]}])                   # the colon of a dict or a lambda
      | (?<=\w)=(?=[\w"({\[-])           # the equals sign of a keyword argument
      | (?<=[(\[{\ =])-(?=\d)           # the sign of a number
      | (?<=[\w)\]}"])\ (?:[-+*/%<>]|//|[=!<>]=|and|or|is(?:\ not)?|(?:not\ )?in|if|else|for)\ (?=[\w"({\[-])
      | (?<=\bnot)\ (?=[\w"])
      | (?<=\blambda)\ (?=\w)
    )+
    """,
    re.VERBOSE,
)
_ODD: Final = re.compile(
    r"""
    (?<![\w)\]])(?<!\band\ )(?<!\bor\ )\(    # parentheses that do not belong to a call
    | \b(?:and|or|is|in|if|else|for|not)\b(?!\ )  # a keyword without its space
    | \blambda\b(?![\ :])
    | \b(?!\d+(?:\.\d+)?\b)\d           # numbers that black may write in another way
    | \.{2} | \.\ | \.$ | (?<![\w)\]}"])\.\D
    """,
    re.VERBOSE,
)
_WORD: Final = re.compile(r"[^\W\d]\w*")
_OPERATORS: Final = frozenset(("and", "or", "is", "in", "if", "else", "for", "not", "lambda"))
_KEYWORDS: Final = frozenset(kwlist) - {"True", "False", "None"} - _OPERATORS | {"print", "exec"}


def is_settled(lines: Sequence[str], width: int) -> bool:
    """Return whether black would leave these lines of a file unchanged.

    False for text that is not Python 3.9: black reports the error.
    """
    if not lines or not lines[0] or not lines[-1]:
        return False
    before = ""
    for line, following in pairwise((*lines, "")):
        if not line:
            if not before and not following:
                return False
        elif _IMPORT.fullmatch(line):
            if len(line) > width or (following and not _IMPORT.fullmatch(following)):
                return False
        elif not is_plain(line, width) and not (_COMMENT.fullmatch(line) and line.isprintable()):
            return False
        before = line
    try:
        ast.parse("\n".join(lines), feature_version=(3, 9))
    except SyntaxError:
        return False
    return True


def is_plain(line: str, width: int) -> bool:
    """Return whether `line` is a one-line statement that black would leave unchanged."""
    if len(line) > width or not line.isascii():
        return False
    bare = _TEXT.sub('"', line)
    if _STATEMENT.fullmatch(bare) is None or _ODD.search(bare) is not None:
        return False
    words = _WORD.findall(bare)
    return _KEYWORDS.isdisjoint(words) and _OPERATORS.isdisjoint(words[:1])
