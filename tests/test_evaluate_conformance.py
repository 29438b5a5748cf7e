"""The evaluator against the real engine: every recorded run of the conformance tests.

A run is equal if it equals the reference engine's recording for at least one language.  `pcl` (the reference's interpreter,
without generated code) comes first, then Python, Node.js and Go: a difference between them comes from the reference or the
SDK, and the engine accepts each of them for this program.

Compared after the update: for every resource type, name, parent, provider (with the version of default providers), inputs,
secret marks, dependencies, dependencies of properties, options, id and outputs; the stack outputs; and whether the run
fails. Compared in the preview: stack outputs with their unknown and secret values.  In both: the operations on every
resource, which for a later run follow from the state that the run before it left (create, update, replace, same, delete,
read, import)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from pclgen import pipeline
from pclgen.core.program import Program
from pclgen.evaluate.run import Evaluation, evaluate_program
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from pclgen.trace.model import Registration, Secret
from tests.support.corpus import needs_corpus
from tests.support.recorded import Run, preview_differences, runs, state_differences
from tests.support.rules import for_all
from tests.support.sdks.runs import as_components
from tests.support.watched import Watched, made_by_providers

RUNS = {run.name: run for run in runs()}

_NOT_STARTED = "the engine refuses the policy pack and does not start the program; policies are no part of a program"

UPDATE_EXCEPTIONS: Mapping[str, str] = {
    "l3-component-primitive-conversions/0": (
        "recorded for the reference's interpreter only, which registers the inputs of local components as they are written "
        "and converts them inside; a typed component, as generated programs have it, gets them converted"
    ),
    "policy-config-schema/0": _NOT_STARTED,
    "policy-config-schema/1": _NOT_STARTED,
    "policy-invalid/0": _NOT_STARTED,
    "policy-remediate/0": "a policy changes the input after the program has registered it",
}
"""Runs with another state after the update, and the cause, which is not in pclgen."""

PREVIEW_EXCEPTIONS: Mapping[str, str] = {
    "policy-config-schema/0": _NOT_STARTED,
    "policy-config-schema/1": _NOT_STARTED,
    "policy-invalid/0": _NOT_STARTED,
}
"""The same for previews."""


def bound(run: Run, folder: Path) -> Program:
    """The bound program of a run.

    The schema of a provider that is written in the tested language comes from that language, and declares its resources as
    components; the recorded schema is only Go's."""
    schemas = [
        as_components(path, folder) if path.name.rsplit("-", 1)[0] in run.components else path for path in run.schemas
    ]
    checked = pipeline.bind(load_program(str(run.folder / run.main)), SchemaStore(schemas))
    assert checked.program is not None, [d.message for d in checked.diagnostics]
    return checked.program


def check(run: Run, folder: Path, *, preview: bool) -> list[str]:
    """The differences from the most similar recorded run; empty if the run is equal to a recording."""
    program = bound(run, folder)
    packages = {package.name: package for package in program.packages}
    best: list[str] | None = None
    for language in run.snapshots:
        evaluation = _evaluated(program, run.settings(language, preview=preview))
        compare = preview_differences if preview else state_differences
        differences = list(compare(run, language, evaluation.trace, packages))
        if not differences:
            return []
        if best is None or len(differences) < len(best):
            best = [*differences, *(d.message for d in evaluation.diagnostics)]
    assert best is not None, "every run has a snapshot"
    return best


def _evaluated(program: Program, settings: Settings) -> Evaluation:
    """The evaluation of a run, with components as their providers register them."""
    assert settings.default_model is not None, "recorded runs come with the model of their providers"
    model = Watched(settings.default_model)
    evaluation = evaluate_program(program, replace(settings, default_model=model))
    registrations = tuple(made_by_providers(evaluation.trace, model.made))
    return replace(evaluation, trace=replace(evaluation.trace, registrations=registrations))


@needs_corpus
@for_all("name", RUNS)
def test_the_state_after_the_update_is_the_recorded_one(name: str, tmp_path: Path) -> None:
    differences = check(RUNS[name], tmp_path, preview=False)
    if name in UPDATE_EXCEPTIONS:
        assert differences, f"{name} is equal now: take it from the list"
    else:
        assert differences == []


@needs_corpus
@for_all("name", RUNS)
def test_the_preview_is_the_recorded_one(name: str, tmp_path: Path) -> None:
    differences = check(RUNS[name], tmp_path, preview=True)
    if name in PREVIEW_EXCEPTIONS:
        assert differences, f"{name} is equal now: take it from the list"
    else:
        assert differences == []


@needs_corpus
def test_nearly_all_runs_are_equal() -> None:
    assert len(RUNS) >= 228
    assert len(UPDATE_EXCEPTIONS) <= 0.05 * len(RUNS)
    assert len(PREVIEW_EXCEPTIONS) <= 0.05 * len(RUNS)


def _without_secret(registration: Registration) -> Registration:
    return replace(registration, inputs={k: v.value if isinstance(v, Secret) else v for k, v in registration.inputs.items()})


CHANGES: Mapping[str, tuple[str, Callable[[Registration], Registration]]] = {
    "a secret": ("l2-resource-secret/0", _without_secret),
    "an input": ("l2-resource-simple/0", lambda registration: replace(registration, inputs={"value": False})),
    "a dependency": ("l2-resource-option-depends-on/0", lambda registration: replace(registration, dependencies=())),
    "a property's dependency": (
        "l3-component-simple/0",
        lambda registration: replace(registration, property_dependencies={}),
    ),
    "a provider": ("l2-explicit-provider/0", lambda registration: replace(registration, provider="")),
    "a provider's version": (
        "l2-resource-option-version/0",
        lambda registration: replace(registration, options=replace(registration.options, version="1.0.0")),
    ),
    "protection": (
        "l2-resource-option-protect/0",
        lambda registration: replace(registration, options=replace(registration.options, protect=None)),
    ),
    "a hook": (
        "l2-resource-option-hooks/0",
        lambda registration: replace(registration, options=replace(registration.options, hooks={})),
    ),
    "a name": ("l2-logical-name/0", lambda registration: replace(registration, urn=f"{registration.urn}x")),
    "an output": ("l2-resource-simple/0", lambda registration: replace(registration, outputs={})),
}


@needs_corpus
@pytest.mark.parametrize("what", CHANGES)
def test_the_comparison_sees_a_change_of(what: str, tmp_path: Path) -> None:
    name, change = CHANGES[what]
    run = RUNS[name]
    program = bound(run, tmp_path)
    packages = {package.name: package for package in program.packages}
    language = next(iter(run.snapshots))
    trace = evaluate_program(program, run.settings(language, preview=False)).trace
    changed = replace(trace, registrations=(trace.registrations[0], *map(change, trace.registrations[1:])))
    assert changed != trace
    before = set(state_differences(run, language, trace, packages))
    assert set(state_differences(run, language, changed, packages)) - before
