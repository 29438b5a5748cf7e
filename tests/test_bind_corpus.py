"""The corpus: valid programs are accepted, errors are reported at the expected position."""

from __future__ import annotations

import json
from pathlib import Path

from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.pipeline import check
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from tests.support.corpus import CORPUS, needs_corpus, program_directories
from tests.support.rules import for_all

REAL = SchemaStore([CORPUS / "schemas" / "real"])
_LENIENT = {"unknown-resource", "unknown-invoke", "snowflake-python-12998", "traverse-union-repro"}


def problems(directory: Path, store: SchemaStore, *, lenient: bool = False) -> list[Diagnostic]:
    """The errors of a program."""
    diagnostics = check(load_program(str(directory)), store=store, lenient=lenient).diagnostics
    return [d for d in diagnostics if d.severity is Severity.ERROR]


@needs_corpus
@for_all("directory", [*program_directories("field"), *program_directories("accepted-beyond-peer")])
def test_program_over_published_packages_is_accepted(directory: Path) -> None:
    """Also a program that the peer refuses."""
    assert problems(directory, REAL) == []


@needs_corpus
@for_all("directory", program_directories("codegen"))
def test_codegen_program_is_accepted(directory: Path) -> None:
    store = SchemaStore([CORPUS / "schemas" / "codegen"])
    assert problems(directory, store, lenient=directory.name in _LENIENT) == []


def conformance_runs() -> list[tuple[Path, tuple[str, ...], bool]]:
    """Each program of the conformance tests with its schemas and whether binding is expected to fail."""
    runs: dict[Path, tuple[Path, tuple[str, ...], bool]] = {}
    for directory in program_directories("conformance"):
        test = json.loads((directory / "test.json").read_text(encoding="utf-8"))
        for run in test["runs"]:
            place = directory / (run["program"] or "program") / (run["main"] or "")
            # `main` names the directory inside the generated project; the PCL itself may stand above it.
            place = place if list(place.glob("*.pp")) else directory / (run["program"] or "program")
            if not list(place.glob("*.pp")):
                nested = sorted({f.parent for f in place.rglob("*.pp")})
                place = nested[0] if nested else place
            fails = any(d["severity"] == 1 for d in run.get("bindDiagnostics", []))
            if place.is_dir():
                runs[place] = (place, tuple(test["schemas"]), fails)
    return list(runs.values())


RUNS = conformance_runs()


@needs_corpus
@for_all("run", RUNS, names=lambda run: str(run[0]))
def test_conformance_program(run: tuple[Path, tuple[str, ...], bool]) -> None:
    place, schemas, fails = run
    store = SchemaStore([CORPUS / "schemas" / "conformance" / name for name in schemas])
    assert bool(problems(place, store)) == fails


@needs_corpus
@for_all("directory", program_directories("bad"))
def test_an_error_is_reported_at_its_place(directory: Path) -> None:
    place = (directory / "expect.txt").read_text(encoding="utf-8").split()[0]
    line, column = map(int, place.split(":"))
    errors = problems(directory, REAL)
    assert len(errors) == 1, [d.message for d in errors]
    span = errors[0].primary
    assert span is not None
    start, end = span.start_position, span.end_position
    covers = (
        start.line == line and start.column <= column and (end.line > line or column < max(end.column, start.column + 1))
    )
    assert covers, f"{start.line}:{start.column} - {end.line}:{end.column}, expected {place}"
