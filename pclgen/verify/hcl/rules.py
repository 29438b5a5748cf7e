"""The answer of the evaluator compared with HCL's, by the table in docs/language.md (Differences from HCL)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from pclgen.verify.hcl.judge import FAILS, REFUSED, Answer, Judge, Outcome, Value, same


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
