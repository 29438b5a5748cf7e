"""Every program of the corpus keeps the lowering contract, for every invented target and every real target."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pclgen.core.capabilities import Capabilities
from pclgen.core.check import check_lowered
from pclgen.core.pretty import pretty_program
from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.languages import LANGUAGES
from pclgen.lower.program import lower_program
from pclgen.pipeline import check
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from pclgen.targets.base import target
from tests.support.corpus import CORPUS, needs_corpus, program_directories
from tests.support.lowering import CAPABILITIES
from tests.support.recursion import deep_recursion
from tests.support.rules import for_all

REAL = SchemaStore([CORPUS / "schemas" / "real"])
CODEGEN = SchemaStore([CORPUS / "schemas" / "codegen"])
TARGETS: Mapping[str, Capabilities] = {**CAPABILITIES, **{name: target(name).capabilities for name in LANGUAGES}}


def _hold(program: Program | None) -> None:
    if program is None:
        return  # some programs of the corpus have errors; `test_bind_corpus` lists them
    with deep_recursion():
        before = pretty_program(program, types=True)
        for name, capabilities in TARGETS.items():
            bag = DiagnosticBag()
            lowered = lower_program(program, capabilities, bag)
            assert check_lowered(lowered, capabilities) == [], name
            assert len(bag) == 0
        assert pretty_program(program, types=True) == before, "lowering changed the bound program"


@needs_corpus
@for_all("directory", program_directories("field"))
def test_field(directory: Path) -> None:
    _hold(check(load_program(str(directory)), store=REAL).program)


@needs_corpus
@for_all("directory", program_directories("codegen"))
def test_codegen(directory: Path) -> None:
    _hold(check(load_program(str(directory)), store=CODEGEN, lenient=True).program)


CONFORMANCE = sorted({path.parent for place in program_directories("conformance") for path in place.rglob("*.pp")})


@needs_corpus
@for_all("directory", CONFORMANCE)
def test_conformance(directory: Path) -> None:
    store = SchemaStore(sorted((CORPUS / "schemas" / "conformance").iterdir()))
    _hold(check(load_program(str(directory)), store=store, lenient=True).program)
