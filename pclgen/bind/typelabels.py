"""Type labels of `config` and `output`: `string`, `list(map(int))`, `object({name = string})` (language.md, Configuration).

Only the type language is accepted (the reference takes the type of any expression).  Spans point into the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pclgen.bind.context import Context
from pclgen.diagnostics import structure as say
from pclgen.records import dataclass
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.model import (
    BOOL,
    DYNAMIC,
    ERROR,
    INT,
    NUMBER,
    STRING,
    Type,
    list_of,
    map_of,
    object_of,
    optional_of,
    tuple_of,
)

_NAMED: Mapping[str, Type] = {"any": DYNAMIC, "string": STRING, "number": NUMBER, "int": INT, "bool": BOOL}
# Nothing makes the elements of a configured set differ, in the reference neither: a set is what its list is.
_WRAPPERS: Mapping[str, Callable[[Type], Type]] = {
    "list": list_of,
    "set": list_of,
    "map": map_of,
    "optional": optional_of,
}
_IN_ANGLES = re.compile(r"\s*<\s*(\w+)\s*>.*")
_KNOWN = (*_NAMED, *_WRAPPERS, "object", "tuple")
_TOKEN = re.compile(r'\s*(?:([^\W\d][\w-]*)|("(?:[^"\\]|\\.)*")|([(){}\[\],=:])|(\S))')


class _BadLabelError(Exception):
    """The label was reported; parsing stops."""


@dataclass(slots=True)
class _Reader:
    """Recursive descent over the text of one label."""

    cx: Context
    span: Span  # of the label's text
    text: str
    at: int = 0

    def peek(self) -> tuple[str, int, int]:
        """The next token and where it stands in the text; an empty token at the end."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            return "", len(self.text), len(self.text)
        index = match.lastindex or 0
        return match.group(index), match.start(index), match.end(index)

    def take(self) -> str:
        token, _, end = self.peek()
        self.at = end
        return token

    def place(self, start: int, end: int) -> Span:
        """A range of the text in the program; the whole label where escapes shift offsets."""
        if len(self.text) != self.span.end - self.span.start:
            return self.span
        return Span(self.span.file, self.span.start + start, self.span.start + max(end, start))

    def fail(self, reason: str, instead: str | None = None) -> _BadLabelError:
        _, start, end = self.peek()
        self.cx.report(say.bad_type_label(reason, self.place(start, end), instead))
        return _BadLabelError()

    def expect(self, token: str) -> None:
        if self.peek()[0] != token:
            raise self.fail(f'"{token}" expected')
        self.take()

    def type(self) -> Type:
        token, start, end = self.peek()
        if not token or not (token[0].isalpha() or token[0] == "_"):
            raise self.fail("a type expected")
        self.take()
        if token in _NAMED:
            return _NAMED[token]
        if token in _WRAPPERS:
            if self.peek()[0] != "(":
                inside = _IN_ANGLES.fullmatch(self.text, self.at)
                raise self.fail('"(" expected', f'"{token}({inside[1] if inside is not None else "any"})"')
            self.take()
            inner = self.type()
            self._close(")")
            return _WRAPPERS[token](inner)
        if token == "object":
            return self._object()
        if token == "tuple":
            return self._tuple()
        self.cx.report(say.unknown_type(token, _KNOWN, self.place(start, end)))
        raise _BadLabelError

    def _close(self, token: str) -> None:
        if self.peek()[0] == ",":
            self.take()
        self.expect(token)

    def _object(self) -> Type:
        self.expect("(")
        self.expect("{")
        members: dict[str, Type] = {}
        while self.peek()[0] != "}":
            name = self.take()
            if not name or name in "(){}[],=:":
                raise self.fail("a member name expected")
            if self.peek()[0] not in ("=", ":"):
                raise self.fail('"=" expected')
            self.take()
            members[name.strip('"')] = self.type()
            if self.peek()[0] == ",":
                self.take()
        self.expect("}")
        self._close(")")
        return object_of(members)

    def _tuple(self) -> Type:
        self.expect("(")
        self.expect("[")
        elements: list[Type] = []
        while self.peek()[0] != "]":
            elements.append(self.type())
            if self.peek()[0] != ",":
                break
            self.take()
        self.expect("]")
        self._close(")")
        return tuple_of(elements)


def read_type_label(cx: Context, label: ast.Label) -> Type:
    """The type that a label denotes; ERROR after a report."""
    span = label.span
    if label.quoted:
        span = Span(span.file, span.start + 1, span.end - 1)
    reader = _Reader(cx, span, label.text)
    try:
        result = reader.type()
        if reader.peek()[0]:
            element = label.text.removesuffix("[]")
            instead = f'"list({element})"' if element in _NAMED else None
            raise reader.fail("nothing more expected after the type", instead)
    except _BadLabelError:
        return ERROR
    return result
