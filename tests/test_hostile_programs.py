"""Programs that are valid but odd, or wrong in odd ways: pclgen generates each, or refuses it with one diagnostic."""

from __future__ import annotations

import ast
import os
from pathlib import Path, PurePosixPath
from typing import Final

import pytest

import pclgen
from pclgen.evaluate import effort
from pclgen.stdlib import values
from pclgen.syntax.tokens import MAX_DEPTH, MAX_ROW


@pytest.fixture(scope="module")
def probe() -> pclgen.SchemaStore:
    return pclgen.SchemaStore([Path(__file__).parent / "schemas"])


THING: Final = 'resource a "probe:index:Thing" {\n  out = "x"\n%s}\n'
OPTIONS: Final = THING % "  options {\n    %s\n  }\n"
HOOK: Final = 'hook resource h {\n  command = ["a"]\n}\n'
PROVIDER: Final = 'resource p "pulumi:providers:probe" {\n}\n'
REMOTE: Final = 'component %s {\n  token = "t:m:A"\n  x = %s\n}\n'

MISTAKES: Final = {
    "timeouts twice": (OPTIONS % 'customTimeouts = { create = "5m", create = "6m" }', "PCL0404"),
    "hooks twice": (HOOK + OPTIONS % "hooks = { beforeCreate = [h], beforeCreate = [h] }", "PCL0404"),
    "alias twice": (OPTIONS % 'aliases = [{ name = "a", name = "b" }]', "PCL0404"),
    "provider twice": (PROVIDER + OPTIONS % "providers = { probe = p, probe = p }", "PCL0404"),
    "cycle": (REMOTE % ("a", "a.y"), "PCL0801"),
    "cycle of two": (REMOTE % ("a", "b.y") + REMOTE % ("b", "a.y"), "PCL0801"),
}


@pytest.mark.parametrize(("text", "code"), MISTAKES.values(), ids=MISTAKES)
def test_one_diagnostic(text: str, code: str, probe: pclgen.SchemaStore) -> None:
    result = pclgen.generate({"main.pp": text}, store=probe, program_only=True)
    assert [d.code for d in result.diagnostics if d.severity is pclgen.Severity.ERROR][:1] == [code]
    assert len(result.diagnostics) <= 2


NESTED: Final = {
    "lists": ("[", "1", "]", 1),
    "objects": ("{ a = ", "1", "}", 1),
    "conditionals": ("(true ? ", "1", " : 2)", 2),
    "calls": ("length([", "1", "])", 2),
    "loops": ("[for x in [", "1", "] : x]", 2),
    "try": ("try(", "a.out", ', "1")', 1),
    "toJSON": ("toJSON([", "a.out", "])", 2),
    "lookup": ("lookup({ a = ", "a.out", '}, "a", "b")', 2),
}


@pytest.mark.parametrize(("left", "middle", "right", "levels"), NESTED.values(), ids=NESTED)
def test_what_may_be_nested_can_be_written(
    left: str, middle: str, right: str, levels: int, probe: pclgen.SchemaStore
) -> None:
    """Python's parser accepts 200 brackets and 100 indents: the nesting that PCL allows must stay below these limits."""
    count = (MAX_DEPTH - 2) // levels
    text = THING % "" + f"output o {{\n  value = {left * count}{middle}{right * count}\n}}\n"
    files = pclgen.generate({"main.pp": text}, store=probe, program_only=True).files
    ast.parse(files["python"][PurePosixPath("__main__.py")])
    assert max(len(code) for texts in files.values() for code in texts.values()) < 400_000


@pytest.mark.parametrize(
    ("operator", "count"),
    [("+", MAX_ROW), ("*", MAX_ROW), ("/", MAX_ROW), ("&&", MAX_ROW), ("%", MAX_DEPTH), ("==", MAX_DEPTH)],
)
def test_long_rows_of_operators(operator: str, count: int, probe: pclgen.SchemaStore) -> None:
    kind = "bool" if operator in ("&&", "==") else "number"
    row = f" {operator} ".join(["x"] * count)
    text = f"config x {kind} {{}}\noutput o {{\n  value = {row}\n}}\n"
    files = pclgen.generate({"main.pp": text}, store=probe, program_only=True).files
    assert set(files) == {"python", "typescript", "go"}
    ast.parse(files["python"][PurePosixPath("__main__.py")])
    value = "true" if kind == "bool" else "1"
    assert pclgen.evaluate_program({"main.pp": text}, store=probe, config={"x": value}).diagnostics == ()


def test_longer_rows_are_refused(probe: pclgen.SchemaStore) -> None:
    rows = [
        f" {operator} ".join(["1"] * count) for operator, count in (("+", MAX_ROW + 1), ("%", MAX_DEPTH + 2), ("-", 5000))
    ]
    problems = pclgen.check({"main.pp": "".join(f"a{n} = {row}\n" for n, row in enumerate(rows))}, store=probe).diagnostics
    assert [d.code for d in problems if d.severity is pclgen.Severity.ERROR] == ["PCL0110"] * len(rows)


EVALUATED: Final = {
    "length(range(100001))": 100001,
    "element(range(200000), 3)": 3,
    "range(200000)[5]": 5,
    "range(1, 200000)[5]": 6,
}


@pytest.mark.parametrize(("text", "value"), EVALUATED.items())
def test_long_ranges_are_evaluated(text: str, value: int, probe: pclgen.SchemaStore) -> None:
    program = {"main.pp": f"output o {{\n  value = {text}\n}}\n"}
    assert set(pclgen.generate(program, store=probe, program_only=True).files) == {"python", "typescript", "go"}
    ran = pclgen.evaluate_program(program, store=probe)
    assert ran.trace is not None
    assert dict(ran.trace.outputs) == {"o": value}


def test_ranges_that_no_memory_holds(probe: pclgen.SchemaStore) -> None:
    ran = pclgen.evaluate_program({"main.pp": "output o {\n  value = length(range(2e9))\n}\n"}, store=probe)
    assert [d.code for d in ran.diagnostics if "too long" in d.message]


@pytest.mark.parametrize("function", ["readFile", "filebase64", "filebase64sha256"])
@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "\\u0000", "."])
def test_files_that_are_none(function: str, name: str, tmp_path: Path, probe: pclgen.SchemaStore) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "main.pp").write_text(f'output o {{\n  value = {function}("{name}")\n}}\n')
    pclgen.generate(tmp_path, store=probe, program_only=True)
    ran = pclgen.evaluate_program(tmp_path, store=probe)
    assert any(d.severity is pclgen.Severity.ERROR and "cannot be read" in d.message for d in ran.diagnostics)


def test_lenient_components_take_what_they_have(probe: pclgen.SchemaStore) -> None:
    files = {
        "main.pp": THING % "" + 'component c "./c" {\n  nope = a.out\n  x = a.nix\n}\noutput o {\n  value = c.z\n}\n',
        "c/main.pp": 'config x string {\n  default = "1"\n}\noutput z {\n  value = x\n}\n',
    }
    result = pclgen.generate(files, store=probe, program_only=True, lenient=True)
    assert not any("nope" in code for texts in result.files.values() for code in texts.values())
    assert set(result.files) == {"python", "typescript", "go"}


@pytest.mark.parametrize("token", ["foo:Bar", "foo::Bar", "foo:index:", "foo", ":::", "a:b:c:d", "foo:a/b:Bar", ""])
def test_lenient_tokens(token: str, probe: pclgen.SchemaStore) -> None:
    text = f'resource a "{token}" {{\n  x = 1\n}}\noutput o {{\n  value = [a.id, invoke("{token}", {{ a = 1 }})]\n}}\n'
    result = pclgen.generate({"main.pp": text}, store=probe, program_only=True, lenient=True)
    assert result.diagnostics
    assert set(result.files) in (set(), {"python", "typescript", "go"})


def doubling(item: str, first: str, count: int) -> str:
    """Locals that each use the previous local twice."""
    rows = [item.replace("@", f"a{n}") for n in range(count)]
    return f"a0 = {first}\n" + "".join(f"a{n} = {row}\n" for n, row in enumerate(rows, 1)) + f"output o {{\n  value = a{count}\n}}\n"


DOUBLED: Final = ["[@, @]", "{ x = @, y = @ }", "[for x in [@] : [x, x]]", "{ for k, v in { x = @ } : k => [v, v] }"]


@pytest.mark.parametrize("item", DOUBLED)
@pytest.mark.parametrize("first", ["1", "a.out"])
def test_values_that_double_are_bounded(item: str, first: str, probe: pclgen.SchemaStore) -> None:
    small = pclgen.check({"main.pp": THING % "" + doubling(item, first, 8)}, store=probe)
    assert small.diagnostics == ()
    result = pclgen.generate({"main.pp": THING % "" + doubling(item, first, 90)}, store=probe, program_only=True)
    assert [d.code for d in result.diagnostics] == ["PCL0417"]
    assert not result.files


USES: Final = ["@", "toJSON(@)", "secret(@)", "@ == @", "flag ? @ : null", "lookup({ m = @ }, x, @)", "[for v in [@, @] : v]"]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("first", ["x", "a.out", "ob", "given"])
def test_what_is_written_for_values_that_double_is_bounded(use: str, first: str, probe: pclgen.SchemaStore) -> None:
    """The deepest allowed values stay bounded, whatever a language writes for each of their parts."""
    configs = 'config x string {}\nconfig flag bool {}\nconfig ob "object({ a = string, b = optional(string) })" {}\n'
    item = "{ x = @, y = @ }"
    value = use.replace("@", "a9").replace("a9 ==", "{ z = a9 } ==")
    text = configs + "config given any {}\n" + THING % "" + doubling(item, first, 9) + f"output p {{\n  value = {value}\n}}\n"
    result = pclgen.generate({"main.pp": text}, store=probe, program_only=True)
    assert max((len(code) for files in result.files.values() for code in files.values()), default=0) < 300_000
    deeper = pclgen.check({"main.pp": configs + THING % "" + doubling(item, "a.out", 12)}, store=probe)
    assert [(d.code, d.primary is not None) for d in deeper.diagnostics] == [("PCL0417", True)]


def test_values_that_are_written_out_may_be_large(probe: pclgen.SchemaStore) -> None:
    row = "[" + ", ".join(["{ a = 1, b = 2, c = 3 }"] * 60) + "]"
    text = f"rows = [\n{(row + ',' + chr(10)) * 60}]\noutput o {{\n  value = rows\n}}\n"
    assert pclgen.check({"main.pp": text}, store=probe).diagnostics == ()


NESTED_ATTEMPTS: Final = {"can": ("can(", ")"), "can of not": ("can(!", ")"), "try": ("try([", "][0], true)"), "both": ("can(try([", "][0], true))")}


@pytest.mark.parametrize(("left", "right"), NESTED_ATTEMPTS.values(), ids=NESTED_ATTEMPTS)
def test_attempts_in_attempts_are_bounded(left: str, right: str, probe: pclgen.SchemaStore) -> None:
    """Each attempt writes twice an expression that may fail before the program waits for it."""
    ranged = 'resource r "probe:index:Thing" {\n  out = "x"\n  options { range = n }\n}\nconfig n int {}\n'
    for depth in (2, 30):
        text = ranged + f"output o {{\n  value = {left * depth}can(r[5].out){right * depth}\n}}\n"
        result = pclgen.generate({"main.pp": text}, store=probe, program_only=True)
        assert {d.code for d in result.diagnostics} <= {"PCL0901"}
        assert depth > 2 or not result.diagnostics
        assert max((len(code) for files in result.files.values() for code in files.values()), default=0) < 300_000


def test_paths_that_double_are_not_known(probe: pclgen.SchemaStore) -> None:
    program = {"main.pp": doubling('"${@}${@}"', '"x"', 60) + "output p {\n  value = readFile(a60)\n}\n"}
    assert pclgen.check(program, store=probe).diagnostics == ()


LARGE: Final = {
    "join": 'join("${big}", [for i in range(1000) : ""])',
    "join of many": "join(\"\", [for i in range(1000) : big])",
    "template": '"' + "${big}" * 500 + '"',
    "split": 'split("", big)',
    "toJSON": "toJSON([for i in range(300) : big])",
}


@pytest.mark.parametrize("value", LARGE.values(), ids=LARGE)
def test_texts_are_counted_before_they_are_made(value: str, probe: pclgen.SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MOST_PARTS", 50_000)
    text = f'config big string {{}}\noutput o {{\n  value = try({value}, "small")\n}}\n'
    ran = pclgen.evaluate_program({"main.pp": text}, store=probe, config={"big": "x" * 100_000})
    assert [d.code for d in ran.diagnostics] == ["PCL1016"]


@pytest.mark.parametrize("first", ['"x"', "a.out"])
def test_texts_that_double_are_bounded(first: str, probe: pclgen.SchemaStore) -> None:
    program = {"main.pp": THING % "" + doubling('"${@}${@}"', first, 60)}
    files = pclgen.generate(program, store=probe, program_only=True).files
    assert max(len(code) for texts in files.values() for code in texts.values()) < 10_000
    ran = pclgen.evaluate_program(program, store=probe)
    assert [d.code for d in ran.diagnostics] == ["PCL1016"]


def test_components_that_double_are_written_once_and_run_within_limits(
    probe: pclgen.SchemaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effort, "MOST_RESOURCES", 2_000)
    twice = 'config x string {}\ncomponent a "../c%d" {\n  x = x\n}\ncomponent b "../c%d" {\n  x = x\n}\n'
    files = {f"c{n}/main.pp": twice % (n + 1, n + 1) for n in range(40)}
    files |= {"c40/main.pp": "config x string {}\n", "main.pp": 'component c "./c0" {\n  x = "a"\n}\n'}
    generated = pclgen.generate(files, store=probe, program_only=True).files
    assert sum(len(code) for code in generated["python"].values()) < 60_000
    assert set(generated) == {"python", "typescript", "go"}
    ran = pclgen.evaluate_program(files, store=probe)
    assert [d.code for d in ran.diagnostics] == ["PCL1016"]


ENDLESS: Final = {
    "rounds": "a0 = 1\noutput o {\n  value = " + "[for i in items : " * 40 + "i" + "]" * 40 + "\n}\n",
    "parts": doubling("[for i in items : @]", "items", 60),
    "texts": doubling("toJSON([@, @])", "items[0]", 60),
    "escapes": "a0 = 1\noutput o {\n  value = " + "toJSON([" * 45 + "items" + "])" * 45 + "\n}\n",
    "escapes of escapes": "output o {\n  value = " + "toJSON(" * 45 + "items[0]" + ")" * 45 + "\n}\n",
    "caught": doubling('try(toJSON([@, @]), "x")', "items[0]", 60),
    "sent": doubling("[for i in items : @]", "items", 12) + THING % "  tags = { for i in range(100) : i => toJSON(a12) }\n",
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_work_without_end_is_refused(text: str, probe: pclgen.SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "MOST_STEPS", 100_000)
    monkeypatch.setattr(values, "MOST_PARTS", 50_000)
    monkeypatch.setattr(effort, "MOST_PARTS", 50_000)
    program = {"main.pp": 'config items "list(string)" {}\n' + text}
    ran = pclgen.evaluate_program(program, store=probe, config={"items": '["a", "b"]'})
    assert [d.code for d in ran.diagnostics] == ["PCL1016"]


@pytest.mark.parametrize("name", ["module", "String", "console", "exports", "__dirname", "pulumi"])
def test_variables_named_after_a_package_with_dashes(name: str) -> None:
    store = pclgen.SchemaStore([Path(__file__).parent / "schemas"])
    text = f'resource {name} "pulumi:providers:simple-invoke" {{}}\noutput o {{\n  value = {name}.id\n}}\n'
    result = pclgen.generate({"main.pp": text}, store=store, program_only=True, lenient=True)
    code = result.files["typescript"][PurePosixPath("index.ts")]
    assert "const" in code
    assert "Simple-invoke" not in code


@pytest.mark.parametrize("kind", ["string", "int", "number", "bool", "list(string)", "object({ a = string })", "any"])
@pytest.mark.parametrize("default", ["", "  default = null\n", '  default = "p"\n'])
def test_variables_that_nobody_reads_beside_what_may_fail(kind: str, default: str, probe: pclgen.SchemaStore) -> None:
    config = f'config x "{kind}" {{\n{default}}}\nconfig y "{kind}" {{\n{default}}}\n'
    program = {"main.pp": config + 'output o {\n  value = notImplemented("x")\n}\noutput p {\n  value = [1, 2][length("a")]\n}\n'}
    result = pclgen.generate(program, store=probe, program_only=True)
    assert result.files or default.endswith('"p"\n')


@pytest.mark.parametrize("name", ["list(string)", "a b", "a(b)", "x_", "a-b", "1a", "type"])
@pytest.mark.parametrize("kind", ["", "string", "list(string)", "object({ a = string })"])
def test_configuration_has_any_name(name: str, kind: str) -> None:
    text = f'config "{name}" {kind and chr(34) + kind + chr(34)} {{}}\noutput o {{\n  value = 1\n}}\n'
    assert set(pclgen.generate({"main.pp": text}, program_only=True).files) == {"python", "typescript", "go"}


SHARED: Final = ["toJSON(@)", "secret(@)", "[@, @]", "@ == null ? 1 : 2"]


@pytest.mark.parametrize("use", SHARED)
@pytest.mark.parametrize("item", ["try({ x = @, y = @ }, null)", "flag ? [@] : { q = @ }", "flag ? { x = @ } : { y = @ }"])
def test_types_that_share_their_parts_are_walked_once(item: str, use: str, probe: pclgen.SchemaStore) -> None:
    text = "config x string {}\nconfig flag bool {}\n" + doubling(item, "x", 45) + f"output p {{\n  value = {use.replace('@', 'a45')}\n}}\n"
    result = pclgen.generate({"main.pp": text}, store=probe, program_only=True)
    assert max((len(code) for files in result.files.values() for code in files.values()), default=0) < 300_000


def test_null_of_an_object_without_members(probe: pclgen.SchemaStore) -> None:
    text = 'component c "./c" {\n  keepers = try({}, 1)\n}\n'
    program = {"main.pp": text, "c/main.pp": 'config keepers "map(string)" {}\n'}
    assert set(pclgen.generate(program, store=probe, program_only=True).files) == {"python", "typescript", "go"}
