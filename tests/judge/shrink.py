"""Smaller programs that differ in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.judge.nodes import smaller
from tests.judge.oracle import judged
from tests.judge.programs import Case
from tests.judge.verdicts import Answer, Class, compared


def shrunk(one: Case, run: Callable[[list[Case]], list[Answer]], wanted: Class, *, tries: int = 600) -> Case:
    """The smallest program found within so many tries that still compares as `wanted`."""
    code = _code(run([one])[0])
    seen: set[str] = set()
    improved = True
    while improved:
        improved = False
        for less in _smaller(one):
            if len(str(less)) >= len(str(one)) or str(less) in seen:
                continue
            seen.add(str(less))
            if len(seen) > tries:
                return one
            answer = run([less])[0]
            if _code(answer) == code and compared(judged([str(less)])[0], answer) is wanted:
                one, improved = less, True
                break
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
