"""The judge of values, HashiCorp's HCL, and the evaluator compared with it (`tests/judge`)."""

from __future__ import annotations

from tests.judge.oracle import judged
from tests.judge.programs import case
from tests.judge.verdicts import FAILS, Value


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
