"""A mistake of pclgen in one program: it is named, and the others are verified all the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest

from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.evaluate.entry import Given
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program, program_in_memory
from pclgen.targets.base import BrokenTreeError, Project
from pclgen.targets.python.target import PYTHON
from pclgen.verify.command import Item, Request, verify_programs
from pclgen.verify.report import Status


def test_other_programs_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    render = type(PYTHON).render

    def breaking(self: object, program: Program, project: Project, bag: DiagnosticBag) -> Mapping[PurePosixPath, str]:
        if program.name == "second":
            raise BrokenTreeError("config is declared twice")
        return render(PYTHON, program, project, bag)

    monkeypatch.setattr(type(PYTHON), "render", breaking)
    programs = [
        program_in_memory(name, {"main.pp": "output o {\n  value = 1\n}\n"}) for name in ("first", "second", "third")
    ]
    items = [Item(program=program, store=SchemaStore([]), given=Given(base=Settings())) for program in programs]
    outcome = verify_programs(items, Request(languages=("python",), level="format", keep=False))
    assert outcome.report is not None
    found = {outcome.report.names[v.key]: (v.status, v.messages) for v in outcome.report.verdicts}
    message = "a mistake of pclgen: second, python: config is declared twice"
    assert found.pop("second") == (Status.FAILED, (message,))
    assert {name: status for name, (status, _) in found.items()} == {"first": Status.PASSED, "third": Status.PASSED}


def test_programs_of_one_name_are_told_apart_by_their_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("one/infra", "two/infra"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "main.pp").write_text("output o {\n  value = 1\n}\n")
    (tmp_path / "single.pp").write_text("output o {\n  value = 1\n}\n")
    programs = [load_program(path) for path in ("one/infra", "two/infra", "single.pp")]
    items = [Item(program=program, store=SchemaStore([]), given=Given(base=Settings())) for program in programs]
    outcome = verify_programs(items, Request(languages=("python",), level="format", keep=False))
    assert outcome.report is not None
    assert list(outcome.report.names.values()) == ["one/infra", "two/infra", "single.pp"]
