"""A run that lost a race in Go's SDK is repeated; a registration that every run lacks is still a mistake.

The tests simulate runs: real programs lose the race once in some hundred runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pclgen.evaluate.settings import Settings
from pclgen.protocol.rpc import Rpc, load
from pclgen.schema.load import SchemaStore
from pclgen.trace.model import LogEntry, RegistrationKind, Trace
from pclgen.verify import comparison
from pclgen.verify.comparison import RUNS, Comparison, Evaluations, Recorder
from pclgen.verify.results import Results
from pclgen.verify.subjects import Staged, Subject
from tests.support.corpus import ROOT
from tests.support.verified import programs_in_memory

FILES = {
    "main.pp": """
        resource "base" "random:index/randomPet:RandomPet" {}
        component box "./box" {
          name = base.id
        }
        resource "late" "random:index/randomPet:RandomPet" {
          options { dependsOn = [box, base] }
        }
    """,
    "box/main.pp": """
        config "name" "string" {}
        component inner "../inner" {
          name = name
        }
    """,
    "inner/main.pp": """
        config "name" "string" {}
        resource "pet" "random:index/randomPet:RandomPet" {
          prefix = name
        }
    """,
}
LANGUAGES = ("python", "typescript", "go")


@pytest.fixture(scope="module")
def subject() -> Subject:
    store = SchemaStore([ROOT / "examples" / "schemas"])
    (program,) = programs_in_memory({"race": FILES}, store, LANGUAGES)
    return program


def without(trace: Trace, name: str) -> Trace:
    """A run in which `late` does not depend on the named resource."""
    registrations = tuple(
        replace(registration, dependencies=tuple(urn for urn in registration.dependencies if not urn.endswith(f"::{name}")))
        if registration.name == "late"
        else registration
        for registration in trace.registrations
    )
    assert registrations != trace.registrations
    return replace(trace, registrations=registrations)


class Played:
    """A recorder with prepared runs, in order; the last run repeats."""

    def __init__(self, subject: Subject, language: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.evaluations = Evaluations(lambda _: Settings(stack="dev"))
        self.results = Results(folder / "results")
        self._staged = Staged(subject=subject, language=language, folder=folder)
        self._logs = folder / "logs"
        self._patch = patch
        self.runs = 0

    def compared(self, runs: Sequence[Trace]) -> Comparison:
        def run(*_: Any) -> Trace:
            self.runs += 1
            return runs[min(self.runs, len(runs)) - 1]

        self._patch.setattr(comparison, "run_staged", run)
        self._patch.setattr(comparison, "MODES", ("update",))
        rpc = load()
        assert isinstance(rpc, Rpc)
        recorder = Recorder(
            rpc=rpc, evaluations=self.evaluations, results=self.results, identity="played", logs=self._logs
        )
        no_runner: Any = object
        ((_, result),) = recorder.compare([self._staged], no_runner)
        return result


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    yield request.param


def test_a_race_that_is_lost_once(
    subject: Subject, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Played(subject, language, tmp_path, monkeypatch)
    right = played.evaluations.of(subject).traces["update"]
    result = played.compared([without(right, "box-inner-pet"), right])
    if language == "go":
        assert (result.differences, played.runs) == ((), 2)
    else:  # there is no such race in the other SDKs
        assert (len(result.differences), played.runs) == (1, 1)


def test_what_no_run_has_is_a_mistake_and_is_not_kept(
    subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Played(subject, "go", tmp_path, monkeypatch)
    right = played.evaluations.of(subject).traces["update"]
    result = played.compared([without(right, "box-inner-pet")])
    assert (len(result.differences), played.runs) == (1, RUNS)
    assert played.compared([right]).differences == () and played.runs == RUNS + 1


def test_what_is_in_no_component_cannot_be_lost(
    subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Played(subject, "go", tmp_path, monkeypatch)
    right = played.evaluations.of(subject).traces["update"]
    assert any(registration.kind is RegistrationKind.COMPONENT for registration in right.registrations)
    result = played.compared([without(right, "base")])
    assert (len(result.differences), played.runs) == (1, 1)


def test_a_failure_is_kept_where_the_evaluator_fails_unless_a_time_limit_caused_it(
    subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Played(subject, "python", tmp_path, monkeypatch)
    evaluation = played.evaluations.of(subject)
    failing = replace(evaluation.traces["update"], failed=True, log=(LogEntry(severity="error", message="no such pet"),))
    stopped = replace(failing, log=(LogEntry(severity="error", message="it made no progress for 10 seconds"),))

    def runs_of(trace: Trace) -> int:
        before = played.runs
        for _ in range(2):
            assert played.compared([trace]).failures
        return played.runs - before

    assert runs_of(failing) == 2
    monkeypatch.setitem(played.evaluations._made, subject.key, replace(evaluation, traces={"update": failing}))
    assert (runs_of(stopped), runs_of(failing)) == (2, 1)
