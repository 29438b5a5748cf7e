"""Function packs: user-defined functions behave the same in the evaluator and in programs of all languages."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import pclgen
from pclgen import pipeline
from pclgen.cli import app
from pclgen.diagnostics.formats import render
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from pclgen.stdlib.packs import FunctionPackError, load_pack, load_packs
from pclgen.verify.report import Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.generated import EXAMPLE_SCHEMAS, EXAMPLES, LANGUAGES
from tests.support.verified import environments, subjects_of, verified

OWN: Final = EXAMPLES / "own-functions"

HEAD: Final = """
from decimal import Decimal
from pclgen.functions import *
from pclgen.functions import ANY
def one(name, implementation, result, *types, **more):
    taken = tuple(Parameter(name=f"p{i}", doc="it", type=t) for i, t in enumerate(types))
    return Function(name=name, doc="does it", parameters=taken, result=gives(result), implementation=implementation, **more)
"""

KINDS: Final = HEAD + '''
def spelled(name, fails=False):
    return {"python": Spelling(name=name), "typescript": Spelling(name=name), "go": Spelling(name=name, fails=fails)}

PACK = FunctionPack(
    functions=(
        one("negate", lambda v: not v, BOOL, BOOL, spelled=spelled("negate")),
        one("twice", lambda v: 2 * v, INT, INT, spelled=spelled("twice")),
        one("half", lambda v: Decimal(v) / 2, NUMBER, NUMBER, spelled=spelled("half")),
        one("reversed", lambda v: v[::-1], list_of(NUMBER), list_of(NUMBER), spelled=spelled("reversedList")),
        one("keyed", lambda v: {"key": v}, map_of(ANY), ANY, spelled=spelled("keyed")),
        one("sizes", lambda v: {k: len(w) for k, w in v.items()}, map_of(INT), map_of(list_of(STRING)), spelled=spelled("sizes")),
        one("checked", lambda v: v, STRING, STRING, spelled=spelled("checked", fails=True)),
        one("pi", lambda: 3.25, NUMBER, spelled=spelled("pi")),
    ),
    files={
        "python": """
from typing import Any, Dict, List
def negate(v: bool) -> bool: return not v
def twice(v: int) -> int: return 2 * v
def half(v: float) -> float: return v / 2
def reversedList(v: List[float]) -> List[float]: return v[::-1]
def keyed(v: Any) -> Dict[str, Any]: return {"key": v}
def sizes(v: Dict[str, List[str]]) -> Dict[str, int]: return {k: len(w) for k, w in v.items()}
def checked(v: str) -> str: return v
def pi() -> float: return 3.25
""",
        "typescript": """
export const negate = (v: boolean): boolean => !v;
export const twice = (v: number): number => 2 * v;
export const half = (v: number): number => v / 2;
export const reversedList = (v: number[]): number[] => [...v].reverse();
export const keyed = (v: any): Record<string, any> => ({ key: v });
export const sizes = (v: Record<string, string[]>): Record<string, number> =>
    Object.fromEntries(Object.entries(v).map(([k, w]) => [k, w.length]));
export const checked = (v: string): string => v;
export const pi = (): number => 3.25;
""",
        "go": """package main

import "slices"

func negate(v bool) bool { return !v }

func twice(v int) int { return 2 * v }

func half(v float64) float64 { return v / 2 }

func reversedList(v []float64) []float64 {
	found := slices.Clone(v)
	slices.Reverse(found)
	return found
}

func keyed(v any) map[string]any { return map[string]any{"key": v} }

func sizes(v map[string][]string) map[string]int {
	found := map[string]int{}
	for k, w := range v {
		found[k] = len(w)
	}
	return found
}

func checked(v string) (string, error) { return v, nil }

func pi() float64 { return 3.25 }
""",
    },
)
'''

# Locals and the component have the names of the functions and of their files.
KINDS_PROGRAM: Final = """
config flag bool {
  default = true
}
config free {
  default = { a = [1, 2], b = "c" }
}
resource pet "random:index/randomPet:RandomPet" {
  length = kit::twice(2)
  prefix = kit::checked("p")
}
component part "./kit" {
  count = kit::twice(3)
}
twice = kit::twice(4)
output values {
  value = [
    kit::negate(flag),
    twice,
    kit::half(3),
    kit::reversed([1, 2.5, 3]),
    kit::keyed(free),
    kit::keyed("text"),
    kit::sizes({ a = ["x", "y"], b = [] }),
    kit::pi(),
    [for n in [1, 2] : kit::twice(n)],
    try(kit::checked("caught"), "not"),
  ]
}
output later {
  value = {
    checked = kit::checked(pet.id)
    keyed   = kit::keyed(pet.id)
    listed  = [for n in [1, 2] : "${kit::checked(pet.id)} ${n}"]
    inside  = part.doubled
  }
}
"""

COMPONENT: Final = """
config count int {}
output doubled {
  value = kit::twice(count)
}
"""


def folder(at: Path, module: str, program: str, **files: str) -> Path:
    """A program whose configuration names the pack `kit` in `module`."""
    (at / "kit").mkdir()
    (at / "tools").mkdir()
    (at / "tools" / "pack.py").write_text(module)
    (at / "pclgen.toml").write_text('[functions]\nkit = "tools/pack.py:PACK"\n')
    (at / "main.pp").write_text(program)
    for name, text in files.items():
        (at / name / "main.pp").write_text(text)
    return at


@cache
def allowed(at: Path) -> SchemaStore:
    """The store of a program whose functions may be run."""
    return pclgen.project_store(at, schemas=[EXAMPLE_SCHEMAS], cache=False, allow_functions=True)


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with a function for each kind of value."""
    return folder(tmp_path_factory.mktemp("kinds"), KINDS, KINDS_PROGRAM, kit=COMPONENT)


def test_each_language_does_what_the_evaluator_does(kinds: Path) -> None:
    subjects: list[Subject] = []
    for path in (OWN / "infra", kinds):
        subjects += subjects_of([path], allowed(path))
    report = verified(subjects, lambda subject: Settings(), tools=environments(), levels=("compile", "run"))
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)


def test_what_stands_beside_the_program_is_what_the_pack_says() -> None:
    result = pipeline.generate(load_program(str(OWN / "infra")), languages=LANGUAGES, store=allowed(OWN / "infra"))
    for language, ending in (("python", "py"), ("typescript", "ts"), ("go", "go")):
        texts = {path.name: text for path, text in result.files[language].items()}
        assert texts[f"acme.{ending}"] == (OWN / "tools" / f"acme.{ending}").read_text()


def test_no_file_where_nothing_is_called(tmp_path: Path) -> None:
    at = folder(tmp_path, KINDS, "output a {\n  value = 1\n}\n")
    result = pipeline.generate(load_program(str(at)), languages=LANGUAGES, store=allowed(at))
    assert result.ok
    assert not [path for files in result.files.values() for path in files if path.stem == "kit"]


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status and the complete output of a command."""
    status = app.main([*arguments])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


class TestConsent:
    def test_the_code_is_run_only_where_somebody_says_so(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mark = tmp_path / "mark"
        module = f"open({str(mark)!r}, 'w').close()\n{HEAD}PACK = FunctionPack(functions=(one('f', lambda v: v, STRING, STRING),))"
        at = folder(tmp_path, module, 'a = kit::f("x")\nb = kit::f("y")\noutput c {\n  value = "${a}${b}"\n}\n')
        for command in ("check", "generate", "evaluate", "graph"):
            status, printed = run(command, str(at), capsys=capsys)
            assert (status, printed.count("PCL0601")) == (1, 1), printed
            assert "--allow-functions" in printed
        assert not mark.exists()
        assert run("evaluate", str(at), "--allow-functions", capsys=capsys)[0] == 0
        assert mark.exists()
        monkeypatch.setenv("PCLGEN_ALLOW_FUNCTIONS", "1")
        assert run("check", str(at), capsys=capsys)[0] == 0
        status, printed = run("check", str(at), "--isolated", capsys=capsys)
        assert (status, "unknown function `kit::f`" in printed) == (1, True)

    def test_programs_that_call_none_need_none(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        at = folder(tmp_path, "1 / 0", "output a {\n  value = 1\n}\n")
        assert run("check", str(at), capsys=capsys)[0] == 0


GOOD: Final = "one('f', lambda v: v, STRING, STRING)"
BAD: Final[Mapping[str, tuple[str, str, str]]] = {
    "no module": ("nowhere:PACK", "", "there is no module `nowhere`"),
    "no file": ("nowhere.py:PACK", "", "there is no file `nowhere.py`"),
    "outside": ("../pack.py:PACK", "", "is not inside of the repository"),
    "fails": ("pack.py:PACK", "1 / 0", "fails when it is read: ZeroDivisionError: division by zero"),
    "exits": ("pack.py:PACK", "raise SystemExit(0)", "fails when it is read: SystemExit: 0"),
    "no pack": ("pack.py:OTHER", f"PACK = FunctionPack(functions=({GOOD},))", "`pack.py:OTHER` is not a pack of functions"),
    "empty": ("pack.py:PACK", "PACK = FunctionPack(functions=())", "the pack `kit` has no functions"),
    "twice": ("pack.py:PACK", f"PACK = FunctionPack(functions=({GOOD}, {GOOD}))", "has two functions `f`"),
    "language": ("pack.py:PACK", f"PACK = FunctionPack(functions=({GOOD},), files={{'rust': ''}})", "has a file for `rust`"),
    "lost file": (
        "pack.py:PACK",
        f"from pathlib import Path\nPACK = FunctionPack(functions=({GOOD},), files={{'go': Path('x.go')}})",
        "x.go` of the pack `kit` cannot be read: No such file or directory",
    ),
    "name": ("pack.py:PACK", "PACK = FunctionPack(functions=(one('a b', str, STRING),))", "`kit::a b`: it is no name"),
    "nothing to run": ("pack.py:PACK", "PACK = FunctionPack(functions=(one('f', None, STRING),))", "it has no implementation"),
    "asset": (
        "pack.py:PACK",
        "from pclgen.types.model import ASSET\nPACK = FunctionPack(functions=(one('f', str, STRING, ASSET),))",
        "`p0` is Asset; there are bool, int, number, string, any, lists and maps",
    ),
    "spelled without a file": (
        "pack.py:PACK",
        "PACK = FunctionPack(functions=(one('f', str, STRING, spelled={'go': Spelling(name='f')}),))",
        "it is spelled in `go`, for which the pack has no file",
    ),
    "code for a name": (
        "pack.py:PACK",
        "PACK = FunctionPack(functions=(one('f', str, STRING, spelled={'go': Spelling(name='f()')}),), files={'go': ''})",
        "it cannot be spelled `f()`",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_packs_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    place, text, reason = BAD[name]
    (tmp_path / "pack.py").write_text(HEAD + text)
    with pytest.raises(FunctionPackError) as caught:
        load_pack("kit", place, tmp_path, tmp_path)
    assert reason in str(caught.value)


@pytest.mark.parametrize("name", ["json", "Acme", "pulumi", "a-b", "main", "class", "../x"])
def test_names_that_packs_cannot_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(FunctionPackError, match="cannot be called"):
        load_packs({name: "pack.py:PACK"}, tmp_path, tmp_path)


def test_a_configuration_that_names_no_pack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = folder(tmp_path, "", "output a {\n  value = 1\n}\n")
    (at / "pclgen.toml").write_text('[functions]\nkit = "import os"\n')
    status, printed = run("check", str(at), capsys=capsys)
    assert status == 2
    assert "pclgen.toml:2:1: `import os` is no place of a pack of functions" in printed


FAILING: Final[Mapping[str, tuple[str, str]]] = {
    "raises": ("lambda v: 1 / 0", "it fails: ZeroDivisionError: division by zero"),
    "another type": ("lambda v: 5", "its implementation gives `int` in place of string"),
    "nothing": ("lambda v: None", "its implementation gives `NoneType` in place of string"),
    "an object": ("lambda v: object()", "its implementation gives `object` in place of string"),
}


@pytest.mark.parametrize("name", FAILING)
def test_what_goes_wrong_in_an_implementation_has_a_place(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    implementation, reason = FAILING[name]
    module = f"{HEAD}PACK = FunctionPack(functions=(one('f', {implementation}, STRING, STRING),))"
    at = folder(tmp_path, module, 'config v string {\n  default = "x"\n}\noutput a {\n  value = kit::f(v)\n}\n')
    status, printed = run("evaluate", str(at), "--allow-functions", capsys=capsys)
    assert status == 1
    assert reason in printed
    assert "main.pp:5:18" in printed


def test_a_language_without_a_spelling(tmp_path: Path) -> None:
    files = "files={'python': 'def f(v: str) -> str: return v\\n'}"
    module = f"{HEAD}PACK = FunctionPack(functions=(one('f', str, STRING, STRING, spelled={{'python': Spelling(name='f')}}),), {files})"
    at = folder(tmp_path, module, 'output a {\n  value = kit::f("x")\n}\n')
    sources, store = load_program(str(at)), allowed(at)
    assert pipeline.generate(sources, languages=["python"], store=store).ok
    problems = pipeline.generate(sources, languages=["python", "go"], store=store).diagnostics
    assert [(problem.code, str(problem.primary).rpartition("/")[2]) for problem in problems] == [("PCL0901", "main.pp:2:11")]
    assert "the function `kit::f` cannot be written in Go" in render(problems, "text", color=False, width=None)


def test_a_name_that_is_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    at = folder(tmp_path, KINDS, "a = kit::twise(2)\nb = kit::twice(2, 3)\nc = kit::twice(\"x\")\n")
    printed = run("check", str(at), "--allow-functions", capsys=capsys)[1]
    assert "did you mean `kit::twice`?" in printed
    assert "`kit::twice` takes one argument" in printed
    assert "`p0` of kit::twice is an int" in printed


def test_they_are_listed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(OWN)
    printed = run("functions", "--allow-functions", "--json", capsys=capsys)[1]
    assert [function["name"] for function in json.loads(printed)["functions"]][-4:] == [
        f"acme::{n}" for n in ("slug", "slugs", "tags", "share")
    ]
    assert "acme::" not in run("functions", capsys=capsys)[1]
    assert run("functions", "acme::tags", "--allow-functions", capsys=capsys)[1].startswith("acme::tags(team, stage)")


def test_a_build_knows_when_a_pack_has_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(OWN, tmp_path / "own")
    shutil.copytree(EXAMPLE_SCHEMAS, tmp_path / "schemas")
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path / "own")
    build = ("build", "--allow-functions", "--jobs", "1")
    assert run(*build, "--manifest", "made.json", capsys=capsys)[0] == 0
    inputs = json.loads(Path("made.json").read_text())["programs"][0]["inputs"]
    assert {"tools/functions.py", "tools/acme.py", "tools/acme.ts", "tools/acme.go"} <= set(inputs)
    Path("tools/acme.py").write_text(Path("tools/acme.py").read_text() + "# More.\n")
    assert run(*build, "--check", capsys=capsys)[0] == 1
    assert run(*build, capsys=capsys)[0] == 0
    assert Path("build/infra/python/acme.py").read_text().endswith("# More.\n")
    assert run(*build, "--check", capsys=capsys)[0] == 0
