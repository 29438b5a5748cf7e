"""Constraints on values beyond their types, in JSON Schema's words (language.md, Constraints).

A rule is a document of plain data. A violation is reported in the same words here, in the evaluator and in the helpers of
all targets (`templates/<language>/helpers`). A rule concerns the values of one kind only (`minLength` texts), as in JSON
Schema; null keeps every rule. Messages do not show values that may be secret.

The patterns of rules are regular expressions that mean the same in Python, JavaScript and Go: literal characters, classes,
groups, alternatives, repetition, `^` and `$`. Syntax that the languages interpret differently is refused (word boundaries,
look-around, flags, named groups) or written out (`.`, and the short classes for digits, words and spaces). The matcher keeps
the set of all possible states of the pattern, so that its time grows linearly with the text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

from pclgen.types import model as ty
from pclgen.types.declarations import Facet, Facets

# -- rules ------------------------------------------------------------------------------------------------------------------

Json: TypeAlias = Facet
Rule: TypeAlias = Facets
"""A JSON Schema of these words; `texts` is an `enum` for strings only. Rules are never mutated."""

MINIMUM, MAXIMUM, ABOVE, BELOW = "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"
MULTIPLE, PATTERN, ENUM, TEXTS, UNIQUE = "multipleOf", "pattern", "enum", "texts", "uniqueItems"
ITEMS, VALUES, MEMBERS = "items", "additionalProperties", "properties"
TITLE, DESCRIPTION = "title", "description"
"""The name and the description of the alias of a type. They do not constrain values; targets name types after them."""

OF_NUMBERS: Final = (MINIMUM, MAXIMUM, ABOVE, BELOW, MULTIPLE)
OF_TEXTS: Final = ("minLength", "maxLength", PATTERN)
OF_LISTS: Final = ("minItems", "maxItems", UNIQUE)
OF_MAPS: Final = ("minProperties", "maxProperties")
COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")


_PAIRS: Final = (
    ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"),
    ("exclusiveMinimum", "exclusiveMaximum"), ("minimum", "exclusiveMaximum"), ("exclusiveMinimum", "maximum"),
)  # fmt: skip  # a table


class RuleError(Exception):
    """A rule is invalid; the message is the reason."""


def check_word(word: str, value: object) -> None:
    """Raise `RuleError` for an invalid argument of a rule's keyword."""
    if word == UNIQUE:
        if not isinstance(value, bool):
            raise RuleError(f"`{word}` is true or false")
    elif word == PATTERN:
        if not isinstance(value, str):
            raise RuleError(f"`{word}` is a text in quotes")
        try:
            check_pattern(value)
        except PatternError as problem:
            raise RuleError(f"the pattern cannot be used in every language: {problem}") from None
    elif isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not math.isfinite(float(value)):
        raise RuleError(f"`{word}` is a number")
    elif word in COUNTS and (not isinstance(value, int) or value < 0):
        raise RuleError(f"`{word}` is a whole number from 0")
    elif word == MULTIPLE and value <= 0:
        raise RuleError(f"`{word}` is more than 0")


def check_agreement(rule: Rule) -> None:
    """Raise `RuleError` if no value can satisfy a rule."""
    for low, high in _PAIRS:
        least, most = rule.get(low), rule.get(high)
        if isinstance(least, int | float) and isinstance(most, int | float):
            strict = "exclusive" in low + high
            if least > most or (strict and least == most):
                texts = number_text(float(least)), number_text(float(most))
                raise RuleError(f"no value has `{low}` {texts[0]} and `{high}` {texts[1]}")


def facets_of(t: ty.Type) -> tuple[str, ...]:
    """Return the keywords that may constrain a type."""
    if t in (ty.INT, ty.NUMBER):
        return OF_NUMBERS
    if t is ty.STRING:
        return OF_TEXTS
    return OF_LISTS if isinstance(t, ty.ListType) else OF_MAPS if isinstance(t, ty.MapType) else ()


def violation(value: object, rule: Rule, where: str, *, shown: bool = True) -> str | None:
    """Return the first violation by a known value, with its path: `config replicas: must be at most 10, and is 12`."""
    return next(_violations(value, rule, where, shown), None)


def own_violation(value: object, rule: Rule, where: str) -> str | None:
    """Return the first violation by the value itself without its parts, as `violation` does."""
    problem = next(_facets(value, rule, True), None)
    return None if problem is None else f"{where}: {problem}"


def _violations(value: object, rule: Rule, where: str, shown: bool) -> Iterator[str]:
    yield from (f"{where}: {problem}" for problem in _facets(value, rule, shown))
    if isinstance(value, list):
        for index, item in enumerate(value):
            inner = inner_rule(rule, index)
            if inner is not None:
                yield from _violations(item, inner, f"{where}[{index}]", shown)
    elif isinstance(value, dict):
        for name in sorted(value):
            inner = inner_rule(rule, name)
            if inner is not None:
                yield from _violations(value[name], inner, f"{where}.{name}", shown)


def inner_rule(rule: Rule, key: object) -> Rule | None:
    """Return the rule for an element or a member."""
    if isinstance(key, int):
        inner = rule.get(ITEMS)
    else:
        members = rule.get(MEMBERS)
        inner = members.get(str(key)) if isinstance(members, Mapping) else None
        inner = rule.get(VALUES) if inner is None else inner
    return inner if isinstance(inner, Mapping) else None


def _facets(value: object, rule: Rule, shown: bool) -> Iterator[str]:
    match value:
        case None:
            return
        case bool():
            pass
        case int() | float() | Decimal():
            yield from (text + _shown(value, shown) for text in _of_number(float(value), rule))
        case str():
            yield from _of_text(value, rule, shown)
        case list():
            yield from _of_count(len(value), rule, "number of items", "Items")
            if rule.get(UNIQUE) is True and len({_canonical(item) for item in value}) < len(value):
                yield "items must be unique"
        case dict():
            yield from _of_count(len(value), rule, "number of members", "Properties")
        case _:
            return
    allowed = rule.get(ENUM) or (rule.get(TEXTS) if isinstance(value, str) else None)
    if isinstance(allowed, list | tuple) and _canonical(value) not in [_canonical(constant_) for constant_ in allowed]:
        listed = ", ".join(show_scalar(constant_) for constant_ in allowed)
        yield f"must be one of {listed}{_shown(value, shown)}"


def _of_number(value: float, rule: Rule) -> Iterator[str]:
    least, most, above, below, step = (_number(rule, name) for name in OF_NUMBERS)
    if least is not None and value < least:
        yield f"must be at least {number_text(least)}"
    if most is not None and value > most:
        yield f"must be at most {number_text(most)}"
    if above is not None and value <= above:
        yield f"must be more than {number_text(above)}"
    if below is not None and value >= below:
        yield f"must be less than {number_text(below)}"
    if step is not None and abs(value / step - round(value / step)) > 1e-9:
        yield f"must be a multiple of {number_text(step)}"


def _of_text(value: str, rule: Rule, shown: bool) -> Iterator[str]:
    yield from _of_count(len(value), rule, "number of characters", "Length")
    pattern = rule.get(PATTERN)
    if isinstance(pattern, str) and not matches(pattern, value):
        yield f"must match {pattern}{_shown(value, shown)}"


def _of_count(count: int, rule: Rule, what: str, word: str) -> Iterator[str]:
    least, most = _number(rule, f"min{word}"), _number(rule, f"max{word}")
    if least is not None and count < least:
        yield f"the {what} must be at least {number_text(least)}, and is {count}"
    if most is not None and count > most:
        yield f"the {what} must be at most {number_text(most)}, and is {count}"


def _number(rule: Rule, name: str) -> float | None:
    limit = rule.get(name)
    return float(limit) if isinstance(limit, int | float) and not isinstance(limit, bool) else None


def _shown(value: object, shown: bool) -> str:
    return f", and is {show_scalar(value)}" if shown and isinstance(value, bool | int | float | Decimal | str) else ""


def show_scalar(value: object) -> str:
    """Return a value as messages show it: `"x"`, `12`, `true`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return number_text(float(value))
    return f'"{value}"'


def number_text(value: float) -> str:
    """Return the shortest decimal form of a number, without an exponent."""
    return f"{Decimal(repr(value)).normalize() + 0:f}"


def _canonical(value: object) -> str:
    """Return a text that is equal for equal values: whole numbers are the same with and without a fraction."""
    match value:
        case list():
            return f"[{','.join(_canonical(item) for item in value)}]"
        case dict():
            return json.dumps({key: _canonical(value[key]) for key in sorted(value)})
        case bool() | int() | float() | Decimal():
            return show_scalar(value)
        case _:
            return json.dumps(value, default=str)


def constant(value: ty.ConstValue) -> Json:
    """Return a constant of the program as a part of a rule."""
    return float(value) if isinstance(value, Decimal) else value


def enforced(rule: Rule | None) -> Rule | None:
    """Return the constraints of a rule, without names and descriptions; None if there are none."""
    if rule is None:
        return None
    result: dict[str, Json] = {}
    for word, argument in rule.items():
        if word in (ITEMS, VALUES) and isinstance(argument, Mapping):
            inner = enforced(argument)
            result |= {word: inner} if inner is not None else {}
        elif word == MEMBERS and isinstance(argument, Mapping):
            members = {name: enforced(part) for name, part in argument.items() if isinstance(part, Mapping)}
            parts = {name: part for name, part in members.items() if part is not None}
            result |= {word: parts} if parts else {}
        elif word not in (TITLE, DESCRIPTION):
            result[word] = argument
    return result or None


def size_of(rule: Rule) -> int:
    """Return the number of keywords in a rule and its parts."""
    inner = [part for key, part in rule.items() if key in (ITEMS, VALUES)]
    members = rule.get(MEMBERS)
    inner += list(members.values()) if isinstance(members, Mapping) else []
    return len(rule) + sum(size_of(part) for part in inner if isinstance(part, Mapping))


def rule_fits(rule: Rule) -> bool:
    """Return whether an untrusted document is a well-formed rule."""
    for word, value in rule.items():
        match word:
            case "title" | "description":
                fits = isinstance(value, str)
            case "hidden":
                fits = isinstance(value, bool)
            case "enum" | "texts":
                scalars = isinstance(value, list | tuple) and all(isinstance(v, bool | int | float | str) for v in value)
                fits = scalars and bool(value)
            case "items" | "additionalProperties":
                fits = isinstance(value, Mapping) and rule_fits(value)
            case "properties":
                fits = isinstance(value, Mapping) and all(isinstance(o, Mapping) and rule_fits(o) for o in value.values())
            case _:
                fits = word in (*OF_NUMBERS, *COUNTS, PATTERN, UNIQUE) and _is_valid(word, value)
        if not fits:
            return False
    return True


def _is_valid(word: str, value: object) -> bool:
    try:
        check_word(word, value)
    except (RuleError, OverflowError):
        return False
    return True


# -- patterns ---------------------------------------------------------------------------------------------------------------

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
