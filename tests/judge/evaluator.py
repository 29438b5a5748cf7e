"""The evaluator's answers."""

from __future__ import annotations

from collections.abc import Mapping

from pclgen import pipeline
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.trace.model import PropertyValue, Secret
from tests.judge.verdicts import FAILS, REFUSED, Answer, Value

STORE = SchemaStore([])


def evaluated(text: str) -> Answer:
    """What the evaluator makes of a program of one output."""
    checked = pipeline.bind(program_in_memory("judged", {"main.pp": text}), STORE)
    errors = [found for found in checked.diagnostics if found.severity is Severity.ERROR]
    if errors or checked.program is None:
        return Answer(REFUSED, shown(errors[0]))
    run = evaluate_program(checked.program, Settings(project="judged"))
    if run.trace.failed:
        return Answer(FAILS, next(found.message for found in run.diagnostics if found.severity is Severity.ERROR))
    [value] = run.trace.outputs.values()
    return Answer(Value(plain(value)))


def shown(found: Diagnostic) -> str:
    """A diagnostic in one line."""
    place = "" if found.primary is None else f" at {found.primary.start_position}"
    return f"{found.code}{place}: {found.message}"


def plain(value: PropertyValue) -> object:
    """A recorded value in the types of JSON, without marks of secrets."""
    match value:
        case Secret():
            return plain(value.value)
        case tuple():
            return [plain(element) for element in value]
        case Mapping():
            return {key: plain(inner) for key, inner in value.items()}
        case _:
            return value
