"""String literals of Python: the only module that turns text into a literal.

The literal evaluates to the text in Python 3.9 and later (`eval(quote(text)) == text`), in black's preferred form.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

QUOTES = ('"', "'")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class QuotesExhaustedError(Exception):
    """A text inside an f-string needs a backslash, or more quotes than are left."""


def quote(text: str, quotes: tuple[str, ...] = QUOTES) -> str:
    """A literal on one line.

    With fewer than two `quotes` the literal is inside the braces of an f-string. Before Python 3.12 these allow neither a
    backslash nor the quotes around them. Raises `QuotesExhaustedError` if the literal needs either.
    """
    best = choose(text, quotes)
    body = escape(text, best)
    refuse_inside(body, quotes)
    return f"{best}{body}{best}"


def refuse_inside(body: str, quotes: tuple[str, ...]) -> None:
    """Raise `QuotesExhaustedError` when the text of a literal cannot stand in the braces of the f-strings around it."""
    used = [mark for mark in QUOTES if mark not in quotes]
    if used and ("\\" in body or any(mark in body for mark in used)):
        raise QuotesExhaustedError


def choose(text: str, quotes: tuple[str, ...]) -> str:
    """The member of `quotes` that needs the fewest escapes around `text`."""
    best = min(quotes, key=text.count, default=None)
    if best is None:
        raise QuotesExhaustedError
    return best


def escape(text: str, quote_mark: str) -> str:
    """`text` for the inside of a literal on one line."""
    if text.isprintable() and quote_mark not in text and "\\" not in text:
        return text
    return "".join(_ESCAPES.get(c) or ("\\" + c if c == quote_mark else _visible(c)) for c in text)


def escape_lines(text: str) -> str:
    """`text` for the inside of triple double quotes: line feeds stay, everything else is as in `escape`."""
    out: list[str] = []
    run = 0
    for at, c in enumerate(text):
        run = run + 1 if c == '"' else 0
        if c == "\n":
            out.append(c)
        elif c == '"':
            # A third quote in a row, or a quote before the closing quotes, would end the literal.
            last = at + 1 == len(text)
            out.append('\\"' if run % 3 == 0 or last else c)
        else:
            out.append(_ESCAPES.get(c) or _visible(c))
    return "".join(out)


def quote_lines(text: str) -> str:
    """A literal in triple quotes; the text starts on the next line."""
    return f'"""\\\n{escape_lines(text)}"""'


def docstring(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a docstring; none if it would be empty."""
    texts = escape_lines("\n".join(line.strip() for line in lines).strip("\n")).split("\n")
    if not texts[0]:
        return ()
    return (f'"""{texts[0]}"""',) if len(texts) == 1 else (f'"""{texts[0]}', *texts[1:], '"""')


def braces(text: str) -> str:
    """`text` for the literal parts of a format string."""
    return text.replace("{", "{{").replace("}", "}}")


@lru_cache(maxsize=4096)
def _visible(c: str) -> str:
    if c.isprintable():
        return c
    code = ord(c)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
