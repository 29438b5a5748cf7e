"""The fuzzer itself: its inputs are reproducible, and it finds failures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pclgen import pipeline
from tests.fuzz import supervise
from tests.fuzz.cases import Kind, make_case
from tests.fuzz.judge import Finding, judge
from tests.fuzz.seeds import seeds
from tests.fuzz.supervise import Task, judged


def test_an_input_depends_on_its_number_only() -> None:
    first = [make_case(seeds(), 3, number) for number in range(60)]
    again = [make_case(seeds(), 3, number) for number in reversed(range(60))]
    assert first == again[::-1]
    assert {case.kind for case in first} == set(Kind)
    assert first != [make_case(seeds(), 4, number) for number in range(60)]


def found_by(tmp_path: Path, count: int) -> list[tuple[int, list[Finding]]]:
    return sorted(judged(Task(seeds=seeds(), seed=5, count=count, deadline=None, texts=tmp_path), 1), key=lambda row: row[0])


def test_crashes_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **more: object) -> None:
        raise KeyError("broken")

    monkeypatch.setattr(pipeline, "generate", broken)
    case = next(case for case in (make_case(seeds(), 5, n) for n in range(100)) if case.kind is Kind.PROGRAM)
    assert any(finding.what.startswith("KeyError") for finding in judge(case, tmp_path))


def test_processes_that_end_are_found_and_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "judge", lambda case, texts: os._exit(7) if case.number == 1 else [])
    assert [(number, [finding.what for finding in findings]) for number, findings in found_by(tmp_path, 3)] == [
        (0, []),
        (1, ["the process ended with 7"]),
        (2, []),
    ]


def test_hangs_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*arguments: object) -> list[Finding]:
        for _ in iter(int, 1):
            pass
        return []

    monkeypatch.setattr(supervise, "SECONDS", 0.2)
    monkeypatch.setattr(supervise, "judge", hang)
    assert [[finding.what for finding in findings] for _, findings in found_by(tmp_path, 1)] == [["HangError in ?"]]


SHARE = 400
"""The number of inputs per test.  All shares take a processor half a minute."""


@pytest.mark.parametrize("share", range(3))
def test_nothing_is_found(share: int, tmp_path: Path) -> None:
    """Every machine runs the same inputs; `python -m tests.fuzz` runs as many as the time allows."""
    numbers = range(share * SHARE, (share + 1) * SHARE)
    findings = [(number, finding.what) for number in numbers for finding in judge(make_case(seeds(), 12, number), tmp_path)]
    assert findings == []
