"""Compare the answers of generated programs with the judge's."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum

from msgspec import Struct

from pclgen.source.numbers import decimal_text
from pclgen.verify.hcl.judge import (
    FAILS,
    REFUSED,
    TEXT_INDEX,
    UNTYPED,
    Answer,
    Judgement,
    Match,
    Outcome,
    Value,
    compare,
    compare_answers,
    same,
)

__all__ = ["BROKEN", "FAILS", "GOOD", "REFUSED", "Answer", "Class", "Outcome", "Value", "Verdict", "compared", "same"]

BROKEN = Outcome("broken")
"""The generated program does not compile, or is not generated."""


class Class(StrEnum):
    """How the answer of a language compares with the judge's."""

    EQUAL = Match.EQUAL
    BOTH_FAIL = Match.BOTH_FAIL
    ROW = Match.ROW
    UNTYPED = "a value of unknown type, left to the language"
    REFUSED = Match.REFUSED
    FAILS = Match.FAILS
    VALUE = Match.VALUE
    DIFFERS = Match.DIFFERS
    BROKEN = "does not compile"


GOOD = frozenset({Class.EQUAL, Class.BOTH_FAIL, Class.ROW, Class.UNTYPED})
_BEYOND_INTS = re.compile(r"whole number of (more than|at most) 64 bits|whole number, found -?[0-9.]+e\+(19|[2-9][0-9]|[0-9]{3})")
_NUMBER_KEY = re.compile(r"^KeyError: -?[0-9.]+$", re.MULTILINE)
_NEGATIVE = "a negative number is not a valid index"
_EXPONENT = re.compile(r"[0-9]+(?:\.[0-9]+)?e[+-][0-9]{1,3}(?![0-9])")


class Verdict(Struct, frozen=True, kw_only=True):
    """The judgement of a program, and the other answers that languages may give.

    These are the judge's answers without unused locals, where an element past the end of a list is null, with an index of
    `element` of more than 32 bits and no default of `lookup` that is not needed, and where an element of an output past its
    end is null.
    """

    judgement: Judgement
    used: tuple[Answer, Answer]
    past: tuple[Answer, Answer]
    lenient: tuple[Answer, Answer]
    lifted: Answer

    @property
    def hcl(self) -> Answer:
        """HCL's own answer."""
        return self.judgement.hcl

    @property
    def rows(self) -> Answer:
        """The answer by the table."""
        return self.judgement.rows

    def __str__(self) -> str:
        return str(self.judgement)


def compared(verdict: Verdict, reply: Answer, text: str, evaluated: Answer, language: str = "evaluator") -> Class:
    """Compare `reply`, the answer of a language to a program, with the judge's.

    Where the evaluator fails, too, a language may apply its own steps and operators to a value of unknown type. It may also
    take a text as an index of a list, which the evaluator does not, and continue where HCL fails behind it. An unused local
    fails the evaluator, but a language may omit it from its program. Texts of numbers of unknown type may have
    exponents, and other lengths. An index of `element` may have more than 32 bits in a language, and a default of `lookup` that is not needed
    may fail. In TypeScript an element past the end of a list and a member of a value that has none are `undefined`
    (docs/targets.md, Steps), in an output in Go, too, where it is zero; a negative index of an output counts from the end in
    Python, and gives zero in Go. Go has no whole numbers of more than 64 bits, and Python has no numbers as keys of objects.
    """
    if reply.result == BROKEN:
        return Class.BROKEN
    result = Class(compare(verdict.judgement, reply, text))
    if result is Class.VALUE and evaluated.result == FAILS and any(_is_equal(answer, reply) for answer in verdict.used):
        return Class.ROW
    is_untyped = UNTYPED.search(text) is not None
    if language == "python" and _NUMBER_KEY.search(reply.message) and is_untyped:
        return Class.ROW
    if language == "go" and _BEYOND_INTS.search(reply.message):
        return Class.ROW
    if language != "evaluator" and result is Class.VALUE and any(_is_equal(answer, reply) for answer in verdict.lenient):
        return Class.ROW
    is_past = any(_is_equal(answer, reply) for answer in verdict.past[: 2 if is_untyped else 1])
    if language in ("typescript", "go") and result is Class.VALUE and "secret(" in text and _is_lifted(verdict.lifted, reply):
        return Class.ROW
    if language in ("python", "go") and result is Class.VALUE and "secret(" in text and _NEGATIVE in verdict.hcl.message:
        return Class.ROW
    if language == "typescript" and result in (Class.VALUE, Class.DIFFERS) and is_past:
        return Class.ROW
    if not isinstance(reply.result, Value) or result in GOOD or not is_untyped:
        return result
    if language == "typescript" and _EXPONENT.search(text) is not None and "length(" in text:
        return Class.UNTYPED
    judgement = verdict.judgement
    indexed_fails = judgement.indexed.result == FAILS and TEXT_INDEX.search(text) is not None
    untyped_fails = evaluated.result == FAILS and judgement.untyped.result == FAILS and judgement.indexed.result == FAILS
    fails_by_rows = evaluated.result == FAILS and verdict.rows.result == FAILS
    if untyped_fails or fails_by_rows or (result is Class.VALUE and (evaluated.result == FAILS or indexed_fails)):
        return Class.UNTYPED
    decimal = Answer(Value(_without_exponents(reply.result.json)))
    is_row = any(compare_answers(answer, decimal) is Match.EQUAL for answer in (verdict.hcl, verdict.rows))
    return Class.UNTYPED if is_row else result


def _is_equal(judge: Answer, answer: Answer) -> bool:
    return compare_answers(judge, answer) is Match.EQUAL


def _is_lifted(judge: Answer, answer: Answer) -> bool:
    """Whether an answer is the judge's, with zero for null."""
    if not isinstance(judge.result, Value) or not isinstance(answer.result, Value):
        return False
    is_zero = judge.result.json is None and answer.result.json in (None, "", 0, False, [], {})
    return is_zero or _is_equal(judge, answer)


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
