"""`pclgen verify --hcl`: the pure values of programs compared with those of HashiCorp's HCL."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from pclgen.cli import verify as command
from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.schema.load import SchemaStore
from pclgen.source.text import SourceFile
from pclgen.syntax.parse import parse_file
from pclgen.verify.environments import judge_environment
from pclgen.verify.hcl import verification
from pclgen.verify.hcl.judge import Answer, Judge, Value, same
from pclgen.verify.hcl.verification import compare_with_hcl, pure_values
from pclgen.verify.report import Status, Verdict
from tests.judge.oracle import judge
from tests.support import toolchains
from tests.support.corpus import ROOT
from tests.support.verified import programs_in_memory, subjects_in_memory

PROGRAM = """\
rules = [{ name = "a" }, { name = "b", days = 5 }]
config size "number" {
  default = 3
}
output days {
  value = [for rule in rules : try(rule.days, 0)]
}
output double {
  value = size * 2
}
"""


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `verify` use the judge that the tests build."""
    monkeypatch.setattr(verification, "judge_environment", lambda: judge().binary)


def verdicts(*texts: str) -> list[Verdict]:
    """The verdicts on programs."""
    subjects = subjects_in_memory({f"p{number}": text for number, text in enumerate(texts)}, SchemaStore([]), ["python"])
    return list(compare_with_hcl(subjects))


@pytest.mark.usefixtures("pinned")
def test_a_program_whose_values_are_those_of_hcl_passes() -> None:
    (verdict,) = verdicts(PROGRAM)
    assert (verdict.language, verdict.level, verdict.status) == ("hcl", "run", Status.PASSED)


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize(
    "value",
    [
        '1 == 1 ? { a = 1 } : { b = "x" }',  # HCL refuses branches of different types
        "toJSON([0.0000001])",  # HCL writes 0.0000001
        "-0",  # HCL writes -0
    ],
)
def test_a_row_of_the_table_is_no_difference(value: str) -> None:
    (verdict,) = verdicts(f"output o {{\n  value = {value}\n}}\n")
    assert verdict.status is Status.PASSED, verdict.messages


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize(
    ("left", "right", "are_same"),
    [
        ("=811296384146066800000000000000005", "=811296384146066816957890051440645", True),
        ("=811296384146066800000000000000005", "=811296384146016816957890051440645", False),
        ("12345678901234567x", "12345678901234599x", True),
        ("12345678901234567", "123456789012345678", False),
        ("1234567890123456", "1234567890123457", False),
        ("a1", "a2", False),
    ],
)
def test_numbers_in_texts_are_compared_as_doubles(left: str, right: str, are_same: bool) -> None:
    assert same(left, right) is are_same


def test_each_value_that_differs_is_named_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate = verification.evaluate_pure

    def wrong(text: str) -> Answer:
        value = evaluate(text).result
        assert isinstance(value, Value) and isinstance(value.json, dict)
        return Answer(Value({name: 7 if member == 6 else member for name, member in value.json.items()}))

    monkeypatch.setattr(verification, "evaluate_pure", wrong)
    (verdict,) = verdicts(PROGRAM)
    assert verdict.status is Status.FAILED
    assert verdict.messages == ("main.pp:8:1: output `double`: pclgen has 7, HCL has 6",)


@pytest.mark.usefixtures("pinned")
def test_a_program_that_agrees_is_judged_once_whatever_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []
    ask = Judge.ask

    def counted(self: Judge, texts: Sequence[str], *flags: str) -> list[Answer]:
        asked.append(texts)
        return ask(self, texts, *flags)

    monkeypatch.setattr(Judge, "ask", counted)
    chain = "a0 = 1\n" + "".join(f"a{number} = a{number - 1} + 1\n" for number in range(1, 200))
    (verdict,) = verdicts(chain + "output o {\n  value = a199\n}\n")
    assert verdict.status is Status.PASSED
    assert {len(texts) for texts in asked} == {1}
    assert all(texts[0].count("a100 = ") == 1 for texts in asked)


def test_programs_without_pure_values_and_in_yaml_have_no_verdict() -> None:
    yaml = {"Pulumi.yaml": "name: web\nruntime: yaml\noutputs:\n  o: 3\n"}
    subjects = programs_in_memory({"empty": {"main.pp": "config a {}\n"}, "web": yaml}, SchemaStore([]), ["python"])
    assert list(compare_with_hcl(subjects)) == []


def test_without_a_judge_a_program_is_not_verified(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (verdict,) = verdicts(PROGRAM)
    assert verdict.status is Status.NOT_VERIFIED
    assert verdict.messages == (
        "Go is not installed: there is no `go` on the PATH; install it, or remove `--hcl`",
    )


def test_a_judge_that_fails_says_nothing_about_a_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(verification, "judge_environment", lambda: tmp_path / "missing")
    (verdict,) = verdicts(PROGRAM)
    assert verdict.status is Status.NOT_VERIFIED
    assert verdict.messages[0].startswith("the judge fails: ")


def test_the_judge_is_built_once_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    go = toolchains.go_command()
    monkeypatch.setenv("PCLGEN_TOOLCHAINS", str(tmp_path))
    monkeypatch.setenv("GOCACHE", toolchains.go_build_cache())
    monkeypatch.setenv("PATH", f"{go.parent}{os.pathsep}{os.environ['PATH']}")
    binary = judge_environment()
    built = binary.stat().st_mtime_ns
    assert Judge(binary).ask(["output o {\n  value = 1 + 1\n}\n"]) == [Answer(Value(2))]
    assert judge_environment() == binary and binary.stat().st_mtime_ns == built


@pytest.mark.usefixtures("pinned")
def test_the_command_compares_with_hcl_on_demand() -> None:
    console = Console(out=io.StringIO(), err=io.StringIO())
    program = str(ROOT / "examples" / "random-password")
    arguments = [program, "--schemas", str(ROOT / "examples" / "schemas"), "--languages", "yaml", "--hcl"]
    assert command.run(arguments, console) == 0
    assert isinstance(console.out, io.StringIO)
    assert "yaml ok  hcl ok" in console.out.getvalue()


def test_a_level_without_values_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="`--hcl` compares values"):
        command.run([".", "--hcl", "--level", "compile"], Console(out=io.StringIO(), err=io.StringIO()))


PURITY = {
    "a = 1\nb = a": ["local `a`", "local `b`"],
    'r = web.id\nresource web "x:y:Z" {}': [],
    'resource web "x:y:Z" {}\nr = web.id\ns = [r]\nt = 1': ["local `t`"],
    "a = [for x in [1] : x + a0]\na0 = 2": ["local `a`", "local `a0`"],
    "a = cwd()\nb = a": [],
    "config c string {}\na = c": [],
    'config c string {\n  default = "x"\n}\na = c': ["configuration `c`", "local `a`"],
    'config c "list(optional(string))" {\n  default = ["x"]\n}': [],
    "output o {\n  value = 1\n}\noutput p {\n  value = q\n}": ["output `o`"],
    "o = 1\noutput o {\n  value = o\n}": ["local `o`", "output `o`"],
}


@pytest.mark.parametrize("text", PURITY)
def test_pure_values_need_nothing_but_each_other(text: str) -> None:
    pure = pure_values([parse_file(SourceFile("main.pp", text), DiagnosticBag())])
    assert [value.label for value in pure.values] == PURITY[text]
