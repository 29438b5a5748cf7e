"""A program with a mistake or a missing requirement is reported; the others are still verified."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Literal

import pytest
from msgspec.structs import replace

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.evaluate.run import RunInputs
from pclgen.evaluate.settings import Settings
from pclgen.plan.model import ProjectPlan
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program, program_in_memory
from pclgen.targets.base import BrokenTreeError, Project
from pclgen.targets.origins import Recorder
from pclgen.targets.python.target import TARGET
from pclgen.verify import checking
from pclgen.verify.comparison import Evaluations
from pclgen.verify.environments import GoEnvironment, InstallError, go_environment, shared
from pclgen.verify.gobuild import GoModule
from pclgen.verify.processes import ToolError
from pclgen.verify.report import Report, Status, to_json, to_text
from pclgen.verify.subjects import Staged, Subject, stage
from pclgen.verify.verification import Item, VerifyOptions, VerifyRequest, verify, verify_programs
from tests.support.toolchains import go_build_cache, go_command
from tests.support.verified import environments, subjects_in_memory


def test_other_programs_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    render = type(TARGET).render

    def breaking(
        self: object, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None
    ) -> Mapping[PurePosixPath, str]:
        if plan.main.program.name == "second":
            raise BrokenTreeError("config is declared twice")
        return render(TARGET, plan, project, bag, recorder)

    monkeypatch.setattr(type(TARGET), "render", breaking)
    programs = [
        program_in_memory(name, {"main.pp": "output o {\n  value = 1\n}\n"}) for name in ("first", "second", "third")
    ]
    items = [Item(program=program, store=SchemaStore([]), run_inputs=RunInputs(base=Settings())) for program in programs]
    outcome = verify_programs(items, VerifyRequest(languages=("python",), level="format", keep=False))
    verdicts = {outcome.report.names[v.key]: (v.status, v.messages) for v in outcome.report.verdicts}
    assert outcome.report.ungenerated == {"p_second_": "a mistake of pclgen: second, python: config is declared twice"}
    assert {name: status for name, (status, _) in verdicts.items()} == {"first": Status.PASSED, "third": Status.PASSED}


def test_programs_of_one_name_differ_by_their_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("one/infra", "two/infra"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "main.pp").write_text("output o {\n  value = 1\n}\n")
    (tmp_path / "single.pp").write_text("output o {\n  value = 1\n}\n")
    programs = [load_program(path) for path in ("one/infra", "two/infra", "single.pp")]
    items = [Item(program=program, store=SchemaStore([]), run_inputs=RunInputs(base=Settings())) for program in programs]
    outcome = verify_programs(items, VerifyRequest(languages=("python",), level="format", keep=False))
    assert list(outcome.report.names.values()) == ["one/infra", "two/infra", "single.pp"]


def verified(texts: Mapping[str, str], level: Literal["format", "compile", "run"] = "format") -> Report:
    """The messages about Python programs by name."""
    programs = [program_in_memory(name, {"main.pp": text}) for name, text in texts.items()]
    items = [Item(program=program, store=SchemaStore([]), run_inputs=RunInputs(base=Settings())) for program in programs]
    request = VerifyRequest(languages=("python",), level=level, keep=False, environments=environments())
    return verify_programs(items, request).report


GOOD = "output o {\n  value = 1\n}\n"


def test_errors_of_one_program_do_not_end_the_batch() -> None:
    report = verified({"first": "output o {\n  value = nope\n}\n", "second": GOOD, "third": "output {"})
    assert report.is_wrong
    assert to_text(report) == (
        "first   not generated: it has 1 error\n"
        "second  python ok\n"
        "third   not generated: it has 1 error\n"
        "\nverified 1 of 3 programs: checks 1 passed\n"
    )
    data = to_json(report)
    assert data["summary"] == {"passed": 1, "failed": 0, "not_verified": 0, "not_generated": 2}
    programs = data["programs"]
    assert isinstance(programs, list)
    assert programs[0] == {"name": "first", "verdicts": [], "not_generated": "it has 1 error"}


def test_nothing_but_errors_is_no_success() -> None:
    report = verified({"first": "output {"})
    assert report.is_wrong and report.verdicts == ()


def test_a_tool_that_one_program_breaks_serves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def format_python(programs: list[Staged]) -> dict[str, list[str]]:
        if any(staged.subject.name == "third" for staged in programs):
            raise ToolError("the tool ended with status 7")
        return {}

    monkeypatch.setattr(checking, "format_python", format_python)
    report = verified(dict.fromkeys(("first", "second", "third", "fourth", "fifth"), GOOD))
    verdicts = {report.names[verdict.key]: (verdict.status, verdict.messages) for verdict in report.verdicts}
    assert verdicts.pop("third") == (Status.NOT_VERIFIED, ("the tool ended with status 7",))
    assert set(verdicts.values()) == {(Status.PASSED, ())} and len(verdicts) == 4


# -- Go environments -----------------------------------------------------------------------------------------------------


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module proxy in a folder, with separate caches."""
    monkeypatch.setenv("PATH", f"{go_command().parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GOPROXY", f"file://{tmp_path}/proxy")
    monkeypatch.setenv("GONOSUMDB", "*")
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "modules"))
    monkeypatch.setenv("GOCACHE", go_build_cache())
    monkeypatch.setenv("PCLGEN_TOOLCHAINS", str(tmp_path / "tools"))
    return tmp_path / "proxy"


def publish(proxy: Path, path: str, version: str, text: str, requires: str = "") -> None:
    """Put a module with one package into the proxy."""
    folder = proxy / path / "@v"
    folder.mkdir(parents=True, exist_ok=True)
    module = f"module {path}\n\ngo 1.21\n{requires}"
    (folder / f"{version}.mod").write_text(module)
    (folder / f"{version}.info").write_text(json.dumps({"Version": version, "Time": "2024-01-01T00:00:00Z"}))
    with (folder / "list").open("a") as list_of_versions:
        list_of_versions.write(f"{version}\n")
    with zipfile.ZipFile(folder / f"{version}.zip", "w") as archive:
        archive.writestr(f"{path}@{version}/go.mod", module)
        archive.writestr(f"{path}@{version}/code.go", text)


def test_a_module_that_cannot_be_got_is_a_matter_of_those_that_need_it(modules: Path) -> None:
    publish(modules, "example.com/good", "v1.0.0", "package good\n")
    publish(modules, "example.com/other", "v1.0.0", "package other\n")
    good, other, bad = (f"example.com/{name}" for name in ("good", "other", "bad"))
    needs = {"first": {good: "v1.0.0", bad: "v1.0.0"}, "second": {good: "v1.0.0"}, "third": {other: "v1.0.0"}}
    results = {tuple(share.keys): share.environment for share in shared(needs, lambda union: go_environment(union, None))}
    assert list(results) == [("first",), ("second", "third")]
    lost = results["first",]
    assert isinstance(lost, InstallError) and "example.com/bad" in str(lost)
    # In a later run, too: failures are not cached.
    assert go_environment({good: "v1.0.0"}, None) == results["second", "third"]


def test_go_that_is_too_old_for_one_program_serves_the_others(modules: Path) -> None:
    publish(modules, "example.com/good", "v1.0.0", "package good\n")
    needs = {"first": {"go": "1.999"}, "second": {"go": "1.21", "example.com/good": "v1.0.0"}}
    results = {share.keys[0]: share.environment for share in shared(needs, lambda union: go_environment(union, None))}
    assert isinstance(results["second"], GoEnvironment)


def go_program(subject: Subject, key: str, text: str, root: Path) -> Staged:
    """A program with this text instead of the generated text."""
    return stage(replace(subject, key=key, files={"go": {PurePosixPath("main.go"): text}}), "go", root)


def test_what_one_program_notes_in_the_go_module_is_not_there_for_the_next(modules: Path, tmp_path: Path) -> None:
    publish(modules, "example.com/good", "v1.0.0", "package good\n\nfunc Old() {}\n")
    publish(modules, "example.com/good", "v1.1.0", "package good\n")
    greedy = "\nrequire example.com/good v1.1.0\n"
    publish(modules, "example.com/greedy", "v1.0.0", 'package greedy\n\nimport _ "example.com/good"\n', greedy)
    [subject] = subjects_in_memory({"any": GOOD}, SchemaStore([]), languages=("go",))
    module = "module x\n\ngo 1.21\n\nrequire example.com/good v1.0.0\n"
    text = 'package main\n\nimport "example.com/{0}"\n\nfunc main() {{\n\t{0}.{1}()\n}}\n'
    subjects = [
        replace(subject, key=key, files={"go": {PurePosixPath("go.mod"): module, PurePosixPath("main.go"): text.format(*use)}})
        for key, use in {"p_first_": ("greedy", "Nothing"), "p_second_": ("good", "Old")}.items()
    ]
    evaluations = Evaluations(lambda _: Settings())
    report = verify(subjects, VerifyOptions(languages=("go",), levels=("compile",), evaluations=evaluations))
    first, second = report.verdicts
    assert first.status is Status.FAILED and "undefined: greedy.Nothing" in first.messages[0]
    assert (second.key, second.status) == ("p_second_", Status.PASSED)
    [kept] = (tmp_path / "tools" / "verify").glob("gomod-*/go.mod")
    assert "greedy" not in kept.read_text()


def test_an_import_that_cannot_be_got_is_no_failure(
    modules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = go_environment({}, None)
    monkeypatch.setenv("GOPROXY", "http://127.0.0.1:9")  # a port without a listener
    [subject] = subjects_in_memory({"any": GOOD}, SchemaStore([]), languages=("go",))
    text = 'package main\n\nimport "example.com/away"\n\nfunc main() { away.Go() }\n'
    program = go_program(subject, "p_first_", text, tmp_path / "programs")
    with pytest.raises(ToolError, match=r"what the program imports cannot be got: .*example\.com/away.*refused") as raised:
        GoModule(environment, [program], tmp_path / "module").vet()
    assert raised.value.keys == {"p_first_"}
