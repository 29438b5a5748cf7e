"""The formatter of generated Python: black, in process.

The result is the same program in black's layout (88 columns, double quotes).

Black costs several milliseconds per resource, more than everything else together. So `format.brackets` lays out long
plain statements, which are most of a program's text, and black sees a short name in their place. If black would not
change the rest (`format.plain`), it is not even loaded; otherwise it formats everything else, including blank lines.
Tests compare whole files with black's.
"""

from __future__ import annotations

import re

from pclgen.format.brackets import WIDTH, lay_out
from pclgen.format.plain import is_settled

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
