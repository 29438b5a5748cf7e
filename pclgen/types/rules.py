"""Constraints on values beyond their types, in JSON Schema's words (language.md, Constraints).

A rule is a document of plain data. A violation is reported in the same words here, in the evaluator and in the helpers of
all targets (`templates/<language>/helpers`). A rule concerns the values of one kind only (`minLength` texts), as in JSON
Schema; null keeps every rule. Messages do not show values that may be secret.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final, TypeAlias

from pclgen.types import model as ty
from pclgen.types.declarations import Facet, Facets
from pclgen.types.patterns import PatternError, check_pattern, matches

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
