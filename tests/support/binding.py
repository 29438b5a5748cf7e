"""Binding of small programs against the `probe` package, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pclgen.bind.binder import bind_program
from pclgen.core.program import Local, Program
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.schema.load import SchemaStore
from pclgen.source.text import SourceFile
from pclgen.types.model import Type

SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"


def bind_text(
    text: str, *, components: Mapping[str, str] | None = None, lenient: bool = False
) -> tuple[Program, tuple[Diagnostic, ...]]:
    """Bind one file; `components` are texts by directory."""
    bag = DiagnosticBag()

    def load(directory: str) -> list[SourceFile] | str:
        content = (components or {}).get(directory)
        return "does not exist" if content is None else [SourceFile(f"{directory}/main.pp", content)]

    program = bind_program(
        "test",
        [SourceFile("main.pp", text)],
        SchemaStore([SCHEMAS]),
        bag,
        load_component=load,
        lenient=lenient,
    ).program
    return program, bag.sorted()


def codes_and_positions(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    """`(code, "line:column")` of each diagnostic."""
    positions = []
    for diagnostic in diagnostics:
        assert diagnostic.primary is not None
        at = diagnostic.primary.start_position
        positions.append((diagnostic.code, f"{at.line}:{at.column}"))
    return positions


def errors(text: str, *, components: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """`(code, place)` of the errors of a program."""
    diagnostics = bind_text(text, components=components)[1]
    return codes_and_positions(tuple(d for d in diagnostics if d.severity is Severity.ERROR))


def type_of(setup: str, expression: str) -> Type:
    """The type of an expression after `setup`, which must be free of errors."""
    program, diagnostics = bind_text(f"{setup}\nsubject = {expression}\n")
    assert [d for d in diagnostics if d.severity is Severity.ERROR] == []
    local = next(n for n in program.nodes if isinstance(n, Local) and n.symbol.name == "subject")
    return local.value.type
