"""The results of the evaluator: ranges, components, options, functions, failures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import pclgen
from pclgen.cli import app
from pclgen.diagnostics.model import Diagnostic
from pclgen.evaluate.config import StackFileError, read_stack_file
from pclgen.evaluate.engine import satisfies
from pclgen.evaluate.models import CreateRequest, EchoModel, ResourceAnswer
from pclgen.evaluate.options import FIELDS
from pclgen.evaluate.settings import ConfigValue
from pclgen.stdlib.options import RESOURCE_OPTIONS
from pclgen.trace.model import UNKNOWN, Alias, Registration, RegistrationKind, Secret
from tests.support.evaluation import evaluate, named, names, output, trace_of

SCHEMAS = Path(__file__).parent / "schemas"


def thing(name: str, body: str = "") -> str:
    return f'resource {name} "probe:index:Thing" {{\n{body}\n}}\n'


def place(diagnostic: Diagnostic) -> str:
    assert diagnostic.primary is not None
    start = diagnostic.primary.start_position
    return f"{start.line}:{start.column}"


def own_inputs(registration: Registration) -> dict[str, object]:
    """The inputs without the constant that the schema adds."""
    assert registration.inputs["kind"] == "probe"
    return {name: value for name, value in registration.inputs.items() if name != "kind"}


# --- ranges ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("range_", "body", "expected"),
    [
        ("2", "int = range.value", {"x-0": {"int": 0}, "x-1": {"int": 1}}),
        ("-1", "int = range.value", {}),
        ("true", "", {"x": {}}),
        ("false", "", {}),
        ('["a", "b"]', 'out = "${range.key}${range.value}"', {"x-0": {"out": "0a"}, "x-1": {"out": "1b"}}),
        ('{ b = "2", a = "1" }', 'out = "${range.key}${range.value}"', {"x-a": {"out": "a1"}, "x-b": {"out": "b2"}}),
    ],
)
def test_ranges(range_: str, body: str, expected: Mapping[str, object]) -> None:
    trace = trace_of(thing("x", f"{body}\noptions {{\n  range = {range_}\n}}"))
    assert {registration.name: own_inputs(registration) for registration in trace.registrations[1:]} == expected


def test_a_range_over_an_output_is_made_once_it_is_known() -> None:
    text = (
        thing("a") + thing("x", "out = range.value\noptions {\n  range = a.names\n}") + "output o {\n  value = x[1].out\n}\n"
    )
    trace = trace_of(text, outputs={"a": {"names": ("p", "q")}})
    assert [registration.name for registration in trace.registrations[1:]] == ["a", "x-0", "x-1"]
    assert trace.outputs["o"] == "q"
    later = evaluate(text, preview=True)
    assert [registration.name for registration in later.trace.registrations[1:]] == ["a"]
    assert later.trace.outputs["o"] == UNKNOWN
    assert [(d.code, place(d)) for d in later.diagnostics] == [("PCL1010", "7:11")]


def test_attributes_of_a_resource_that_was_not_made_are_null() -> None:
    text = thing("x", "options {\n  range = false\n}") + 'output o {\n  value = x == null ? "none" : x.out\n}\n'
    assert output(text) == "none"


def test_too_long_a_range_is_refused() -> None:
    evaluation = evaluate(thing("x", "options {\n  range = 1000000000\n}"))
    assert [d.message for d in evaluation.diagnostics] == ["expected a number up to 10000, found the number 1000000000"]


# --- components --------------------------------------------------------------------------------------------------------

INNER = """config given string {}
config size int {
  default = 3
}
resource r "probe:index:Thing" {
  out = given
  int = size
}
output made {
  value = r.out
}
"""


def test_components_hold_their_resources() -> None:
    trace = trace_of('component c "./c" {\n  given = "g"\n}\noutput o {\n  value = c.made\n}\n', components={"c": INNER})
    outer, inner = named(trace, "c"), named(trace, "c-r")
    assert (outer.kind, outer.type, outer.custom) == (RegistrationKind.COMPONENT, "components:index:C", False)
    assert (outer.inputs, outer.outputs) == ({"given": "g"}, {"made": "g"})
    assert (inner.parent, own_inputs(inner)) == (outer.urn, {"out": "g", "int": 3})
    assert inner.urn == "urn:pulumi:dev::test::components:index:C$probe:index:Thing::c-r"
    assert trace.outputs["o"] == "g"


def test_components_may_refer_to_each_other() -> None:
    text = """component one "./c" {
  given = two.made
}
component two "./c" {
  given = "start"
}
component three "./c" {
  given = join("", [for each in four : each.made])
}
component four "./d" {
  size = length(three.made)
  options {
    range = 2
  }
}
"""
    other = """config size int {}
resource r "probe:index:Thing" {
  out = "fixed"
}
resource s "probe:index:Thing" {
  int = size
}
output made {
  value = r.out
}
"""
    trace = trace_of(text, components={"c": INNER, "d": other})
    assert named(trace, "one-r").inputs["out"] == "start"
    assert named(trace, "three-r").inputs["out"] == "fixedfixed"
    assert named(trace, "four-1-s").inputs["int"] == 10
    assert named(trace, "three").inputs == {}  # inputs that wait for the cycle are not registered
    assert names(named(trace, "four-1-s").dependencies) == ["three-r"]


def test_a_cycle_through_components_is_reported() -> None:
    text = 'component one "./c" {\n  given = two.made\n}\ncomponent two "./c" {\n  given = one.made\n}\n'
    evaluation = evaluate(text, components={"c": INNER})
    assert [d.code for d in evaluation.diagnostics] == ["PCL1006"]
    assert evaluation.trace.failed


def test_providers_and_protection_are_inherited() -> None:
    text = """resource east "pulumi:providers:probe" {
  region = "east"
}
component c "./c" {
  given = "g"
  options {
    providers = [east]
    protect   = true
  }
}
"""
    trace = trace_of(text + thing("other"), components={"c": INNER})
    assert named(trace, "c-r").provider == "urn:pulumi:dev::test::pulumi:providers:probe::east::east-id"
    assert named(trace, "c").providers == {"probe": named(trace, "c-r").provider}
    assert named(trace, "other").provider == ""
    assert named(trace, "c").options.protect is True


def test_depending_on_a_component_is_depending_on_what_is_in_it() -> None:
    text = 'component c "./c" {\n  given = "g"\n}\n' + thing("x", "options {\n  dependsOn = [c]\n}")
    assert names(named(trace_of(text, components={"c": INNER}), "x").dependencies) == ["c-r"]


# --- options, reads, functions -----------------------------------------------------------------------------------------


def test_every_option_has_a_field() -> None:
    links = {"dependsOn", "parent", "provider", "providers", "range"}
    assert FIELDS.keys() == RESOURCE_OPTIONS.keys() - links


def test_options_are_registered() -> None:
    body = """options {
  parent              = a
  ignoreChanges       = [obj.s, tags["k"]]
  customTimeouts      = { create = "5m" }
  aliases             = [{ name = "old" }, "urn:x", { parent = a }]
  import              = "i-1"
  deletedWith         = a
  retainOnDelete      = true
  replacementTrigger  = a.out
}"""
    registration = named(trace_of(thing("a") + thing("x", body), outputs={"a": {"out": "v"}}), "x")
    options = registration.options
    assert registration.parent == "urn:pulumi:dev::test::probe:index:Thing::a"
    assert registration.urn == "urn:pulumi:dev::test::probe:index:Thing$probe:index:Thing::x"
    assert options.custom_timeouts == {"create": "5m"}
    assert options.aliases[:3] == (Alias(name="old"), Alias(urn="urn:x"), Alias(parent=registration.parent))
    assert (options.import_id, options.deleted_with) == ("i-1", registration.parent)
    assert (options.retain_on_delete, options.replacement_trigger) == (True, "v")
    assert (options.ignore_changes, options.version) == (("obj.s", "tags.k"), "1.0.0")


def test_reads_ask_for_an_id() -> None:
    text = 'read x "probe:index:Thing" {\n  id = "existing"\n}\noutput o {\n  value = [x.id, x.out]\n}\n'
    trace = trace_of(text, outputs={"x": {"out": "found"}}, preview=True)
    assert (named(trace, "x").kind, named(trace, "x").id) == (RegistrationKind.READ, "existing")
    assert trace.outputs["o"] == ("existing", "found")


def test_functions_are_recorded_and_wait_for_their_dependencies() -> None:
    text = thing("a") + 'x = invoke("probe:index:getThing", { name = a.out })\noutput o {\n  value = x.result\n}\n'
    trace = trace_of(text, outputs={"a": {"out": "n"}, "probe:index:getThing": {"result": "r", "list": ()}})
    assert [(call.token, call.args, call.answer["result"]) for call in trace.calls] == [
        ("probe:index:getThing", {"name": "n"}, "r")
    ]
    assert trace.outputs["o"] == "r"
    # The argument is known in the preview, but its resource does not exist yet.
    preview = trace_of(text, outputs={"a": {"out": "n"}}, preview=True)
    assert (preview.calls, preview.outputs["o"]) == ((), UNKNOWN)


def test_failures_and_recovery_when_the_run_goes_on() -> None:
    text = (
        thing("a")
        + thing("b", "out = a.out")
        + thing("c", 'out = "fine"')
        + 'output recovered {\n  value = recover(a.out, "no: ${error}")\n}\noutput lost {\n  value = a.out\n}\n'
    )
    evaluation = evaluate(text, failures={"a": "quota exceeded"}, continue_on_error=True)
    assert evaluation.trace.failed
    assert evaluation.trace.outputs == {"recovered": "no: resource a [probe:index:Thing] failed to register"}
    assert [registration.name for registration in evaluation.trace.registrations[1:]] == ["a", "c"]
    assert [entry.message for entry in evaluation.trace.log] == ["quota exceeded"]


def test_without_it_the_first_failure_ends_the_run() -> None:
    evaluation = evaluate(thing("a") + thing("c"), failures={"a": "quota exceeded"})
    assert [(d.code, place(d), d.message) for d in evaluation.diagnostics] == [
        ("PCL1009", "1:10", 'resource "a" of type probe:index:Thing: quota exceeded')
    ]


# --- configuration -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "text", "value"),
    [
        ("string", "5", "5"),
        ("int", "5", 5),
        ("number", "2.5", 2.5),
        ("bool", "true", True),
        ('"list(int)"', "[1, 2]", (1, 2)),
        ('"map(string)"', '{"a": "b"}', {"a": "b"}),
        ('"object({ a = int, b = optional(string) })"', '{"a": 1}', {"a": 1}),
        ("any", '{"a": [1]}', {"a": (1,)}),
        ("any", "text", "text"),
    ],
)
def test_configuration_values(declared: str, text: str, value: object) -> None:
    program = f"config c {declared} {{}}\noutput o {{\n  value = c\n}}\n"
    assert evaluate(program, config={"c": ConfigValue(text)}).trace.outputs["o"] == value
    assert evaluate(program, config={"c": ConfigValue(text, True)}).trace.outputs["o"] == Secret(value)


@pytest.mark.parametrize(
    ("declared", "text", "message"),
    [
        ("int", "many", 'config variable `c`: expected an int, found the string "many"'),
        ("bool", "yes", 'config variable `c`: expected a bool, found the string "yes"'),
        ('"list(int)"', "1,2", "config variable `c`: expected the JSON of a list(int), found other text"),
        ('"list(int)"', "5", "config variable `c`: expected a list(int), found the number 5"),
    ],
)
def test_bad_configuration_values(declared: str, text: str, message: str) -> None:
    evaluation = evaluate(f"config c {declared} {{}}\n", config={"c": ConfigValue(text)})
    assert [(d.code, d.message) for d in evaluation.diagnostics] == [("PCL1008", message)]


def test_stack_files(tmp_path: Path) -> None:
    path = tmp_path / "Pulumi.dev.yaml"
    path.write_text("config:\n  region: eu\n  site:count: 3\n  site:on: true\n  other:list: [1, a]\n")
    assert read_stack_file(path, "site") == {
        "site:region": ConfigValue("eu"),
        "site:count": ConfigValue("3"),
        "site:on": ConfigValue("true"),
        "other:list": ConfigValue('[1, "a"]'),
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("config: [", "is not YAML"),
        ("config: 5\n", "has no `config` section"),
        ("config:\n  a:\n    secure: xyz\n", "`a` is encrypted: give its value with --config-secret a=…"),
    ],
)
def test_bad_stack_files(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "Pulumi.dev.yaml"
    path.write_text(text)
    with pytest.raises(StackFileError, match=reason.replace("`", ".")):
        read_stack_file(path, "site")


@pytest.mark.parametrize(
    ("version", "version_range", "holds"),
    [
        ("3.200.0", ">=3.100.0", True),
        ("3.200.0", ">=3.100.0 <3.200.0", False),
        ("3.200.0", "=3.1.2 || >3.199", True),
        ("3.200.0", "3.200", True),
        ("3.200.0-beta.1", ">=3.200.0", False),
        ("3.200.0", "!=3.200.0", False),
        ("3.200.0-beta.10", ">3.200.0-beta.2", True),
        ("3.200.0+build.7", "=3.200.0", True),
        ("3.200.0", "3.x", True),
        ("3.200.0", "about 3", None),
        ("about 3", ">=3.0.0", None),
    ],
)
def test_version_ranges(version: str, version_range: str, holds: bool | None) -> None:
    assert satisfies(version, version_range) is holds


# --- failures with their places ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "where", "message"),
    [
        ('x = split(",", "a")[3]', "PCL1001", "1:5", "index 3 is out of range: the list has 1 element"),
        ('x = { for k in split(",", "a") : k => 1 }["b"]', "PCL1001", "1:5", 'unknown member "b"'),
        ('x = 1 / (length(split(",", "a")) - 1)', "PCL1005", "1:5", "this divides by zero"),
        ('x = notImplemented("later")', "PCL1011", "1:5", "not implemented: later"),
        ('x = readFile("nowhere.txt")', "PCL1012", "1:5", '"nowhere.txt" cannot be read: No such file or directory'),
        (
            'x = singleOrNone(split(",", "a,b"))',
            "PCL1004",
            "1:18",
            "`singleOrNone` fails: expected at most one element, found 2",
        ),
        (
            thing("a") + 'resource b "probe:index:Thing" {\n  __logicalName = "a"\n}',
            "PCL1013",
            "4:10",
            'two resources of type probe:index:Thing have the name "a"',
        ),
        (
            'x = split(",", "a,b")[1]\n' + thing("a", "int = x"),
            "PCL1002",
            "3:7",
            'expected an int, found the string "b"',
        ),
    ],
)
def test_failures_have_a_place(text: str, code: str, where: str, message: str) -> None:
    evaluation = evaluate(text + "\n")
    assert [(d.code, place(d), d.message) for d in evaluation.diagnostics] == [(code, where, message)]
    assert evaluation.trace.failed


def test_the_trail_tells_how_evaluation_came_there() -> None:
    text = """zones = split(",", "a,b")
pick = [for i in [0, 5] : zones[i]]
output o {
  value = pick
}
"""
    [diagnostic] = evaluate(text).diagnostics
    trail = [(note.message, None if note.span is None else str(note.span.start_position.line)) for note in diagnostic.notes]
    assert place(diagnostic) == "2:33"
    assert trail == [("evaluated from here, for element 1", "2")]
    inner = 'config given int {}\noutput made {\n  value = split(",", "a")[given]\n}\n'
    [diagnostic] = evaluate('component c "./c" {\n  given = 7\n}\n', components={"c": inner}).diagnostics
    assert diagnostic.primary is not None
    assert (diagnostic.primary.file.name, place(diagnostic)) == ("c/main.pp", "3:27")
    assert [note.message for note in diagnostic.notes] == ["evaluated from here, for component `c`"]


def test_a_failed_run_keeps_what_it_did() -> None:
    evaluation = evaluate(thing("a") + thing("b", 'int = split(",", "x")[0]'))
    assert [registration.name for registration in evaluation.trace.registrations] == ["test-dev", "a"]
    assert evaluation.trace.outputs == {}


# --- the library -------------------------------------------------------------------------------------------------------


class Shouting(EchoModel):
    """A model as a user would write it."""

    def create(self, request: CreateRequest) -> ResourceAnswer:
        return ResourceAnswer(id="1", outputs={"out": str(request.inputs["out"]).upper()})


def test_the_library_runs_programs_with_models() -> None:
    source = {"main.pp": thing("a", 'out = "quiet"') + "output o {\n  value = a.out\n}\n"}
    result = pclgen.evaluate_program(source, schemas=[SCHEMAS], models={"probe": Shouting()})
    assert result.trace is not None
    assert result.trace.outputs == {"o": "QUIET"}
    again = pclgen.evaluate_program(source, schemas=[SCHEMAS], name="site", stack="prod", preview=True)
    assert again.trace is not None and again.trace.preview
    assert again.trace.registrations[0].urn == "urn:pulumi:prod::site::pulumi:pulumi:Stack::site-prod"
    broken = pclgen.evaluate_program({"main.pp": "x = y\n"})
    assert broken.trace is None and broken.diagnostics


def test_recorded_answers(tmp_path: Path) -> None:
    recording = {
        "resources": {"probe:index:Thing::a": {"id": "real", "outputs": {"out": "o", "names": ["n"], "int": 1}}},
        "functions": [
            {"token": "probe:index:getThing", "args": {"name": "o"}, "answer": {"result": "exact", "list": []}},
            {"token": "probe:index:getThing", "answer": {"result": "any", "list": []}},
        ],
        "stacks": {"organization/net/dev": {"vpc": "vpc-1", "key": {"$secret": "k"}}},
    }
    path = tmp_path / "replay.json"
    path.write_text(json.dumps(recording))
    text = (
        thing("a", "int = 1")
        + 'resource net "pulumi:pulumi:StackReference" {\n  name = "organization/net/dev"\n}\n'
        + """output o {
  value = [a.id, a.names[0], a.int, invoke("probe:index:getThing", { name = a.out }).result]
}
output functions {
  value = invoke("probe:index:getThing", { name = "x" }).result
}
output stack {
  value = { vpc = getOutput(net, "vpc"), key = getOutput(net, "key"), none = getOutput(net, "none") }
}
"""
    )
    result = pclgen.evaluate_program({"main.pp": text}, schemas=[SCHEMAS], replay_file=path)
    assert result.trace is not None, result.diagnostics
    assert result.trace.outputs == {
        "o": ("real", "n", 1, "exact"),
        "functions": "any",
        "stack": {"vpc": "vpc-1", "key": Secret("k"), "none": None},
    }
    preview = pclgen.evaluate_program({"main.pp": text}, schemas=[SCHEMAS], replay_file=path, preview=True)
    assert preview.trace is not None
    assert preview.trace.outputs["o"] == (UNKNOWN, UNKNOWN, 1, UNKNOWN)


STACK_OUTPUTS = """
config which string {
  default = "vpc"
}
resource net "pulumi:pulumi:StackReference" {
  name = "organization/net/dev"
}
output o {
  value = {
    function = getOutput(net, "vpc")
    index    = net.outputs["vpc"]
    step     = net.outputs.vpc
    computed = net.outputs[which]
    list     = [for n in [net] : n.outputs.vpc]
    splat    = [net][*].outputs.vpc
    otherwise = try(net.outputs.vpc, "none")
  }
}
"""


def test_a_step_into_the_outputs_of_a_stack_is_its_function() -> None:
    """Both are null if nothing provides the outputs of the other stack; inside `try` they fail."""
    result = pclgen.evaluate_program({"main.pp": STACK_OUTPUTS}, schemas=[SCHEMAS])
    same = dict.fromkeys(("function", "index", "step", "computed"))
    assert result.trace is not None, result.diagnostics
    assert result.trace.outputs == {"o": {**same, "list": (None,), "splat": (None,), "otherwise": "none"}}


def test_a_step_into_the_outputs_of_a_stack_is_secret_where_that_output_is(tmp_path: Path) -> None:
    path = tmp_path / "replay.json"
    path.write_text('{"stacks": {"organization/net/dev": {"vpc": "v", "key": {"$secret": "k"}}}}')
    text = STACK_OUTPUTS + 'output key {\n  value = net.outputs.key\n}\n'
    result = pclgen.evaluate_program({"main.pp": text}, schemas=[SCHEMAS], replay_file=path)
    same = dict.fromkeys(("function", "index", "step", "computed"), "v")
    assert result.trace is not None, result.diagnostics
    assert result.trace.outputs["key"] == Secret("k")
    assert result.trace.outputs["o"] == {**same, "list": ("v",), "splat": ("v",), "otherwise": Secret("v")}, "`try` asks for all"


def test_a_run_can_be_its_own_recording(tmp_path: Path) -> None:
    from pclgen.trace.json import dumps

    source = {"main.pp": thing("a", 'out = "x"') + "output o {\n  value = [a.id, a.int, a.out]\n}\n"}
    first = pclgen.evaluate_program(source, schemas=[SCHEMAS])
    assert first.trace is not None
    path = tmp_path / "run.json"
    path.write_text(dumps(first.trace).replace("a-id", "real-id"))
    second = pclgen.evaluate_program(source, schemas=[SCHEMAS], replay_file=path)
    assert second.trace is not None
    assert second.trace.outputs == {"o": ("real-id", 1, "x")}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "is not JSON"),
        ("[]", "expected an object for the file"),
        ('{"resource": {}}', 'expected "resources", "functions" and "stacks", found "resource"'),
        ('{"functions": [{}]}', 'expected the "token" of a function'),
        ('{"resources": {"a": {"id": 5}}}', 'expected a string for the id of "a"'),
    ],
)
def test_bad_recordings(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "replay.json"
    path.write_text(text)
    with pytest.raises(pclgen.LoadError, match=reason):
        pclgen.evaluate_program({"main.pp": "x = 1\n"}, replay_file=path)


# --- the command -------------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = app.main(["evaluate", *argv])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


PROGRAM = (
    "config size int {}\nconfig key string {\n  secret = true\n}\n"
    + thing("a", "int = size\nout = key\nkind = null")
    + "output o {\n  value = a.id\n}\n"
)


@pytest.fixture
def program(tmp_path: Path) -> str:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "main.pp").write_text(PROGRAM)
    return str(folder)


def test_the_command_prints_a_tree(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    argv = [program, "--schemas", str(SCHEMAS), "--config", "size=2", "--config-secret", "site:key=k", "--stack", "prod"]
    status, out, err = run(capsys, *argv)
    assert (status, err) == (0, "")
    assert out == (
        "stack  site-prod\n"
        f"└─ probe:index:Thing  a  {program}/main.pp:5:10\n"
        "      out  = [secret]\n"
        "      int  = 2\n"
        '      kind = "probe"\n'
        "      version: 1.0.0\n"
        "outputs\n"
        '  o = "a-id"\n'
    )
    assert '      out  = [secret] "k"\n' in run(capsys, *argv, "--show-secrets")[1]
    assert run(capsys, *argv, "--preview")[1].endswith("outputs\n  o = [unknown]\n")


def test_the_command_prints_json_and_reads_it_again(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stack_file = tmp_path / "Pulumi.dev.yaml"
    stack_file.write_text("config:\n  site:size: 3\n  site:key: k\n")
    argv = [program, "--schemas", str(SCHEMAS), "--config-file", str(stack_file), "--format", "json"]
    status, out, _ = run(capsys, *argv)
    assert status == 0
    assert json.loads(out)["registrations"][1]["inputs"]["int"] == 3
    (tmp_path / "run.json").write_text(out.replace("a-id", "other"))
    assert json.loads(run(capsys, *argv, "--replay", str(tmp_path / "run.json"))[1])["outputs"] == {"o": "other"}


def test_the_command_says_what_is_wrong(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = [program, "--schemas", str(SCHEMAS)]
    status, out, err = run(capsys, *argv)
    assert (status, out) == (1, "stack  site-dev\n")
    assert "error[PCL1007]: config variable `size` has no value" in err
    status, _, err = run(capsys, *argv, "--config", "size")
    assert (status, err.splitlines()[0]) == (2, "error: expected KEY=VALUE after --config, found `size`")
    missing = str(tmp_path / "missing.json")
    status, _, err = run(capsys, *argv, "--replay", missing)
    assert (status, err) == (2, f"error: {missing} cannot be read: No such file or directory\n")


def test_the_command_makes_up_lists_of_a_length(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(program, "main.pp").write_text(
        thing("a", "int = 1") + "output o {\n  value = length(a.names)\n}\n", encoding="utf-8"
    )
    argv = [program, "--schemas", str(SCHEMAS), "--format", "json"]
    assert json.loads(run(capsys, *argv)[1])["outputs"] == {"o": 1}
    assert json.loads(run(capsys, *argv, "--list-length", "3")[1])["outputs"] == {"o": 3}
    status, _, err = run(capsys, *argv, "--list-length", "many")
    assert (status, "a number from 0 to 100, not 'many'" in err) == (2, True)


def test_members_of_the_branch_that_is_not_chosen_are_not_there() -> None:
    program = 'config big bool { default = false }\nc = big ? { x = 1, y = "u" } : { x = 2 }\n'
    program += "output o {\n  value = c\n}\noutput j {\n  value = toJSON(c)\n}\n"
    program += "output n {\n  value = can(c.y)\n}\n"
    assert evaluate(program).trace.outputs == {"o": {"x": 2}, "j": '{"x":2}', "n": False}
