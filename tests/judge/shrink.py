"""Smaller programs that differ in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from pclgen.verify.hcl.verification import evaluate_pure
from tests.judge.nodes import smaller
from tests.judge.oracle import verdicts
from tests.judge.programs import Case
from tests.judge.verdicts import Answer, Class, compared

AT_ONCE = 40
"""So many candidates are run at a time."""


def shrunk(
    one: Case,
    run: Callable[[Sequence[Case]], list[Answer]],
    wanted: Class,
    answer: Answer,
    language: str,
    *,
    rounds: int = 30,
) -> Case:
    """A smaller program that still compares as `wanted`, after so many runs at most."""
    code = _code(answer)
    seen: set[str] = set()
    for _ in range(rounds):
        fresh = {str(less): less for less in _smaller(one) if len(str(less)) < len(str(one))}
        some = list(islice((less for text, less in fresh.items() if text not in seen), AT_ONCE))
        if not some:
            return one
        seen.update(map(str, some))
        found_by_judge, answers = verdicts([str(less) for less in some]), run(some)
        good = [
            less
            for less, verdict, found in zip(some, found_by_judge, answers, strict=True)
            if _code(found) == code and compared(verdict, found, str(less), evaluate_pure(str(less)), language) is wanted
        ]
        one = min(good, key=lambda less: len(str(less)), default=one)
    return one


def _code(answer: Answer) -> str:
    """The code of a diagnostic: a program that is refused for another reason is another program."""
    return answer.message.split(" ")[0] if answer.message.startswith("PCL") else ""


def _smaller(one: Case) -> Iterator[Case]:
    for index in range(len(one.sources)):
        yield replace(one, sources=one.sources[:index] + one.sources[index + 1 :])
    for less in smaller(one.output):
        yield replace(one, output=less)
    for index, source in enumerate(one.sources):
        for less in smaller(replace(source, fixed=True)):
            yield replace(one, sources=(*one.sources[:index], less, *one.sources[index + 1 :]))
