"""The formatter of generated Python: black, in process.

The result is the same program in black's layout (88 columns, double quotes).

Black costs several milliseconds per resource, more than everything else together. So `format.brackets` lays out long
plain statements, which are most of a program's text, and black sees a short name in their place. If black would not
change the rest (`is_settled`), it is not even loaded; otherwise it formats everything else, including blank lines.
Tests compare whole files with black's.

`is_settled` accepts files of imports, comments and short plain statements, as most programs are:

    import pulumi                                           a group of imports, and an empty line after it

    # What everything is named after.
    pet = random.RandomPet("pet", length=2)                 calls, lists and dicts of names, texts and numbers
    size = 3 if large else count + 1                        operators, conditionals, comprehensions and lambdas
    pulumi.export("name", pet.id)

Black formats everything else: brackets around a single value, a comma before a closing bracket, a comment after a
statement, powers, slices, and all indented lines.

`Alignment` locates parts of a text after formatting. A formatter changes white space, parentheses, commas, quotes, and
the case of literals. All other characters, the significant ones, keep their order, so counting them locates a part.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import accumulate, compress, pairwise
from keyword import kwlist
from typing import Final

from pclgen.format.brackets import WIDTH, lay_out

_HOLE = "_pclgen_{}_"
_HOLES = re.compile(r"^.*_pclgen_(\d+)_$", re.MULTILINE)
_STATEMENT = re.compile(r"( *)((?:[\w.]+ = )?)([\w.]+\(.*\)|\[.*\]|\{.*\}|(?<== ).*)")
_TRIPLE = r"""(?:\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3})"""
# A line is a whole statement unless it is in a multi-line string or in open brackets. Other texts and words are skipped.
_STRUCTURE = re.compile(
    rf"""(?:[^"'\#()\[\]{{}}\n]++|(?!{_TRIPLE})(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|["']))*+"""
    rf"""(?:(?P<triple>{_TRIPLE})|(?P<comment>\#[^\n]*)|(?P<open>[(\[{{])|(?P<close>[)\]}}])|(?P<line>\n)|\Z)""",
    re.DOTALL,
)


def format_python(text: str) -> str:
    """Return `text` as black writes it.

    Raises `ValueError` if `text` is not a Python 3.9 program: a mistake of pclgen, or of its user's templates.
    """
    laid_out: list[list[str]] = []
    reduced: list[str] = []
    for line, alone in _lines(text):
        layout = _lay_out(line) if alone else None
        match = _STATEMENT.fullmatch(line) if layout is not None else None
        if layout is None or match is None:
            reduced.append(line)
        else:
            reduced.append(f"{match[1]}{match[2]}{_HOLE.format(len(laid_out))}")
            laid_out.append(layout)
    formatted = _formatted(reduced)
    return _HOLES.sub(lambda hole: "\n".join(laid_out[int(hole[1])]), formatted)


def _formatted(lines: list[str]) -> str:
    text = "\n".join(lines)
    settled = text.strip("\n")
    return settled + "\n" if is_settled(settled.split("\n"), WIDTH) else _black(text)


def _black(text: str) -> str:
    from black import format_str
    from black.mode import Mode, TargetVersion
    from black.parsing import InvalidInput

    mode = Mode(target_versions={TargetVersion.PY39}, line_length=WIDTH)
    try:
        return format_str(text, mode=mode)
    except InvalidInput as error:
        raise ValueError(str(error).partition("\n")[0]) from error


def _lines(text: str) -> list[tuple[str, bool]]:
    """Return the lines of `text`, and whether each is a whole statement without a comment."""
    lines: list[tuple[str, bool]] = []
    depth, begin, alone = 0, 0, True
    for match in _STRUCTURE.finditer(text):
        kind = match.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "triple":
            # The lines of such a string are not statements; they are located as one part.
            alone = False
        elif kind == "comment":
            alone = False
        elif kind == "line":
            if depth == 0:
                lines.append((text[begin : match.start(kind)], alone))
                begin, alone = match.end(), True
            else:
                alone = False
    lines.append((text[begin:], False))
    return lines


def _lay_out(line: str) -> list[str] | None:
    """Return the layout of a statement that is too long for a line; None for others, and if only black can lay it out."""
    if len(line) <= WIDTH or not line.isascii() or _STATEMENT.fullmatch(line) is None:
        return None
    return lay_out(line)


def is_formatted(text: str) -> bool:
    """Return whether black would not change `text`. Raises `ValueError` if it is not a Python 3.9 program."""
    return _black(text) == text


# -- files that black would not change --------------------------------------------------------------------------------------

_IMPORT: Final = re.compile(r"import [\w.]+(?: as \w+)?|from [\w.]+ import \w+(?: as \w+)?(?:, \w+(?: as \w+)?)*")
_COMMENT: Final = re.compile(r"# (?!\s)(?!.*(?:fmt|yapf|type):).*(?<!\s)")
_TEXT: Final = re.compile(r"""(?<!\w)[fr]?"(?:[^"\\]|\\[^"])*"|(?<!\w)'[^'"\\]*"[^'\\]*'""")
"""A string whose quotes black keeps: double quotes without double quotes inside, or single quotes around a double quote."""
_PLAIN: Final = re.compile(
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
    if _PLAIN.fullmatch(bare) is None or _ODD.search(bare) is not None:
        return False
    words = _WORD.findall(bare)
    return _KEYWORDS.isdisjoint(words) and _OPERATORS.isdisjoint(words[:1])


# -- places of parts --------------------------------------------------------------------------------------------------------

_FREE: Final = b" \t\r\f\v\n(),;\\"
_SAME: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ'", b'abcdefghijklmnopqrstuvwxyz"')
_IS_SIGNIFICANT: Final = bytes([character not in _FREE for character in range(256)])
_OUTER: Final = _FREE.decode()
_CUT: Final = "\x00"
_BLANK_OR_COMMA: Final = str.maketrans("", "", " \t\r\f\v\n,")


class Alignment:
    """Locates the parts of a text in its formatted version.

    `is_same_text` is false if `formatted` has other significant characters than `parts`; then it has no places. A place
    begins with the part `first` and ends before the part `behind`.
    """

    def __init__(self, parts: Sequence[str], formatted: str) -> None:
        self._parts, self._formatted = parts, formatted
        same = "".join(parts).encode().translate(_SAME, _FREE)
        self.is_same_text: bool = same == formatted.encode().translate(_SAME, _FREE)
        pieces = _bytes(_CUT.join(parts)).translate(None, _FREE).split(_CUT.encode())
        before = [0, *accumulate(map(len, pieces))]
        significant = _bytes(formatted).translate(_IS_SIGNIFICANT)
        offsets = [*compress(range(len(formatted)), significant), len(formatted)]
        self._starts = [offsets[number] for number in before]
        self._ends = [offsets[number - 1] + 1 if number else 0 for number in before]

    def lines(self, first: int, behind: int) -> tuple[int, int]:
        """Return the place of parts that are whole lines."""
        left, right, following = self._starts[first], self._ends[behind], self._starts[behind]
        if left >= right:
            return left, left
        formatted = self._formatted
        line_end = formatted.rfind("\n", right, following)
        return left, right + len(formatted[right : following if line_end < 0 else line_end].rstrip())

    def expression(self, first: int, behind: int) -> tuple[int, int]:
        """Return the place of parts that are an expression or an argument, with its outer parentheses."""
        left, right = self._starts[first], self._ends[behind]
        if left >= right:
            return left, left
        if self._parts[first][:1] in ("", "("):
            for character in reversed(self._outer(first)):
                left = self._with_left(character, left)
        if self._parts[behind - 1][-1:] in ("", ")"):
            for character in self._outer(behind - 1, at_end=True):
                right = self._with_right(character, right)
        return left, right

    def _with_left(self, character: str, left: int) -> int:
        """Return the place of `character` if only white space separates it from `left`, otherwise `left`."""
        formatted, at = self._formatted, left - 1
        while at > 0 and formatted[at].isspace():
            at -= 1
        return at if formatted[at : at + 1] == character else left

    def _with_right(self, character: str, right: int) -> int:
        """Return the end of `character` if only commas and white space separate it from `right`, otherwise `right`."""
        formatted, at = self._formatted, right
        while formatted[at : at + 1] == "," or formatted[at : at + 1].isspace():
            at += 1
        return at + 1 if formatted[at : at + 1] == character else right

    def _outer(self, part: int, *, at_end: bool = False) -> str:
        """Return the parentheses before the first significant character that follows the start of `part`.

        With `at_end`, return those after the last significant character that precedes the end of `part`.
        """
        outer = ""
        while True:
            text = self._parts[part]
            inner = text.rstrip(_OUTER) if at_end else text.lstrip(_OUTER)
            outer = text[len(inner) :] + outer if at_end else outer + text[: len(text) - len(inner)]
            if inner:
                return outer.translate(_BLANK_OR_COMMA)
            part += -1 if at_end else 1


def _bytes(text: str) -> bytes:
    """Return `text` with one byte per character."""
    return text.encode("ascii", "replace")
