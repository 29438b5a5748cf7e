"""The judge: a Go program that evaluates PCL with HashiCorp's HCL and cty. Its sources lie in `go/`.

An `Answer` is the result of one evaluation, by the judge or by pclgen, in the types of JSON; `same` compares two of them.
`compare` compares the evaluator's answer with HCL's, by the table in docs/language.md (Differences from HCL).
"""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from pclgen.trace.model import PropertyValue, Secret

SOURCES: Final = Path(__file__).with_name("go")
_LONG_NUMBER: Final = re.compile(r"([0-9]{15})([0-9]{2,})")


class Value(Struct, frozen=True):
    """A value, in the types of JSON."""

    json: object


class Outcome(Struct, frozen=True):
    """A result other than a value."""

    name: str


FAILS: Final = Outcome("fails")
REFUSED: Final = Outcome("refused")
"""`check` reports an error."""


class Answer(Struct, frozen=True):
    """The result of one evaluation, and the message of a failure."""

    result: Value | Outcome
    message: str = ""

    def __str__(self) -> str:
        shown = repr(self.result.json) if isinstance(self.result, Value) else self.result.name
        return f"{shown}  ({self.message})" if self.message else shown

    def member(self, name: str) -> Answer:
        """Return the answer for one member of an object; a failure is the answer for every member."""
        if not isinstance(self.result, Value):
            return self
        assert isinstance(self.result.json, Mapping)
        return Answer(Value(self.result.json.get(name)))


class Judge(Struct, frozen=True):
    """The built program."""

    binary: Path

    def ask(self, texts: Sequence[str], *flags: str) -> list[Answer]:
        """Return HCL's answers to programs of one output each. Raises `OSError` and `subprocess.CalledProcessError`.

        `-rows`: the differences in docs/language.md (Differences from HCL) apply. The other flags choose between readings
        that they allow; `go/main.go` describes them.
        """
        command: list[str | Path] = [self.binary, *flags]
        ended = subprocess.run(command, input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True)
        return [_answer(result) for result in json.loads(ended.stdout)]


def _answer(result: dict[str, object]) -> Answer:
    if "failure" in result:
        return Answer(FAILS, str(result["failure"]))
    values = result["values"]
    assert isinstance(values, dict)
    (value,) = values.values()
    return Answer(Value(value))


def plain(value: PropertyValue) -> object:
    """Return a recorded value in the types of JSON, without marks of secrets."""
    match value:
        case Secret():
            return plain(value.value)
        case tuple():
            return [plain(element) for element in value]
        case Mapping():
            return {key: plain(member) for key, member in value.items()}
        case _:
            return value


def same(left: object, right: object) -> bool:
    """Return whether two values are equal.

    Numbers, also those in texts, are compared as doubles. A null member equals a missing member, because SDKs omit null
    members.
    """
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return math.isclose(left, right, rel_tol=1e-12)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return all(same(left.get(key), right.get(key)) for key in {*left, *right})
    if isinstance(left, str) and isinstance(right, str):
        return left == right or _as_doubles(left) == _as_doubles(right)
    return left == right


def _as_doubles(text: str) -> str:
    """Return `text` with zeros for the digits of numbers beyond the precision of a double."""
    return _LONG_NUMBER.sub(lambda number: number[1] + "0" * len(number[2]), text)


# -- the table of differences -----------------------------------------------------------------------------------------------


class Match(StrEnum):
    """How an answer compares with HCL's."""

    EQUAL = "equal"
    BOTH_FAIL = "fails in both"
    ROW = "a row of the table"
    REFUSED = "refused, HCL has a value"
    FAILS = "fails, HCL has a value"
    VALUE = "a value, HCL fails"
    DIFFERS = "differs"


AGREEING: Final = frozenset({Match.EQUAL, Match.BOTH_FAIL, Match.ROW})

UNTYPED: Final = re.compile(r"\bany\b")
"""A program with values of unknown type."""
TEXT_INDEX: Final = re.compile(r'\["[0-9]+"\]')
_STRICTER: Final = re.compile(
    r"PCL0415|PCL0503|PCL0513|PCL0412 .*null|PCL0508|PCL0506 .*: null cannot|.*found (null|a (list|map)\(none\))( at .*)?$"
)
"""Errors by the table: a key and a step that HCL refuses when it evaluates them; a loop over a list in one case and a map in
another, and functions of such a value; null where null is an error."""
_EXCLUDED: Final = re.compile(r"PCL0401 .*expected a list\(\w+\), found a list\(")
"""An error by the table in a program with `_FILTER`: a condition excludes all elements, whose types do not fit."""
_FILTER: Final = re.compile(r"\bfor\b.* if ")
_LOOSE: Final = re.compile(r"optional\(|\[\]|\{\}")
_LOOP: Final = re.compile(r"\bfor\b|\[\*\]|\.\*|\bentries\(")
_ATTEMPT: Final = re.compile(r"\b(try|can)\(")


class Judgement(Struct, frozen=True, kw_only=True):
    """The judge's answers to one program: HCL's own, and those by the table.

    `strict`: parts that are not evaluated count. `untyped`: types are unknown; in the second answer, a text is an index of a
    list nevertheless. `looped`: branches are lists and maps, as those that a loop makes. `misfits`: `try` skips null only.
    `unfitting`: the same where types are unknown. `nulls`: it does not skip null either. `vague`: the types of branches are
    those that are known before the program runs. `absent`: a null of the configuration is no member of its object.
    """

    hcl: Answer
    rows: Answer
    strict: Answer
    untyped: Answer
    indexed: Answer
    looped: Answer
    misfits: Answer
    unfitting: Answer
    nulls: Answer
    vague: Answer
    absent: Answer

    def __str__(self) -> str:
        return str(self.hcl) + ("" if self.rows.result == self.hcl.result else f"\nby the table: {self.rows}")

    def member(self, name: str) -> Judgement:
        """Return the judgement of one member of an object."""
        return Judgement(**{key: answer.member(name) for key, answer in asdict(self).items()})


def judgements(judge: Judge, texts: Sequence[str]) -> list[Judgement]:
    """Return the judgements of programs of one output each."""
    flags = {
        "hcl": (),
        "rows": ("-rows",),
        "strict": ("-rows", "-strict"),
        "untyped": ("-rows", "-untyped"),
        "indexed": ("-rows", "-untyped", "-indexed"),
        "looped": ("-rows", "-collections"),
        "misfits": ("-rows", "-misfits"),
        "unfitting": ("-rows", "-untyped", "-misfits"),
        "nulls": ("-rows", "-nulls"),
        "vague": ("-rows", "-vague"),
        "absent": ("-rows", "-absent"),
    }
    columns = [judge.ask(texts, *chosen) for chosen in flags.values()]
    return [Judgement(**dict(zip(flags, answers, strict=True))) for answers in zip(*columns, strict=True)]


def compare(judgement: Judgement, answer: Answer, text: str) -> Match:
    """Return how an answer to the program `text` compares with HCL's, by the table."""
    plainly = compare_answers(judgement.hcl, answer)
    if plainly in AGREEING:
        return plainly
    is_excluded = _EXCLUDED.match(answer.message) is not None and _FILTER.search(text) is not None
    is_strict = isinstance(judgement.strict.result, Outcome) or _STRICTER.match(answer.message) is not None
    if answer.result == REFUSED and (is_strict or is_excluded):
        return Match.ROW
    is_untyped = UNTYPED.search(text) is not None
    answers = [judgement.rows, judgement.misfits, judgement.vague, judgement.absent]
    # An optional member may be missing; an element of `[]` has no type; and where HCL refuses a conditional, its branches
    # are not converted.
    if is_untyped or _LOOSE.search(text) or judgement.hcl.result == FAILS:
        answers += [judgement.untyped, judgement.indexed]
    if _LOOP.search(text) or judgement.hcl.result == FAILS:
        answers.append(judgement.looped)
    if _ATTEMPT.search(text):  # an argument of `try` with a mistake in a part that is not evaluated is skipped
        answers += [judgement.strict] if isinstance(judgement.strict.result, Value) else []
        answers += [judgement.unfitting, judgement.nulls] if is_untyped else []
    return Match.ROW if any(compare_answers(other, answer) in AGREEING for other in answers) else plainly


def compare_answers(judge: Answer, answer: Answer) -> Match:
    """Return how an answer compares with one of the judge's."""
    if isinstance(judge.result, Outcome):
        return Match.VALUE if isinstance(answer.result, Value) else Match.BOTH_FAIL
    if isinstance(answer.result, Value):
        return Match.EQUAL if same(judge.result.json, answer.result.json) else Match.DIFFERS
    return Match.REFUSED if answer.result == REFUSED else Match.FAILS
