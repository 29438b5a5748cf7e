"""Count the helpers of all corpora: `python -m tests.benchmarks.helpers [--by-helper]`.

A helper is a function that pclgen adds to a generated program. For each language and corpus:

    programs    that this language can express
    with any    programs that have a helper, in the program itself or in a file of helpers beside it
    helpers     definitions in all programs
    lines       of these definitions, without blank lines
    of          lines of the programs with their files of helpers
    uses        calls in the programs
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.support.generated import LANGUAGES
from tests.support.helper_corpora import CORPORA
from tests.support.inline_helpers import InlineHelpers, inline_helpers

COLUMNS = ("programs", "with any", "helpers", "lines", "of", "uses")


def main() -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.helpers", description=__doc__)
    parser.add_argument("--by-helper", action="store_true", help="also print the uses of each helper")
    args = parser.parse_args()
    rows: dict[str, dict[str, Counter[str]]] = {language: {} for language in LANGUAGES}
    uses: dict[str, Counter[str]] = {language: Counter() for language in LANGUAGES}
    with tempfile.TemporaryDirectory(prefix="pclgen-helpers-") as scratch:
        for corpus, make in CORPORA.items():
            for language, folders in make(Path(scratch, corpus)).folders.items():
                counted = [inline_helpers(folder, language, apart=True) for folder in folders.values()]
                rows[language][corpus] = sum(map(figures, counted), Counter())
                uses[language].update(sum((Counter(program.uses) for program in counted), Counter()))
    for language in LANGUAGES:
        print_table(language, rows[language])
        if args.by_helper:
            print("  " + ", ".join(f"{name} {count}" for name, count in uses[language].most_common()))
    return 0


def figures(helpers: InlineHelpers) -> Counter[str]:
    """The figures of one program."""
    return Counter(
        {
            "programs": 1,
            "with any": bool(helpers.lines),
            "helpers": len(helpers.lines),
            "lines": helpers.total,
            "of": helpers.program_lines,
            "uses": sum(helpers.uses.values()),
        }
    )


def print_table(language: str, rows: dict[str, Counter[str]]) -> None:
    """Print a line per corpus, and the totals."""
    print(f"{language:20}" + "".join(f"{column:>10}" for column in COLUMNS))
    for name, counts in [*rows.items(), ("all", sum(rows.values(), Counter()))]:
        print(f"  {name:18}" + "".join(f"{counts[column]:10}" for column in COLUMNS))


if __name__ == "__main__":
    sys.exit(main())
