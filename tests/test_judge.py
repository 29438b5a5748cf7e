"""The judge of values, HashiCorp's HCL, and the evaluator compared with it (`tests/judge`)."""

from __future__ import annotations

import pytest

from tests.judge.evaluator import evaluated
from tests.judge.oracle import judged, verdicts
from tests.judge.programs import case
from tests.judge.verdicts import FAILS, GOOD, Value, compared


def test_the_judge_evaluates_programs() -> None:
    programs = {
        "a = [{ x = 1 }, { x = null, y = 2 }]\noutput o { value = [for e in a : try(e.y, e.x)] }": [1, 2],
        'output o "map(string)" { value = { a = 1, b = true } }': {"a": "1", "b": "true"},
        'config c "object({ x = string, y = optional(string, \\"q\\") })" {\n  default = { x = 1 }\n}\noutput o { value = c }': {
            "x": "1",
            "y": "q",
        },
        "b = a[0]\na = [secret(3)]\noutput o { value = b * length(a) }": 3,
    }
    answers = judged(list(programs))
    assert [answer.result for answer in answers] == [Value(value) for value in programs.values()]
    assert judged(["output o { value = [1][3] }"])[0].result == FAILS


def test_a_number_makes_always_the_same_program() -> None:
    assert [str(case(number)) for number in range(20)] == [str(case(number)) for number in range(20)]


def test_random_programs_in_the_evaluator() -> None:
    texts = [str(case(number)) for number in range(7_000_000, 7_000_300)]
    differing = [
        f"{text}\njudge: {verdict}\nevaluator: {answer}"
        for text, verdict, answer in zip(texts, verdicts(texts), map(evaluated, texts), strict=True)
        if compared(verdict, answer) not in GOOD
    ]
    assert not differing, "\n\n".join(differing)


RULES = 'rules = [{ name = "a" }, { name = "b", days = 5 }, { name = "c", days = null }]\noutput o { value = '

FOUND = {
    "a missing member is skipped": (RULES + "[for r in rules : try(r.days, 0)] }", [0, 5, None]),
    "a missing member is asked for": (RULES + "[for r in rules : can(r.days)] }", [False, True, True]),
    "a missing member is looked up": (RULES + '[for r in rules : lookup(r, "days", 1)] }', [1, 5, None]),
    "a name that all have": (RULES + "rules[*].name }", ["a", "b", "c"]),
    "a step into null fails": (
        "a = [{ b = null }, { b = { c = 1 } }]\noutput o { value = [for x in a : try(x.b.c, 2)] }",
        [2, 1],
    ),
    "an index outside fails": ("a = [1]\noutput o { value = [try(a[3], 4), can(a[0])] }", [4, True]),
    "no attempt converts another": ('output o { value = [try(1, "a"), try([][0], true, "x")] }', [1, True]),
    "a list indexed by text": ('output o { value = ["a", "b"]["1"] }', "b"),
    "unlike scalars stay what they are": ('output o { value = [for v in [1, "two", true] : v] }', [1, "two", True]),
    "unlike scalars as texts": ('output o { value = [for v in [1, "two", true] : "-${v}"] }', ["-1", "-two", "-true"]),
    "small numbers as texts": ('a = 0.0000001\noutput o { value = "-${a}" }', "-0.0000001"),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found(name: str) -> None:
    text, expected = FOUND[name]
    assert judged([text])[0].result == Value(expected)
    assert evaluated(text).result == Value(expected)
