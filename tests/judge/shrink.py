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
"""The number of candidates run at a time."""
ROUNDS = 30


def shrunk(
    program: Case,
    run: Callable[[Sequence[Case]], list[Answer]],
    target: Class,
    answer: Answer,
    language: str,
) -> Case:
    """A smaller program that still compares as `target`, after at most `ROUNDS` runs."""
    code = _code(answer)
    seen: set[str] = set()
    for _ in range(ROUNDS):
        fresh = {str(less): less for less in _smaller(program) if len(str(less)) < len(str(program))}
        batch = list(islice((less for text, less in fresh.items() if text not in seen), AT_ONCE))
        if not batch:
            return program
        seen.update(map(str, batch))
        found_by_judge, answers = verdicts([str(less) for less in batch]), run(batch)
        good = [
            less
            for less, verdict, new_answer in zip(batch, found_by_judge, answers, strict=True)
            if _code(new_answer) == code
            and compared(verdict, new_answer, str(less), evaluate_pure(str(less)), language) is target
        ]
        program = min(good, key=lambda less: len(str(less)), default=program)
    return program


def _code(answer: Answer) -> str:
    """The code of a diagnostic: a program that is refused for another reason is another program."""
    return answer.message.split(" ")[0] if answer.message.startswith("PCL") else ""


def _smaller(program: Case) -> Iterator[Case]:
    for index in range(len(program.sources)):
        yield replace(program, sources=program.sources[:index] + program.sources[index + 1 :])
    for less in smaller(program.output):
        yield replace(program, output=less)
    for index, source in enumerate(program.sources):
        for less in smaller(replace(source, fixed=True)):
            yield replace(program, sources=(*program.sources[:index], less, *program.sources[index + 1 :]))
