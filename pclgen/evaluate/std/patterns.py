"""Functions of `std` with regular expressions of RE2, in time linear in the text, as in Go.

The engine is RE2 itself (`google-re2`, the extra `pclgen[evaluate]`). Work is counted before it is done: finding one match
may read all of the remaining text, and many matches in a long text take quadratic time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final, Protocol

from msgspec import Struct

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction
from pclgen.stdlib.values import Pieces, need_parts, need_text
from pclgen.trace.model import PropertyValue

NO_REGULAR_EXPRESSIONS: Final = (
    "functions with regular expressions need google-re2, which is missing: pip install 'pclgen[evaluate]'"
)
_SMALL: Final = 32  # instructions: RE2 keeps all states of so few, and a byte costs one step
_MEMORY: Final = 2 << 20  # of one pattern, with its states
_MOST_SHOWN: Final = 200
_OWN_BYTES: Final = re.compile(r"\\Q.*?(?:\\E|\Z)|\\(?P<escape>.)", re.DOTALL)


class _Match(Protocol):
    """A match of google-re2; positions count characters."""

    def __getitem__(self, group: int | str) -> str | None: ...

    def start(self) -> int: ...

    def end(self) -> int: ...


class _Pattern(Protocol):
    """A pattern of google-re2."""

    @property
    def groups(self) -> int: ...

    @property
    def groupindex(self) -> Mapping[str, int]: ...

    @property
    def programsize(self) -> int: ...

    def finditer(self, text: str) -> Iterator[_Match]: ...


def _compiled(pattern: str) -> _Pattern:
    if any(escape["escape"] == "C" for escape in _OWN_BYTES.finditer(pattern)):
        raise StdFailureError(f"the regular expression {_shown(pattern)} has \\C, which takes characters apart")
    re2 = _engine()
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        compiled: _Pattern = re2.compile(pattern, options)
    except UnicodeEncodeError:
        raise StdFailureError("half of a surrogate pair stands in the regular expression") from None
    except re2.error as problem:
        [reason] = problem.args
        words = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise StdFailureError(f"the regular expression {_shown(pattern)} is not understood: {words[:_MOST_SHOWN]}") from None
    return compiled


def _shown(pattern: str) -> str:
    return repr(pattern if len(pattern) <= _MOST_SHOWN else pattern[:_MOST_SHOWN] + "…")


def _engine() -> Any:
    try:
        return import_module("re2")
    except ImportError:
        raise StdFailureError(NO_REGULAR_EXPRESSIONS) from None


def _matches(args: Arguments, pattern: _Pattern, text: str) -> Iterator[_Match]:
    """Yield all matches, except empty ones directly after another match."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise StdFailureError("half of a surrogate pair stands in the text") from None
    weight = 1 if pattern.programsize <= _SMALL else pattern.programsize
    matches = pattern.finditer(text)
    end = at = -1
    while True:
        # Each character before the match is at least one byte: the remaining length is overestimated, never underestimated.
        args.work.spend((size - max(at, 0) + 1) * weight)
        match = next(matches, None)
        if match is None:
            return
        at = match.end()
        if match.start() == at == end:
            continue
        end = at
        yield match


def _captured(pattern: _Pattern, match: _Match, pieces: Pieces) -> PropertyValue:
    """The whole match; with groups, the groups, by name if they have names. Nested groups hold the same text: all are
    counted in `pieces`."""

    def text(group: int | str) -> str:
        captured = match[group] or ""
        pieces.append(captured)
        return captured

    if pattern.groups == 0:
        return text(0)
    if not pattern.groupindex:
        return tuple(map(text, range(1, pattern.groups + 1)))
    if len(pattern.groupindex) != pattern.groups:
        raise StdFailureError("the groups of a regular expression must all have names, or none")
    return {name: text(name) for name in pattern.groupindex}


def _regex(args: Arguments) -> PropertyValue:
    pattern, text = args.text("pattern"), args.text("string")
    compiled = _compiled(pattern)
    for match in _matches(args, compiled, text):
        return _captured(compiled, match, Pieces())
    raise StdFailureError(f"the pattern {_shown(pattern)} matches no part of the text")


def _regexall(args: Arguments) -> PropertyValue:
    pattern = _compiled(args.text("pattern"))
    captures: list[PropertyValue] = []
    texts = Pieces()
    for match in _matches(args, pattern, args.text("string")):
        need_parts((len(captures) + 1) * (pattern.groups + 1))
        captures.append(_captured(pattern, match, texts))
    return tuple(captures)


_REFERENCE: Final = re.compile(r"\$(?:(\$)|(\w+)|\{(\w+)\})", re.ASCII)
_MOST_DIGITS: Final = 9  # of the number of a group; there are fewer groups


def _replace(args: Arguments) -> PropertyValue:
    text, search, replacement = args.text("text"), args.text("search"), args.text("replace")
    if len(search) < 2 or not (search.startswith("/") and search.endswith("/")):
        need_text(len(text) + text.count(search) * (len(replacement) - len(search)))
        return text.replace(search, replacement)
    pattern = _compiled(search[1:-1])
    pieces = tuple(_pieces(pattern, replacement))
    result = Pieces()
    at = 0
    for match in _matches(args, pattern, text):
        result.append(text[at : match.start()])
        for piece in pieces:
            result.append(piece if isinstance(piece, str) else match[piece.number] or "")
        at = match.end()
    result.append(text[at:])
    return result.text()


class _Group(Struct, frozen=True):
    """The text of a group in a replacement."""

    number: int


def _pieces(pattern: _Pattern, replacement: str) -> Iterator[str | _Group]:
    """The parts of a replacement: text, and the values of `$1`, `$name`, `${name}` and `$$`; nothing for a missing group."""
    at = 0
    for reference in _REFERENCE.finditer(replacement):
        yield replacement[at : reference.start()]
        at = reference.end()
        name = reference[2] or reference[3]
        if name is None:
            yield "$"
        elif not name.isdigit():
            yield from (_Group(number) for number in (pattern.groupindex.get(name),) if number is not None)
        elif len(name) <= _MOST_DIGITS and int(name) <= pattern.groups:
            yield _Group(int(name))
    yield replacement[at:]


PATTERNS: Final[dict[str, StdFunction]] = {"regex": _regex, "regexall": _regexall, "replace": _replace}
