"""Plant single errors in all valid programs of the repository: `python -m tests.planted --seed 7`.

Each must be reported exactly once: one diagnostic, an error, at its place.  `tests/test_planted.py` checks a part of them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from pclgen import pipeline
from pclgen.core.program import Program
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from tests.fuzz.seeds import Seed, seeds
from tests.support.planted import KINDS, Plant, Soil, soil


@dataclass(frozen=True, slots=True)
class Field:
    """A valid program to plant errors in, with the diagnostics of the original."""

    name: str
    soil: Soil
    store: SchemaStore
    issues: Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Finding:
    """A planted error with missing, additional or misplaced diagnostics."""

    field: str
    kind: str
    plant: Plant
    diagnostics: tuple[Diagnostic, ...]

    def __str__(self) -> str:
        plant = self.plant
        diagnostics = "".join(f"\n    {d.code} {d.primary}: {d.message}" for d in self.diagnostics) or "\n    nothing"
        place = f"{plant.file}, lines {plant.first} to {plant.last}, offset {plant.start}"
        return f"{self.kind} in {self.field}, {place}: {plant.text!r}{diagnostics}"


@cache
def _store(schemas: tuple[Path, ...]) -> SchemaStore:
    return SchemaStore(schemas)


def _checked(texts: dict[str, str], store: SchemaStore) -> tuple[Program | None, Sequence[Diagnostic]]:
    result = pipeline.check(program_in_memory("planted", texts), store=store)
    return result.program, result.diagnostics


def field(seed: Seed) -> Field | None:
    """The program of a seed; None if it has errors of its own."""
    files = {name: data for name, data in seed.program.files.items() if name.endswith(".pp")}
    try:
        texts = {name: data.decode("utf-8") for name, data in files.items()}
    except UnicodeDecodeError:
        return None
    store = _store(seed.schemas)
    program, issues = _checked(texts, store)
    return None if program is None else Field(seed.name, soil(texts, program), store, Counter((d.code, d.message) for d in issues))


@cache
def fields() -> tuple[Field, ...]:
    """All valid programs."""
    valid = (seed for seed in seeds() if not seed.name.startswith(("bad/", "repro/")))
    return tuple(program for seed in valid if (program := field(seed)) is not None)


def find(kind: str, chosen: Sequence[Field], seed: int) -> tuple[int, list[Finding]]:
    """Plant one error of a kind in each program that has a place for it; return their number and the faulty reports."""
    findings: list[Finding] = []
    number = 0
    for program in chosen:
        places = sorted(set(KINDS[kind](program.soil)), key=lambda p: (p.file, p.start, p.end, p.text))
        if places:
            number += 1
            findings += _judged(program, kind, Random(f"{seed}/{program.name}/{kind}").choice(places))
    return number, findings


def _judged(program: Field, kind: str, plant: Plant) -> Iterator[Finding]:
    text = program.soil.texts[plant.file]
    texts = {**program.soil.texts, plant.file: text[: plant.start] + plant.text + text[plant.end :]}
    issues = program.issues.copy()
    diagnostics: list[Diagnostic] = []
    for diagnostic in _checked(texts, program.store)[1]:
        if issues[diagnostic.code, diagnostic.message] > 0:
            issues[diagnostic.code, diagnostic.message] -= 1
        else:
            diagnostics.append(diagnostic)
    if not (len(diagnostics) == 1 and diagnostics[0].severity is Severity.ERROR and _is_at(diagnostics[0], plant)):
        yield Finding(program.name, kind, plant, tuple(diagnostics))


def _is_at(diagnostic: Diagnostic, plant: Plant) -> bool:
    span = diagnostic.primary
    return span is not None and span.file.name == plant.file and plant.first <= span.start_position.line <= plant.last


def main() -> int:
    """Print the findings and the number of planted errors; return 1 if there are findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="which places")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only mistakes of this kind")
    args = parser.parse_args()
    wrong = 0
    for kind in args.kind or KINDS:
        number, findings = find(kind, fields(), args.seed)
        for finding in findings:
            print(finding)
        print(f"{kind}: {number} planted, {len(findings)} findings", flush=True)
        wrong += len(findings)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
