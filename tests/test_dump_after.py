"""`pclgen generate --dump-after`: each pass runs, in order, and its output shows its effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from pclgen import pipeline
from pclgen.choices import CodeStyle, RuntimeChecks
from pclgen.cli.app import main
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from tests.support.corpus import ROOT

SCHEMAS = ROOT / "tests" / "schemas"
PASSES = list(pipeline.passes())
THING = 'resource {} "probe:index:Thing" {{\n  {}\n}}\n'
STACK = 'resource other "pulumi:pulumi:StackReference" {\n  name = "acme/net/dev"\n}\n'
SPEC = 'config spec "object({public=optional(bool)})" {\n}\n'

SHOWN = {
    "order": (THING.format("a", "out = b.out") + THING.format("b", ""), "resource b probe:index:Thing", "first"),
    "copies": ('config xs "list(string)" {\n}\n' + THING.format("a", "names = [for x in xs : x]"), "names = xs", ""),
    "picks": (THING.format("a", "") + THING.format("b", "int = { x = a.int, y = 1 }.y"), "int = 1", ""),
    "defaults": (SPEC + "x = try(spec.public, false) ? 1 : 2\n", "x = ((spec.public != null) ? ", ""),
    "guards": (
        "config wanted bool {\n}\n"
        + THING.format("a", "options {\n    range = wanted\n  }")
        + THING.format("b", "maybe = a.maybe"),
        "maybe = (a != null) ? a.maybe : null",
        "",
    ),
    "whole-numbers": (
        "config size number {\n  default = 3.0\n}\n" + THING.format("a", "int = size"),
        "config size: int = 3\n",
        "",
    ),
    "calls": (
        THING.format("a", "out = \"x\"\n  options {\n    protect = length(invoke(\"probe:index:getAll\").names) > 0\n  }"),
        "all = invoke(probe:index:getAll)",
        "",
    ),
    "stacks": (STACK + THING.format("a", 'out = getOutput(other, "network")'), 'out = getOutput(other, "network")', "python"),
    "stack-texts": (
        STACK
        + 'net = getOutput(other, "network")\nfree = getOutput(other, "free")\n'
        + THING.format("a", 'out = net\n  label = "${net}/${free}"\n  any = free'),
        'net = convert<output(string)>(getOutput(other, "network"))',
        "go",
    ),
    "objects": ('item = { s = "x" }\n' + THING.format("a", "obj = item"), "obj = item\n", "python"),
    "wire": (THING.format("a", "") + "output x {\n  value = toJSON(a.obj)\n}\n", "toJSON(convert<", "python"),
    "checks": (
        "config free {\n}\n" + THING.format("a", "int = free.size"),
        'convert<int?>(checked(free, ["size"], "int?", "main.pp:4:9: free", "config free (main.pp:1:8)"))',
        "go",
    ),
    "applies": (THING.format("a", "") + THING.format("b", "int = a.int + 1"), "int = apply(a.int as int => int + 1)", "go"),
    "plan": (THING.format("a", ""), "resource a probe:index:Thing (unused)", "go"),
}
"""For each pass a program, text that appears in its dump and not in the dump before, and the target."""


def dumped(text: str, after: str, language: str = "python") -> str:
    """The program after a pass."""
    store = SchemaStore([SCHEMAS])
    sources = program_in_memory("web", {"main.pp": text})
    blame = RuntimeChecks.BLAME
    result = pipeline.dump(
        sources, after=after, languages=[language], store=store, lenient=False, style=CodeStyle(runtime_checks=blame)
    )
    assert result.text is not None, [str(diagnostic) for diagnostic in result.diagnostics]
    return result.text


@pytest.mark.parametrize("name", PASSES[1:])
def test_a_pass_does_what_it_says_and_no_other_before_it(name: str) -> None:
    text, line, where = SHOWN[name]
    language = where if where in ("python", "go") else "python"
    before, after = (dumped(text, pass_name, language) for pass_name in (PASSES[PASSES.index(name) - 1], name))
    if where == "first":
        assert after.splitlines()[0] == line != before.splitlines()[0]
    else:
        assert line in after
        assert line not in before.replace(f"# {language}", "")


def test_every_pass_has_an_example() -> None:
    assert [PASSES[0], *SHOWN] == PASSES


def test_the_last_pass_of_lowering_is_what_plans_are_made_of() -> None:
    text = SHOWN["applies"][0]
    store = SchemaStore([SCHEMAS])
    checked = pipeline.bind(program_in_memory("web", {"main.pp": text}), store)
    assert checked.program is not None
    from pclgen.core.pretty import pretty_program

    lowered = pretty_program(pipeline.lower(checked.program, "go", DiagnosticBag()))
    assert dumped(text, "applies", "go") == f"# Go\n\n{lowered}"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.pp").write_text("output x {\n  value = y\n}\ny = 1\n")
    assert main(["generate", "--dump-after", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == PASSES
    assert main(["generate", str(tmp_path), "--dump-after", "order"]) == 0
    assert capsys.readouterr().out == "y = 1\noutput x = y\n"
    assert main(["generate", str(tmp_path), "--dump-after", "applies", "-l", "go,ts"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("#")] == ["# TypeScript", "# Go"]
    assert list(tmp_path.iterdir()) == [tmp_path / "main.pp"], "nothing is written"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dump-after", "ordr"], "did you mean `order`?"),
        (["--dump-after", "xyzzy"], "`--dump-after list` names them all"),
        (["--dump-after", "order"], "`--dump-after` prints one program"),
    ],
)
def test_what_cannot_be_dumped(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_program_with_errors_is_not_dumped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.pp").write_text("x = y\n")
    assert main(["generate", str(tmp_path), "--dump-after", "applies"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "main.pp:1:5" in captured.err
