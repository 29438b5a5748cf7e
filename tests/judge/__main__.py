"""`python -m tests.judge --language evaluator,python,typescript,go --count 500 --seed 7`: random programs, judged by HCL."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from pclgen.verify.hcl.verification import evaluate_pure
from tests.judge import grid
from tests.judge.languages import answers_of
from tests.judge.oracle import verdicts
from tests.judge.programs import Case, case
from tests.judge.shrink import shrunk
from tests.judge.verdicts import GOOD, Answer, Class, Verdict, compared

LANGUAGES = ("evaluator", "python", "typescript", "go")


def main() -> None:
    """Print how each language compares, and the programs that differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.judge", description=__doc__)
    parser.add_argument("--language", default="evaluator", help="comma-separated: " + ", ".join(LANGUAGES))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7, help="program numbers start at a million times this")
    parser.add_argument("--show", type=int, default=5, help="differing programs to show for each class")
    parser.add_argument("--only", type=int, help="show the program with this number and all answers")
    parser.add_argument(
        "--whole", action="store_true", help="do not make programs smaller, which takes minutes in a language"
    )
    parser.add_argument("--grid", action="store_true", help="programs of `tests.judge.grid` in place of random ones")
    parser.add_argument("--no-types", action="store_true", help="do not ask the type checkers of Python and TypeScript")
    options = parser.parse_args()
    first = options.seed * 1_000_000
    numbers = [options.only] if options.only is not None else range(first, first + options.count)
    cases = grid.sample(options.seed, options.count) if options.grid else [case(number) for number in numbers]
    judgements = verdicts([str(program) for program in cases])
    expected = [evaluate_pure(str(program)) for program in cases]
    if options.only is not None:
        print(cases[0], f"judge: {judgements[0]}", f"evaluator: {expected[0]}", sep="\n")
    for language in options.language.split(","):
        answers = expected if language == "evaluator" else answers_of(language, cases, expected, types=not options.no_types)
        if options.only is not None:
            print(f"{language}: {answers[0]}")
        else:
            _compare(language, cases, judgements, expected, answers, options)


def _compare(
    language: str,
    cases: Sequence[Case],
    judgements: Sequence[Verdict],
    expected: Sequence[Answer],
    answers: Sequence[Answer],
    options: argparse.Namespace,
) -> None:
    items = list(zip(judgements, answers, map(str, cases), expected, strict=True))
    classes = [
        Class.EQUAL if options.grid and grid.agrees(*item, language) else compared(*item, language) for item in items
    ]
    total = Counter(classes)
    print(f"{language}: " + ", ".join(f"{total[item]} {item}" for item in Class if total[item]), flush=True)
    shown: Counter[Class] = Counter()
    for item, answer, outcome in zip(cases, answers, classes, strict=True):
        if outcome in GOOD or shown[outcome] >= options.show:
            continue
        shown[outcome] += 1
        less = (
            item
            if options.whole
            else shrunk(item, lambda candidates: answers_to(language, candidates, options), outcome, answer, language)
        )
        print(f"--- {language}: {outcome} (--only {item.number})", less, sep="\n")
        print(
            f"judge: {verdicts([str(less)])[0]}",
            f"{language}: {answers_to(language, [less], options)[0]}",
            "",
            sep="\n",
            flush=True,
        )


def answers_to(language: str, cases: Sequence[Case], options: argparse.Namespace) -> list[Answer]:
    """The answers of a language, each program alone, since their names may be the same."""
    expected = [evaluate_pure(str(program)) for program in cases]
    return (
        expected
        if language == "evaluator"
        else answers_of(language, cases, expected, together=1, types=not options.no_types)
    )


main()
