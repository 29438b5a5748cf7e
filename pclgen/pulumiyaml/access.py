"""`${…}` in texts of Pulumi YAML.

A scalar has parts: texts and paths to values (`Access`), each with its span; in a folded text or a text with escapes, that
is the span of the whole scalar.

    "http://${bucket.endpoints[0]}/"  ->  "http://", Access(bucket, "endpoints", 0), "/"
    "$${HOME} $$"                     ->  "${HOME} $"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import Span
from pclgen.source.yamltree import YamlScalar

_OPENING: Final = re.compile(r"\$\$|\$\{")
_BARE: Final = re.compile(r"[^.\[\]{}$\"\s]+")
_INDEX: Final = re.compile(r"\[\s*(\d{1,18})\s*\]")
_QUOTED: Final = re.compile(r'\[\s*"((?:[^"\\]|\\.)*)"\s*\]', re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


class Step(Struct, frozen=True, kw_only=True):
    """A step of a path: a member or an index."""

    key: str | int
    dotted: bool
    span: Span


class Access(Struct, frozen=True, kw_only=True):
    """The path in `${root.steps}`; the span includes `${` and `}`."""

    root: Step
    steps: tuple[Step, ...]
    span: Span


class Text(Struct, frozen=True, kw_only=True):
    """The text between paths, with `$$` resolved."""

    value: str
    span: Span


Part: TypeAlias = Text | Access


def parts_of(scalar: YamlScalar, bag: DiagnosticBag) -> tuple[Part, ...] | None:
    """Return the parts of a text; None after an error, which is reported to `bag`."""
    text = scalar.text
    if "$" not in text:
        return (Text(value=text, span=scalar.span),) if text else ()
    parts: list[Part] = []
    places = _Places(scalar)
    written = ""
    at = 0
    while opening := _OPENING.search(text, at):
        written += text[at : opening.start()]
        at = opening.end()
        if opening[0] == "$$":
            written += "$"
            continue
        if written:
            parts.append(Text(value=written, span=places.text(written)))
            written = ""
        reading = _Reading(text, at)
        access = reading.access(bag, places, opening.start())
        if access is None:
            return None
        parts.append(access)
        at = reading.at
    written += text[at:]
    if written:
        parts.append(Text(value=written, span=places.text(written)))
    return tuple(parts)


class _Places:
    """The positions in the file of a scalar's characters, found from one `${` to the next."""

    def __init__(self, scalar: YamlScalar) -> None:
        self.scalar = scalar
        self.written = scalar.span.text
        self.reached = 0
        self.moved: int | None = None
        """The difference between a position in the file and an offset in the text, near the last `${`."""

    def anchor(self, offset: int, inner: str) -> None:
        """Find the text `inner`, which begins with the `${` at `offset`, in the file."""
        position = self.written.find(inner, self.reached)
        self.moved = None if position < 0 else self.scalar.span.start + position - offset
        self.reached = self.reached if position < 0 else position + len(inner)

    def text(self, text: str) -> Span:
        """Return the span of `text`, the next part of the scalar."""
        position = self.written.find(text, self.reached)
        start = self.scalar.span.start + position
        return self.scalar.span if position < 0 else self.scalar.span.file.span(start, start + len(text))

    def span(self, start: int, end: int) -> Span:
        if self.moved is None:
            return self.scalar.span
        return self.scalar.span.file.span(start + self.moved, end + self.moved)


class _Reading:
    """The parser of the path inside one `${ }`."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def access(self, bag: DiagnosticBag, places: _Places, opened: int) -> Access | None:
        """Parse the path that begins here, after `${`; return None after an error."""
        start = self.at
        raw_steps = list(self._steps())
        closed = self.text.startswith("}", self.at)
        end = self.at + 1 if closed else min(len(self.text), self.at + 1)
        places.anchor(opened, self.text[opened:end])
        span = places.span(opened, end)
        if not closed:
            missing = self.at >= len(self.text)
            message = "`${` is not closed" if missing else f"`{self.text[self.at]}` is not allowed in ${{ }}"
            bag.add(say.bad_access(message, span))
            return None
        if not raw_steps or isinstance(raw_steps[0][0], int):
            bag.add(say.bad_access("`${}` names no value" if start == self.at else "${ } begins with a name", span))
            return None
        steps = [Step(key=key, dotted=dotted, span=places.span(a, b)) for key, dotted, a, b in raw_steps]
        self.at = end
        return Access(root=steps[0], steps=tuple(steps[1:]), span=span)

    def _steps(self) -> Iterator[tuple[str | int, bool, int, int]]:
        """Yield each key, whether it follows a dot, and its start and end; stop at anything else."""
        first = True
        while True:
            start = self.at
            dot = not first and self.text.startswith(".", start)
            bare = _BARE.match(self.text, start + dot) if first or dot else None
            if bare is not None:
                self.at = bare.end()
                yield bare[0], True, bare.start(), bare.end()
            elif (index := _INDEX.match(self.text, start + dot)) is not None:
                self.at = index.end()
                yield int(index[1]), False, index.start(), index.end()
            elif (quoted := _QUOTED.match(self.text, start + dot)) is not None:
                self.at = quoted.end()
                yield _ESCAPED.sub(r"\1", quoted[1]), False, quoted.start(), quoted.end()
            else:
                return
            first = False
