"""What passed in an earlier test run is not checked again, as long as nothing that it depends on changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pclgen.verify.results import Results
from tests.support import earlier
from tests.support.earlier import Messages, Programs, once

CHECKED: list[str] = []


@once
def check(programs: Programs, *, search: Sequence[Path] = (), strict: bool = False) -> Messages:
    """A check that `x` fails."""
    CHECKED.extend(programs)
    return {name: ["wrong"] if (folder / "main").read_text() == "x" else [] for name, folder in programs.items()}


@pytest.fixture(autouse=True)
def own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = Results(tmp_path / "results")
    monkeypatch.setattr(earlier, "results", lambda: results)
    CHECKED.clear()


def program(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main").write_text(text)
    return folder


def test_only_what_passed_is_not_checked_again(tmp_path: Path) -> None:
    programs = {"good": program(tmp_path / "good", "g"), "wrong": program(tmp_path / "wrong", "x")}
    assert check(programs) == check(programs) == {"good": [], "wrong": ["wrong"]}
    assert CHECKED == ["good", "wrong", "wrong"]


def test_another_text_is_checked(tmp_path: Path) -> None:
    check({"p": program(tmp_path / "p", "a")})
    assert check({"p": program(tmp_path / "p", "x")}) == {"p": ["wrong"]}
    check({"p": program(tmp_path / "p", "a")})
    assert CHECKED == ["p", "p"]


def test_other_options_and_sdks_are_checked(tmp_path: Path) -> None:
    programs, sdk = {"p": program(tmp_path / "p", "a")}, program(tmp_path / "sdk", "1")
    for _ in range(2):
        check(programs)
        check(programs, strict=True)
        check(programs, search=[sdk])
    program(sdk, "2")
    check(programs, search=[sdk])
    assert len(CHECKED) == 4


def test_without_results_everything_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(earlier, "results", lambda: Results(None))
    for _ in range(2):
        check({"p": program(tmp_path / "p", "a")})
    assert len(CHECKED) == 2


def test_a_case_runs_once(tmp_path: Path) -> None:
    ran: list[str] = []
    tool = program(tmp_path / "tool", "1")

    def run(cases: Sequence[str]) -> list[earlier.Json]:
        ran.extend(cases)
        return [{"case": case} for case in cases]

    for cases in (["a", "b"], ["b", "c", "b"]):
        assert earlier.each(cases, run, tool) == [{"case": case} for case in cases]
    assert ran == ["a", "b", "c"]
    assert earlier.each(["a"], run, program(tmp_path / "other", "2")) == [{"case": "a"}]
    assert ran == ["a", "b", "c", "a"]
