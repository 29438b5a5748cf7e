"""Count code that a person would not write: `python -m tests.benchmarks.handwritten [--by-program] [--json FILE]`.

It generates every program of the field corpus and of `examples/` in all languages and counts each of these in the code.
At equal behavior, smaller is better: a needless occurrence is a fault.

    lines           that are neither blank nor a comment
    helpers         functions that pclgen adds
    casts           `cast(…)`, `x as T`, `x.(T)`: assertions for the type checker (Go checks them again at run time)
    applies         callbacks on outputs
    alls            several outputs combined
    non-null        `x!`
    untyped         `map[string]any`, `[]any`, `Any` in annotations, `: any`
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from pclgen.schema.recovery.source import InstalledSource
from tests.support import toolchains
from tests.support.corpus import CORPUS
from tests.support.generated import (
    EXAMPLE_SCHEMAS,
    LANGUAGES,
    REAL_SCHEMAS,
    Generated,
    example_programs,
    generate,
    installed_programs,
)
from tests.support.toolchains import Sdks

SUFFIXES = {"python": ".py", "typescript": ".ts", "go": ".go"}

PATTERNS: Mapping[str, Mapping[str, re.Pattern[str]]] = {
    "python": {
        "helpers": re.compile(r"^def ", re.MULTILINE),
        "casts": re.compile(r"\bcast\("),
        "applies": re.compile(r"\.apply\("),
        "alls": re.compile(r"\bOutput\.all\("),
        "untyped": re.compile(r"\bAny\b(?<!import Any)"),
    },
    "typescript": {
        "helpers": re.compile(r"^(?:async )?function ", re.MULTILINE),
        "casts": re.compile(r"(?<!import \*) as (?!const\b)[\w{\[(]"),
        "applies": re.compile(r"\.apply\("),
        "alls": re.compile(r"\bpulumi\.all\("),
        "non-null": re.compile(r"[\w)\]]!(?=[.)\],;\[ ])(?! ?=)"),
        "untyped": re.compile(r"(?:: |<)any\b"),
    },
    "go": {
        "helpers": re.compile(r"^func (?!main\(|New[A-Z])", re.MULTILINE),
        "casts": re.compile(r"\.\((?!type\))[\w.*\[\]{}]+\)"),
        "applies": re.compile(r"\.Apply\w*\("),
        "alls": re.compile(r"\bpulumi\.All\("),
        "untyped": re.compile(r"\bmap\[string\](?:any|interface\{\})|\[\](?:any|interface\{\})"),
    },
}
COLUMNS = ("lines", "helpers", "casts", "applies", "alls", "non-null", "untyped")
_COMMENT = re.compile(r"^\s*(?:#|//).*$", re.MULTILINE)


def main() -> int:
    """Count and print; return 1 if a program is rejected."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.handwritten", description=__doc__)
    parser.add_argument("--by-program", action="store_true", help="also print the figures of each program")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the generated code there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pclgen-handwritten-") as scratch:
        counted: dict[str, dict[str, Counter[str]]] = {language: {} for language in LANGUAGES}
        for name, folders in programs(args.keep or Path(scratch)):
            for language, folder in folders.items():
                counted[language][name] = count(folder, language)
    for language, figures in counted.items():
        print_table(language, figures, by_program=args.by_program)
    if args.json:
        args.json.write_text(json.dumps(counted, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


def programs(out: Path) -> Iterator[tuple[str, Mapping[str, Path]]]:
    """The generated code of each program: a folder for each language."""
    [packages] = (toolchains.python(Sdks.INSTALLED).home / "venv").glob("lib/python*/site-packages")
    field = {path.name: path for path in sorted((CORPUS / "field").iterdir()) if path.is_dir()}
    for title, generated in (
        ("field", generate(field, out / "field", schemas=[REAL_SCHEMAS])),
        ("examples", generate(example_programs(), out / "examples", schemas=[EXAMPLE_SCHEMAS])),
        ("examples", generate(installed_programs(), out / "examples", schemas=[InstalledSource([packages])])),
    ):
        yield from _by_name(title, generated)


def _by_name(title: str, generated: Generated) -> Iterator[tuple[str, Mapping[str, Path]]]:
    if generated.refused:
        sys.exit(f"refused: {generated.refused}")
    for name in generated.folders[LANGUAGES[0]]:
        yield f"{title}/{name}", {language: generated.folders[language][name] for language in LANGUAGES}


def count(folder: Path, language: str) -> Counter[str]:
    """The figures of one program in one language."""
    figures: Counter[str] = Counter()
    for path in sorted(folder.rglob(f"*{SUFFIXES[language]}")):
        text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        figures["lines"] += sum(1 for line in text.splitlines() if line.strip())
        for column, pattern in PATTERNS[language].items():
            figures[column] += len(pattern.findall(text))
    return figures


def print_table(language: str, figures: Mapping[str, Counter[str]], *, by_program: bool) -> None:
    """Print a line per program if `by_program`, and the totals of the field programs and of the examples."""
    print(f"{language:40}" + "".join(f"{column:>10}" for column in COLUMNS))
    rows = list(figures.items()) if by_program else []
    for title in ("field", "examples"):
        total: Counter[str] = Counter()
        for name, counts in figures.items():
            if name.startswith(f"{title}/"):
                total += counts
        rows.append((f"all of {title}", total))
    for name, counts in rows:
        print(f"  {name:38}" + "".join(f"{counts[column]:10}" for column in COLUMNS))


if __name__ == "__main__":
    sys.exit(main())
