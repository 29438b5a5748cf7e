"""The language server over the corpora that `test_lsp_corpus` does not cover, each program with its own schemas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pclgen.core.expr import Symbol
from pclgen.core.walk import expressions_of, references
from pclgen.diagnostics.model import Severity
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import Settings
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.features import places
from pclgen.lsp.features.rename import Edit
from pclgen.lsp.session import Session
from pclgen.lsp.workspace import Document
from pclgen.source.text import Span
from tests.support.corpus import CORPUS, ROOT, SHARED, needs_corpus, program_directories
from tests.support.editing import session
from tests.support.rules import assert_followed
from tests.test_bind_corpus import RUNS
from tests.test_lsp_corpus import applied, renamed, without_places

pytestmark = needs_corpus
REAL = CORPUS / "schemas" / "real"
YAML = ROOT / "tests" / "cases"


@dataclass(frozen=True)
class Case:
    """A program with its schemas."""

    file: Path
    schemas: tuple[Path, ...]

    @property
    def id(self) -> str:
        """The name of the case in the list of tests."""
        return "-".join(self.file.parent.parts[-3:])


def cases() -> Iterator[Case]:
    """All programs."""
    for folder in program_directories("accepted-beyond-peer"):
        yield Case(folder / "main.pp", (REAL,))
    for file in sorted((SHARED / "spec" / "repro").glob("*/main.pp")):
        yield Case(file, (CORPUS / "schemas" / "codegen", REAL))
    for folder in program_directories("codegen"):
        yield Case(next(iter(sorted(folder.glob("*.pp")))), (CORPUS / "schemas" / "codegen",))
    for place, schemas, _ in RUNS:
        yield Case(sorted(place.glob("*.pp"))[0], tuple(CORPUS / "schemas" / "conformance" / name for name in schemas))


def yaml_cases() -> Iterator[Case]:
    """All programs in Pulumi YAML."""
    for folder in sorted((YAML / "yaml").iterdir()):
        file = next((folder / name for name in ("Main.yaml", "Pulumi.yaml") if (folder / name).is_file()), None)
        if file is not None:
            yield Case(file, (YAML / "yaml-schemas", REAL, CORPUS / "schemas" / "recovered"))


PCL = list(cases())
IN_YAML = list(yaml_cases())


@cache
def shared(schemas: tuple[Path, ...]) -> Session:
    """The session for all programs with the same schemas."""
    return session(*schemas)


def analysis_of(case: Case) -> Analysis:
    analysis = shared(case.schemas).analyses.of(case.file)
    assert isinstance(analysis, Analysis)
    return analysis


def references_of(analysis: Analysis) -> Iterator[tuple[Symbol, Span]]:
    """The references that binding resolved to names of the program, as written in the source."""
    for node in analysis.program.nodes:
        for root in expressions_of(node):
            for symbol, span in references(root):
                if symbol.kind.value not in ("range.key", "range.value", "args", "error") and span.text == symbol.name:
                    yield symbol, span


def misses(case: Case) -> Iterator[str]:
    """References of a program whose definition is not the declaration of the name."""
    analysis = analysis_of(case)
    for symbol, span in references_of(analysis):
        target = places.definition(analysis, analysis.files[span.file.name], span.start)
        at = target.span if target is not None else None
        is_inside = at is not None and symbol.span.start <= at.start <= at.end <= symbol.span.end
        if at is None or not is_inside or at.text.strip("\"'") != symbol.name:
            yield f"{case.id}: {span}: {symbol.name} leads to {at}"


def test_definition_answers_the_declaration_of_every_reference() -> None:
    assert_followed("definition answers the declaration", (miss for case in (*PCL, *IN_YAML) for miss in misses(case)))


def test_there_are_references() -> None:
    counts = [sum(len(list(references_of(analysis_of(case)))) for case in part) for part in (PCL, IN_YAML)]
    assert counts[0] > 500 and counts[1] > 150, counts


def with_texts(case: Case, texts: dict[str, str]) -> Analysis:
    """The program after edits of its files."""
    own = shared(case.schemas)
    for name, text in texts.items():
        own.open(Document(uri=Path(name).as_uri(), path=Path(name), text=text, version=2))
    after = analysis_of(case)
    for name in texts:
        own.close(Path(name))
    return after


def useless_fixes(case: Case) -> Iterator[str]:
    """Fixes of a program that leave their diagnostic, or add another."""
    analysis = analysis_of(case)
    before = [(problem.code, problem.message) for problem in analysis.diagnostics]
    for diagnostic in analysis.diagnostics:
        fix, primary = diagnostic.fix, diagnostic.primary
        if fix is None or primary is None:
            continue
        text = applied(primary.file.text, [Edit(span=fix.span, text=fix.text)])
        left = [(problem.code, problem.message) for problem in with_texts(case, {primary.file.name: text}).diagnostics]
        same = (diagnostic.code, diagnostic.message)
        if left.count(same) >= before.count(same) or len(left) >= len(before):
            yield f"{case.id}: {primary}: {fix.title}: {left}"


def test_a_fix_removes_its_diagnostic() -> None:
    assert_followed("a fix removes its diagnostic", (fix for case in (*PCL, *IN_YAML) for fix in useless_fixes(case)))


def test_there_are_fixes() -> None:
    assert sum(diagnostic.fix is not None for case in (*PCL, *IN_YAML) for diagnostic in analysis_of(case).diagnostics) > 3


def run(analysis: Analysis) -> str:
    """A run without configuration, or the reason why it failed."""
    return without_places(evaluate_program(analysis.program, Settings(project="p", stack="dev")).trace)


@pytest.mark.parametrize("case", PCL, ids=lambda case: case.id)
def test_a_program_with_other_names_is_the_same_program(case: Case) -> None:
    before = analysis_of(case)
    errors = [diagnostic.message for diagnostic in before.diagnostics if diagnostic.severity is Severity.ERROR]
    if errors:
        return  # renaming cannot cover a program with errors
    after = with_texts(case, renamed(before))
    assert [diagnostic.message for diagnostic in after.diagnostics if diagnostic.severity is Severity.ERROR] == []
    assert run(after) == run(before)
