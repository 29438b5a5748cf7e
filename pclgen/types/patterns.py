r"""Regular expressions that mean the same in Python, JavaScript and Go (language.md, Constraints).

The subset is literal characters, classes, groups, alternatives, repetition, `^` and `$`. Syntax that the languages interpret
differently is refused (`\b`, look-around, flags, named groups) or written out (`.`, `\d`, `\w`, `\s`). The matcher keeps
the set of all possible states of the pattern, so that its time grows linearly with the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

_MOST_STATES: Final = 2000
_DEEPEST: Final = 50
_CLASSES: Final = {"d": "0-9", "w": "0-9A-Za-z_", "s": "\\t\\n\\f\\r "}
_CONTROLS: Final = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}
_PUNCTUATION: Final = frozenset("\\.+*?()|[]{}^$/-")
_REPEAT: Final = re.compile(r"\{(\d{1,4})(,(\d{0,4}))?\}")


class PatternError(Exception):
    """A pattern is refused; `at` is the offset of the reason."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.at = at


class _Chars(Struct, frozen=True):
    """A character in some ranges, or outside of them."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def takes(self, c: str) -> bool:
        """Return whether the set contains `c`."""
        return any(first <= c <= last for first, last in self.ranges) != self.negated


class _Split(Struct, frozen=True):
    """Continue at either of two steps."""

    first: int
    second: int


class _Edge(Struct, frozen=True):
    """The start (`^`) or the end (`$`) of the text."""

    is_start: bool


class _Done(Struct, frozen=True):
    """The pattern has matched."""


_Step: TypeAlias = "_Chars | _Split | _Edge | _Done"
_Part: TypeAlias = "tuple[_Step, ...]"
"""Steps; the targets of `_Split` are relative to the step itself."""


class _Reader(Struct, eq=False):
    """Parses a pattern by recursive descent. Each method returns the steps, and the text in a form for all languages."""

    text: str
    at: int = 0
    deep: int = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def fail(self, reason: str, at: int | None = None) -> PatternError:
        return PatternError(reason, self.at if at is None else at)

    def alternatives(self) -> tuple[_Part, str]:
        self.deep += 1
        if self.deep > _DEEPEST:
            raise self.fail(f"groups are nested more than {_DEEPEST} deep")
        parts = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            parts.append(self.sequence())
        self.deep -= 1
        steps, text = parts[-1]
        for before, spelled in reversed(parts[:-1]):
            steps = (_Split(1, len(before) + 2), *before, _Split(len(steps) + 1, len(steps) + 1), *steps)
            text = f"{spelled}|{text}"
        return self.bounded(steps), text

    def bounded(self, steps: _Part) -> _Part:
        if len(steps) > _MOST_STATES:
            raise self.fail("the pattern is too large")
        return steps

    def sequence(self) -> tuple[_Part, str]:
        steps: list[_Step] = []
        texts: list[str] = []
        while self.peek() not in ("", "|", ")"):
            part, text = self.repeated()
            steps += part
            texts.append(text)
            self.bounded(tuple(steps))
        return tuple(steps), "".join(texts)

    def repeated(self) -> tuple[_Part, str]:
        start = self.at
        part, text = self.single()
        repetition = self.repetition()
        if repetition is None:
            return part, text
        if any(isinstance(step, _Edge) for step in part):
            raise self.fail("`^` and `$` cannot be repeated", start)
        fewest, most, written = repetition
        if len(part) * max(fewest, most or 0, 1) > _MOST_STATES:
            raise self.fail("the pattern is too large", start)
        steps: list[_Step] = list(part) * fewest
        if most is None:
            steps += (_Split(1, len(part) + 2), *part, _Split(-len(part) - 1, -len(part) - 1))
        else:
            for left in range(most - fewest, 0, -1):
                steps += (_Split(1, left * (len(part) + 1)), *part)
        if self.peek() == "?":  # a lazy repetition matches the same texts
            self.at += 1
            written += "?"
        if self.repetition() is not None:
            raise self.fail("a repetition of a repetition; put the inner one into a group", start)
        return self.bounded(tuple(steps)), text + written

    def repetition(self) -> tuple[int, int | None, str] | None:
        c = self.peek()
        if c in ("*", "+", "?") and c:
            self.at += 1
            return {"*": (0, None, c), "+": (1, None, c), "?": (0, 1, c)}[c]
        match = _REPEAT.match(self.text, self.at)
        if match is None:
            return None
        fewest = int(match[1])
        most = fewest if match[2] is None else int(match[3]) if match[3] else None
        if max(fewest, most or 0) > 1000 or (most is not None and most < fewest):
            raise self.fail("the bounds of a repetition must be in order, and at most 1000")
        self.at = match.end()
        return fewest, most, match[0]

    def single(self) -> tuple[_Part, str]:
        c, start = self.peek(), self.at
        self.at += 1
        match c:
            case "(":
                return self.group(start)
            case "[":
                return self.char_class(start)
            case ".":
                return (_Chars((("\n", "\n"),), True),), r"[^\n]"
            case "^" | "$":
                return (_Edge(c == "^"),), c
            case "\\":
                return self.escape(start)
            case "*" | "+" | "?" | "{" | "}" | "]":
                raise self.fail(f'"{c}" is a literal character only as "\\{c}"', start)
            case _:
                return (_Chars(((c, c),)),), c

    def group(self, start: int) -> tuple[_Part, str]:
        if self.peek() == "?":
            if self.text[self.at : self.at + 2] != "?:":
                raise self.fail("only (?:…) means the same in every language, not other groups with `?`", start)
            self.at += 2
        steps, text = self.alternatives()
        if self.peek() != ")":
            raise self.fail('")" expected', start)
        self.at += 1
        return steps, f"(?:{text})"

    def escape(self, start: int) -> tuple[_Part, str]:
        c = self.peek()
        self.at += 1
        if c and c.lower() in _CLASSES:
            inside = _CLASSES[c.lower()]
            ranges = _Reader(f"{inside}]").members()
            return (_Chars(ranges, c.isupper()),), f"[{'^' if c.isupper() else ''}{inside}]"
        return (_Chars(((self.escaped(c, start),) * 2,)),), f"\\{c}" if c != "-" else c

    def escaped(self, c: str, start: int) -> str:
        if c in _CONTROLS:
            return _CONTROLS[c]
        if c not in _PUNCTUATION:
            raise self.fail(f'"\\{c}" does not mean the same in every language', start)
        return c

    def char_class(self, start: int) -> tuple[_Part, str]:
        negated = self.peek() == "^"
        self.at += negated
        inside = self.at
        ranges = self.members()
        text = self.text[inside : self.at - 1]
        for name, spelled in _CLASSES.items():
            parts = re.split(rf"(?<!\\)((?:\\\\)*)\\{name}", text)
            text = "".join(part if at % 2 == 0 else part + spelled for at, part in enumerate(parts))
        if not ranges:
            raise self.fail("a class of no characters", start)
        return (_Chars(ranges, negated),), f"[{'^' if negated else ''}{text}]"

    def members(self) -> tuple[tuple[str, str], ...]:
        ranges: list[tuple[str, str]] = []
        while self.peek() != "]":
            start = self.at
            first = self.member()
            if len(first) > 1 or not (self.peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", "")):
                ranges += [(c, c) for c in first] if len(first) == 1 else _Reader(f"{_CLASSES[first[1]]}]").members()
                continue
            self.at += 1
            last = self.member()
            if len(last) > 1 or last < first:
                raise self.fail("the bounds of a range must be in order", start)
            ranges.append((first, last))
        self.at += 1
        return tuple(ranges)

    def member(self) -> str:
        """A character of a class, or the name of a class with its backslash."""
        c, start = self.peek(), self.at
        self.at += 1
        if not c:
            raise self.fail('"]" expected', start)
        if c == "[":
            raise self.fail('"[" is a literal character only as "\\["', start)
        if c in "&~|-" and self.peek() == c:
            raise self.fail(f'"{c}{c}" does not mean the same in every language', start)
        if c != "\\":
            return c
        c = self.peek()
        self.at += 1
        return f"\\{c}" if c in _CLASSES else self.escaped(c, start)


@lru_cache(maxsize=500)
def _read(pattern: str) -> tuple[_Part, str]:
    reader = _Reader(pattern)
    steps, text = reader.alternatives()
    if reader.at < len(pattern):
        raise PatternError('")" without "("', reader.at)
    return (*steps, _Done()), text


def check_pattern(pattern: str) -> None:
    """Raise `PatternError` for a pattern that does not mean the same in every language."""
    _read(pattern)


def portable(pattern: str) -> str:
    """Return the pattern for JavaScript and Go."""
    text = _read(pattern)[1]
    return text if re.search(r"\\[dws]|\.|\(|\\-", pattern, re.IGNORECASE) else pattern


def for_python(pattern: str) -> str:
    """Return the pattern for Python, where `$` would also match before a last line end."""
    text = portable(pattern)
    return re.sub(r"(\\.|\[(?:\\.|[^\]\\])*\])|\$", lambda match: match[1] or r"\Z", text)


def matches(pattern: str, text: str) -> bool:
    """Return whether the pattern matches somewhere in `text`."""
    steps, _ = _read(pattern)
    places: set[int] = set()
    for index in range(len(text) + 1):
        places = _reached(steps, places | {0}, index, len(text))
        if any(isinstance(steps[place], _Done) for place in places):
            return True
        if index < len(text):
            current = ((place, steps[place]) for place in places)
            places = {place + 1 for place, step in current if isinstance(step, _Chars) and step.takes(text[index])}
    return False


def _reached(steps: _Part, places: set[int], index: int, length: int) -> set[int]:
    """Return the states that are reachable from `places` without a character."""
    reached: set[int] = set()
    pending = list(places)
    while pending:
        place = pending.pop()
        if place in reached:
            continue
        reached.add(place)
        match steps[place]:
            case _Split(first, second):
                pending += (place + first, place + second)
            case _Edge(is_start) if index == (0 if is_start else length):
                pending.append(place + 1)
            case _:
                pass
    return reached
