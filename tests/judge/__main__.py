"""`python -m tests.judge --language evaluator,python,typescript,go --count 500 --seed 7`: random programs, judged by HCL."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable

from tests.judge.evaluator import evaluated
from tests.judge.oracle import judged
from tests.judge.programs import Case, case
from tests.judge.shrink import shrunk
from tests.judge.verdicts import GOOD, Answer, Class, compared

Language = Callable[[list[Case]], list[Answer]]

LANGUAGES: dict[str, Language] = {
    "evaluator": lambda cases: [evaluated(str(one)) for one in cases],
}


def main() -> None:
    """Print how each language compares, and the programs that do not agree."""
    parser = argparse.ArgumentParser(prog="python -m tests.judge", description=__doc__)
    parser.add_argument("--language", default="evaluator", help="comma-separated: " + ", ".join(LANGUAGES))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7, help="program numbers start at a million times this")
    parser.add_argument("--show", type=int, default=20, help="differing programs to show for each class")
    parser.add_argument("--only", type=int, help="show the program with this number and all answers")
    parser.add_argument("--whole", action="store_true", help="do not make programs smaller")
    options = parser.parse_args()
    first = options.seed * 1_000_000
    numbers = [options.only] if options.only is not None else range(first, first + options.count)
    cases = [case(number) for number in numbers]
    verdicts = judged([str(one) for one in cases])
    if options.only is not None:
        print(cases[0], f"judge: {verdicts[0]}", sep="\n")
    for language in options.language.split(","):
        _compare(language, cases, verdicts, options)


def _compare(language: str, cases: list[Case], verdicts: list[Answer], options: argparse.Namespace) -> None:
    run = LANGUAGES[language]
    answers = run(cases)
    if options.only is not None:
        print(f"{language}: {answers[0]}")
        return
    classes = [compared(verdict, answer) for verdict, answer in zip(verdicts, answers, strict=True)]
    shown: Counter[Class] = Counter()
    for one, found in zip(cases, classes, strict=True):
        if found in GOOD or shown[found] >= options.show:
            continue
        shown[found] += 1
        less = one if options.whole else shrunk(one, run, found)
        print(f"--- {language}: {found} (--only {one.number})", less, sep="\n")
        print(f"judge: {judged([str(less)])[0]}", f"{language}: {run([less])[0]}", "", sep="\n")
    total = Counter(classes)
    print(f"{language}: " + ", ".join(f"{total[one]} {one}" for one in Class if total[one]), flush=True)


main()
