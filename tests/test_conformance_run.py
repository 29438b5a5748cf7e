"""The conformance programs, run in Python, TypeScript and Go with the answers that the reference's engine recorded.

They run on generated SDKs, under the recording monitor.  A run is equal if its registrations and stack outputs are those of
a snapshot: first the snapshot of its own language, then the others, since a difference between snapshots comes from the
reference or the SDK.

The comparison is that of `tests.support.recorded` for the evaluator: for every resource type, name, parent, provider,
inputs, secret marks, dependencies, dependencies of properties, options, id and outputs, the stack outputs, the operations,
and whether the run fails."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from pclgen import pipeline
from pclgen.evaluate.run import evaluate_program
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from pclgen.trace.compare import ABSENT, Difference
from pclgen.verify.limits import Circumstances, explanation
from tests.support.corpus import needs_corpus
from tests.support.recorded import runs, state_differences
from tests.support.sdks.runs import SNAPSHOT_OF, Traced, component_schemas, repeated, traces

pytestmark = needs_corpus

_POLICY = "a policy decides, which is no part of a program: the engine does not start it, or changes its inputs afterwards"
_HOOK = "the monitor runs no hooks: this one fails, or makes the engine try again"
_MAIN = "the workers run programs in the root of their project, not in the directory that `main` names"
_DEEP = "values are nested more deeply than protobuf's own limit for messages in this process"
_BYTES = "the SDKs of these versions have no texts that are not UTF-8"
_MESSAGE = "the text of the engine's error is its own"
_VERSION = "versions of Python packages have no build metadata; the engine knows that of the plugin"
_TYPED = (
    "recorded for the reference's interpreter only, which registers the inputs of local components as they are written; a "
    "typed component gets them converted"
)

EVERYWHERE: Mapping[str, str] = {
    "l1-builtin-project-root-main/0": _MAIN,
    "l2-failed-create-recover-continue-on-error/0": _MESSAGE,
    "l2-large-map/0": _DEEP,
    "l2-raw-string-bytes/0": _BYTES,
    "l2-resource-hook-after-failure/0": _HOOK,
    "l2-resource-hook-on-error/0": _HOOK,
    "l2-resource-hook-panic/0": _HOOK,
    "l3-component-primitive-conversions/0": _TYPED,
    "policy-config-schema/0": _POLICY,
    "policy-config-schema/1": _POLICY,
    "policy-invalid/0": _POLICY,
    "policy-remediate/0": _POLICY,
}
"""Runs that differ in every language, and the cause."""

EXCEPTIONS: Mapping[str, Mapping[str, str]] = {
    "python": {"l2-parallel-resources/0": _VERSION, "l2-resource-alpha/0": _VERSION},
    "typescript": {},
    "go": {
        "l2-provider-grpc-config-secret/0": (
            "Go's SDK writes a secret element of a provider's setting into its JSON text instead of marking the whole text"
        ),
        "l2-resource-read/0": "Go's published SDKs send no version when they read a resource, the newest generator's do",
    },
}
"""Runs that differ in one language, and the cause."""


def _best(traced: Traced, language: str) -> list[str]:
    """The differences from the most similar snapshot; empty if the run is equal to a snapshot."""
    run = traced.repeated.run
    own = SNAPSHOT_OF[language]
    here = replace(run, folder=traced.repeated.staged.folder)
    best: list[str] | None = None
    for snapshot in sorted(run.snapshots, key=lambda name: name != own):
        trace = traced.run(snapshot, preview=False)
        errors = [entry.message[:300] for entry in trace.log if entry.severity == "error"]
        differences = ["nothing is registered"]
        if trace.registrations:
            differences = list(state_differences(here, snapshot, trace, traced.repeated.packages))
        if not differences:
            return []
        if best is None or len(differences) + len(errors) < len(best):
            best = [*differences, *errors]
    assert best is not None, "every run has a snapshot"
    return best


@pytest.mark.parametrize("language", SNAPSHOT_OF)
def test_runs_are_the_recorded_ones(language: str, tmp_path: Path) -> None:
    all_runs = list(runs())
    schemas = component_schemas(all_runs, tmp_path / "schemas")
    programs = repeated(all_runs, language, schemas, tmp_path / "programs")
    different = {}
    for traced in traces(programs, language, schemas, tmp_path / "programs"):
        best = _best(traced, language)
        if best:
            different[traced.repeated.run.name] = best
    exceptions = {**EVERYWHERE, **EXCEPTIONS[language]}
    equal = len(all_runs) - len(different)
    print(f"{language}: {equal} of {len(all_runs)} runs are equal to recorded ones")
    assert {name: best for name, best in different.items() if name not in exceptions} == {}
    assert {*exceptions} - {*different} == set(), "equal now: take them from the list"
    assert equal >= 0.9 * len(all_runs)


MADE_UP = ("component", "call", "invoke-", "explicit-providers", "namespaced-provider", "stack-reference")
"""Words in the names of runs with artificial answers that are more than samples of strings and numbers."""

EARLY = "l3-range-invoke-output-traversal/0"
"""A run with resources that range over the result of a function whose arguments are outputs of a resource."""


@pytest.mark.parametrize("language", SNAPSHOT_OF)
def test_made_up_answers_lead_to_the_same_everywhere(language: str, tmp_path: Path) -> None:
    selected = [run for run in runs() if run.index == 0 and any(word in run.name for word in MADE_UP)]
    selected = [run for run in selected if run.name not in EVERYWHERE]
    schemas = component_schemas(list(runs()), tmp_path / "schemas")
    programs = repeated(selected, language, schemas, tmp_path / "programs")
    different = {}
    limits = {}
    for traced in traces(programs, language, schemas, tmp_path / "programs"):
        comparison = traced.compared()
        limits[traced.repeated.run.name] = comparison.limits
        if comparison.differences or comparison.failures:
            different[traced.repeated.run.name] = comparison
    assert different == {}
    assert [name for name, shown in limits.items() if "functions-called-early" in shown] == [], "only older SDKs do this"
    assert len(selected) > 30


def test_only_resources_ranged_over_answers_may_be_previewed_early() -> None:
    [run] = [run for run in runs() if run.name == EARLY]
    result = pipeline.bind(load_program(str(run.folder / run.main)), SchemaStore(run.schemas))
    assert result.program is not None
    settings = replace(run.settings("pcl", preview=True), default_model=None)
    trace = evaluate_program(result.program, settings).trace
    target = Difference(
        urn="urn:x", type="nestedobject:index:Target", name="routes-0", path="", left=ABSENT, right="", reason=""
    )
    context = Circumstances(program=result.program, preview=True, evaluated=trace, registration=None, lowered=lambda: trace)

    def explained(difference: Difference, context: Circumstances, language: str = "go") -> bool:
        return explanation(difference, context, language) is not None

    assert explained(target, context)
    assert not explained(target, context, "python")
    assert not explained(target, replace(context, preview=False))
    assert not explained(replace(target, name="others-0"), context)
    assert not explained(replace(target, type="nestedobject:index:Container"), context)
    assert not explained(replace(target, left=target.type, right=ABSENT), context)
