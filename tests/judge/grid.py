"""Programs that choose between each two of some values, in each way, and read the result in each way.

Random programs rarely have two unlike values in one choice. The languages are compared with the evaluator here, as HCL converts
branches to one type (docs/language.md, Differences from HCL).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random

from pclgen.verify.hcl.judge import AGREEING, compare_answers
from tests.judge.differences import program_of
from tests.judge.programs import Case
from tests.judge.verdicts import BROKEN, GOOD, Answer, Verdict, compared

VALUES = (
    *("rules[0]", "rules[length(nothing) + 1]", "hidden[1]", "optionals[0]", "optionals[1]", "named.a", "loose[1]"),
    *("{ days = 2 }", '{ name = "q", days = "7" }', "{ name = null }", "{}", '{ for k in ["name"] : k => "v" }'),
    *("null", '"text"', "[1]"),
)
CHOICES = ("(!off ? {} : {})", "(off ? {} : {})", "try({}, {})", "[{}, {}][length(nothing)]")
READS = (
    *("try({}.name, null)", "try({}.days, 0)", 'try({}.days, "none")', "can({}.name)", 'lookup({}, "name", "d")', 'lookup({}, "days", 9)'),
    *("entries({})", "[for k, v in {} : v]", "{{ for k, v in {} : k => v }}", "toJSON({})", "{} == null", "length({})"),
    *('"${{try({}.name, 5)}}"', "{}"),
)


def expressions() -> Sequence[str]:
    """Every value of `CHOICES` between two of `VALUES`, in every place of `READS`."""
    choices = [choice.format(*pair) for choice in CHOICES for pair in permutations(VALUES, 2)]
    return [read.format(choice) for choice in choices for read in READS]


def sample(seed: int, count: int, *, without: str | None = None) -> list[Case]:
    """`count` programs of different expressions, none of which reads the source `without`."""
    usable = [text for text in expressions() if without is None or without not in text]
    return [program_of(number, text) for number, text in enumerate(Random(seed).sample(usable, count))]


def agrees(verdict: Verdict, reply: Answer, text: str, evaluated: Answer, language: str) -> bool:
    """Whether a language gives the evaluator's answer to the program `text`, or one that the judge accepts."""
    if reply.result == BROKEN:
        return False
    return compare_answers(evaluated, reply) in AGREEING or compared(verdict, reply, text, evaluated, language) in GOOD
