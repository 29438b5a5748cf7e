"""What evaluations answer, and how two answers compare."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from pclgen.source.numbers import decimal_text


@dataclass(frozen=True, slots=True)
class Value:
    """A value, in the types of JSON."""

    json: object


@dataclass(frozen=True, slots=True)
class Outcome:
    """Something other than a value."""

    word: str


FAILS = Outcome("fails")
REFUSED = Outcome("refused")
BROKEN = Outcome("broken")
"""The generated program does not compile, or is not generated."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program evaluates to, and the message of a failure."""

    result: Value | Outcome
    message: str = ""

    def __str__(self) -> str:
        shown = repr(self.result.json) if isinstance(self.result, Value) else self.result.word
        return f"{shown}  ({self.message})" if self.message else shown


class Class(StrEnum):
    """How the answer of a language compares with the judge's."""

    EQUAL = "equal"
    BOTH_FAIL = "fails in both"
    ROW = "a row of the table"
    UNTYPED = "a value of unknown type, left to the language"
    REFUSED = "refused, HCL has a value"
    FAILS = "fails, HCL has a value"
    VALUE = "a value, HCL fails"
    DIFFERS = "differs"
    BROKEN = "does not compile"


GOOD = frozenset({Class.EQUAL, Class.BOTH_FAIL, Class.ROW, Class.UNTYPED})
_STRICTER = re.compile(
    r"PCL0415|PCL0503|PCL0506|PCL0412 .*null|PCL0508|.*found (null|a (list|map)\(none\))( at .*)?$|PCL0604 .*: expected an? (map|list).*, found .* \|"
)
"""Refused by the table: a key and a step that HCL, too, would refuse if it came to them; a loop over what is a list in one case
and a map in another, and functions of what is a list or a map in one case only; what a condition says is null,
where null is refused, in a step or a text."""
_BEYOND_INTS = re.compile(r"whole number of (more than|at most) 64 bits|whole number, found -?[0-9.]+e\+(19|[2-9][0-9]|[0-9]{3})")
_NUMBER_KEY = re.compile(r"^KeyError: -?[0-9.]+$|there is no -?[0-9.]+ in the value", re.MULTILINE)
_UNTYPED = re.compile(r"\bany\b")
_LOOSE = re.compile(r"optional\(|\[\]|\{\}")
_LOOP = re.compile(r"\bfor\b|\[\*\]|\.\*|\bentries\(")
_ATTEMPT = re.compile(r"\b(try|can)\(")
_EXPONENT = re.compile(r"[0-9]+(?:\.[0-9]+)?e[+-][0-9]+")
_TEXT_INDEX = re.compile(r'\["[0-9]+"\]')


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge makes of a program: as HCL has it, by PCL's rows, by these where each part counts, where types are unknown,
    without locals that nothing uses, where an element past the end of a list is null, where the branches of conditionals are lists
    and maps, as those that a loop makes, where `try` skips nothing that does not fit, where it does not skip null either,
    with an index of `element` of more than 32 bits and no default of `lookup` that is not needed, where the types of branches
    are what is known before the program runs, and where an element of an output past its end is null.
    """

    hcl: Answer
    rows: Answer
    strict: Answer
    untyped: tuple[Answer, Answer]
    used: tuple[Answer, Answer]
    past: tuple[Answer, Answer]
    looped: Answer
    misfits: Answer
    nulls: Answer
    lenient: Answer
    vague: Answer
    lifted: Answer

    def __str__(self) -> str:
        return str(self.hcl) + ("" if self.rows.result == self.hcl.result else f"\nwith the rows: {self.rows}")


def compared(verdict: Verdict, found: Answer, text: str, evaluated: Answer, language: str = "evaluator") -> Class:
    """How `found`, the answer of a language to a program, compares with the judge's.

    Where the evaluator fails, too, a language may do with a value of unknown type what its own steps and operators do. It may
    also take a text for an index of a list, which the evaluator does not, and go on where HCL fails behind it. A local that
    nothing uses fails the evaluator, and need not be in the program of a language. Texts of numbers of unknown type may have
    exponents. An index of `element` may have more than 32 bits in a language, and a default of `lookup` that it does
    not need may fail. In TypeScript an element past the end of a list and a member of a value that has none are `undefined`
    (docs/targets.md, Steps), in an output in Go, too, where it is zero; Go has no whole numbers of more than 64 bits, and Go and Python have no numbers as keys of objects.
    """
    result = _by_rules(verdict, found, text)
    if result is Class.VALUE and evaluated.result == FAILS and any(_compared(one, found) is Class.EQUAL for one in verdict.used):
        return Class.ROW
    if language in ("python", "go") and _NUMBER_KEY.search(found.message) and _UNTYPED.search(text) is not None:
        return Class.ROW
    if language == "go" and _BEYOND_INTS.search(found.message):
        return Class.ROW
    if language != "evaluator" and result is Class.VALUE and _compared(verdict.lenient, found) is Class.EQUAL:
        return Class.ROW
    is_past = any(_compared(one, found) is Class.EQUAL for one in verdict.past[: 2 if _UNTYPED.search(text) else 1])
    if language in ("typescript", "go") and result is Class.VALUE and "secret(" in text and _is_lifted(verdict.lifted, found):
        return Class.ROW
    if language == "typescript" and result in (Class.VALUE, Class.DIFFERS) and is_past:
        return Class.ROW
    if not isinstance(found.result, Value) or result in GOOD or _UNTYPED.search(text) is None:
        return result
    indexed_fails = verdict.untyped[1].result == FAILS and _TEXT_INDEX.search(text) is not None
    untyped_fails = evaluated.result == FAILS and all(answer.result == FAILS for answer in verdict.untyped)
    fails_by_rows = evaluated.result == FAILS and verdict.rows.result == FAILS
    if untyped_fails or fails_by_rows or (result is Class.VALUE and (evaluated.result == FAILS or indexed_fails)):
        return Class.UNTYPED
    decimal = Answer(Value(_without_exponents(found.result.json)))
    return Class.UNTYPED if any(_compared(answer, decimal) in GOOD for answer in (verdict.hcl, verdict.rows)) else result


def _is_lifted(judge: Answer, found: Answer) -> bool:
    """Whether an answer is the judge's, with zero for null."""
    if not isinstance(judge.result, Value) or not isinstance(found.result, Value):
        return False
    is_zero = judge.result.json is None and found.result.json in (None, "", 0, False, [], {})
    return is_zero or _compared(judge, found) is Class.EQUAL


def _without_exponents(value: object) -> object:
    match value:
        case str():
            return _EXPONENT.sub(lambda number: decimal_text(Decimal(number[0])), value)
        case list():
            return [_without_exponents(element) for element in value]
        case dict():
            return {_without_exponents(name): _without_exponents(member) for name, member in value.items()}
        case _:
            return value


def _by_rules(verdict: Verdict, found: Answer, text: str) -> Class:
    first = _compared(verdict.hcl, found)
    if first in GOOD or found.result == BROKEN:
        return first
    is_strict = isinstance(verdict.strict.result, Outcome) or _STRICTER.match(found.message) is not None
    refused = found.result == REFUSED and is_strict
    is_untyped = _UNTYPED.search(text) is not None
    answers = [verdict.rows, verdict.misfits, verdict.vague]
    # A member that is not given is not there; an element of `[]` has no type; and where HCL refuses a conditional, its branches
    # stay as they are.
    if is_untyped or _LOOSE.search(text) or verdict.hcl.result == FAILS:
        answers += verdict.untyped
    if _LOOP.search(text):
        answers.append(verdict.looped)
    if _ATTEMPT.search(text):  # an argument of `try` with a mistake in a part that is not evaluated is skipped
        answers += [verdict.strict] if isinstance(verdict.strict.result, Value) else []
        answers += [verdict.nulls] if is_untyped else []
    by_rows = any(_compared(answer, found) in GOOD for answer in answers)
    return Class.ROW if refused or by_rows else first


def _compared(judge: Answer, found: Answer) -> Class:
    if found.result == BROKEN:
        return Class.BROKEN
    if isinstance(judge.result, Outcome):
        return Class.VALUE if isinstance(found.result, Value) else Class.BOTH_FAIL
    if isinstance(found.result, Value):
        return Class.EQUAL if same(judge.result.json, found.result.json) else Class.DIFFERS
    return Class.REFUSED if found.result == REFUSED else Class.FAILS


def same(one: object, other: object) -> bool:
    """Whether two values are the same: numbers as doubles, and a null member as one that is not there (which is what SDKs
    make of one that they send)."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-12)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same(one.get(key), other.get(key)) for key in {*one, *other})
    return one == other
