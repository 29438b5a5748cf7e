"""The differences from Pulumi's YAML runtime that language.md lists: every row, on both sides."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pclgen import pipeline
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.trace.model import ResourceRef, Secret, Trace
from tests.support import toolchains
from tests.support.corpus import ROOT
from tests.support.real_yaml import run_yaml, run_yaml_component
from tests.support.yaml_programs import SCHEMA

SETTINGS = Settings(project="p", stack="dev", organization="acme")


@dataclass(frozen=True, kw_only=True)
class Case:
    """A program without its first lines; for each side its outputs, or a part of its error message."""

    body: str
    theirs: Mapping[str, object] | str
    ours: Mapping[str, object] | str


THING = "resources: {a: {type: 'acme:Thing'%s}}\noutputs: {o: 1}"
ONE: Mapping[str, object] = {"o": 1}

CASES: Mapping[str, Case] = {
    "aliases and merge keys (`*name`, `<<:`)": Case(
        body="variables: {a: &a {x: 1}, b: *a}\noutputs: {o: '${b.x}'}", theirs="alias nodes are not supported", ours=ONE
    ),
    "an index behind a dot (`${list.0}`)": Case(
        body="variables: {v: [1]}\noutputs: {o: '${v.0}'}", theirs="cannot access a property on 'v'", ours=ONE
    ),
    "one resource for `dependsOn`": Case(
        body="resources: {a: {type: 'acme:Thing'}, b: {type: 'acme:Thing', options: {dependsOn: '${a}'}}}\noutputs: {o: 1}",
        theirs="must be a list of resources", ours=ONE,
    ),
    "`fn::length` and the other functions of PCL": Case(
        body="outputs: {o: {fn::length: [a]}}", theirs={"o": {"fn::length": ("a",)}}, ours=ONE
    ),
    "an unknown function in a value that nothing uses": Case(
        body="variables: {v: {fn::nothing: 1}}\noutputs: {o: 1}", theirs=ONE, ours="PCL1203"
    ),
    'a text for a number (`size: "80"`)': Case(
        body=THING % ", properties: {size: '80'}", theirs="Cannot assign type 'string' to type 'integer'", ours=ONE
    ),
    "a number among the texts of `fn::join` or `fn::split`": Case(
        body="outputs: {o: {fn::join: ['-', [1, a]]}}", theirs="must be a list of strings", ours={"o": "1-a"}
    ),
    "configuration of another type than its default, of type `any`, or with a type of the old section in `config:`": Case(
        body="config: {c: {type: string, default: 5}}\noutputs: {o: '${c}'}", theirs="not of the expected type", ours={"o": "5"}
    ),
    "a large number in a text": Case(
        body="variables: {n: 1000000}\noutputs: {o: 'n ${n}'}", theirs={"o": "n 1e+06"}, ours={"o": "n 1000000"}
    ),
    "an integer that no double can hold": Case(
        body="outputs: {o: 9007199254740993}", theirs={"o": 9007199254740992}, ours="PCL0423"
    ),
    "null in a text": Case(
        body="variables: {n: null}\noutputs: {o: 'a${n}'}", theirs={"o": "a<nil>"}, ours="PCL0412"
    ),
    "a list or an object in a text": Case(
        body="variables: {n: [1, 2]}\noutputs: {o: 'a${n}'}", theirs={"o": "a[1 2]"}, ours="PCL0412"
    ),
    "`<`, `>` or `&` in `fn::toJSON`": Case(
        body="outputs: {o: {fn::toJSON: 'a<b'}}", theirs={"o": '"a\\u003cb"'}, ours={"o": '"a<b"'}
    ),
    "an output with a secret inside": Case(
        body="outputs: {o: {a: 1, b: {fn::secret: 2}}}",
        theirs={"o": Secret(value={"a": 1, "b": 2})}, ours={"o": {"a": 1, "b": Secret(value=2)}},
    ),
    "an unknown key": Case(body="extra: 1\noutputs: {o: 1}", theirs=ONE, ours="PCL1205"),
    "`ignoreChanges` with a name that no property has": Case(
        body=THING % ", options: {ignoreChanges: [nothing]}", theirs=ONE, ours="PCL0703"
    ),
    "a name that nothing declares": Case(
        body="outputs: {o: '${x}'}", theirs='resource or variable named "x" could not be found', ours="PCL1211"
    ),
    "a resource in the place of a text (`[${group}]`)": Case(
        body="resources: {a: {type: 'acme:Thing'}, b: {type: 'acme:Thing', properties: {name: '${a}'}}}\noutputs: {o: '${b.name}'}",
        theirs={"o": ResourceRef(urn="urn:pulumi:dev::p::acme:index:Thing::a", id="a-id")}, ours={"o": "a-id"},
    ),
    "keys in another case (`Resources:`)": Case(body="Outputs: {o: 1}", theirs=ONE, ours=ONE),
}  # fmt: skip  # a table with a row for each row of the page

SITE = """\
name: web
runtime: yaml
components:
  Site:
    outputs: {o: 1}
"""
OUTER = """\
  Outer:
    resources: {inner: {type: 'web:index:Site'}}
    outputs: {o: 1}
"""


@dataclass(frozen=True, kw_only=True)
class ComponentCase:
    """A `PulumiPlugin.yaml`, and one resource of a component of it.

    For each side: the types and names of the registrations below the stack, or a part of its error message.
    """

    plugin: str
    component: str = "Site"
    theirs: Sequence[str] | str
    ours: Sequence[str] | str


COMPONENTS: Mapping[str, ComponentCase] = {
    "a component `Site`": ComponentCase(
        plugin=SITE,
        theirs=["web:index:Site site"],
        ours=["components:index:Site site"],
    ),
    "a resource `thing` in a component": ComponentCase(
        plugin=SITE + "    resources: {thing: {type: 'acme:Thing'}}\n",
        theirs=["web:index:Site site", "acme:index:Thing thing"],
        ours=["components:index:Site site", "acme:index:Thing site-thing"],
    ),
    "a resource of its own component (`web:index:Site`)": ComponentCase(
        plugin=SITE + OUTER,
        component="Outer",
        theirs="error resolving type of resource inner",
        ours=["components:index:Outer site", "components:index:Site site-inner"],
    ),
    "an unknown key in a component": ComponentCase(
        plugin=SITE + "    sizes: 3\n",
        theirs=["web:index:Site site"],
        ours="PCL1205",
    ),
}


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schemas")
    (folder / "acme-1.2.3.json").write_text(json.dumps(SCHEMA))
    return folder


def full(case: Case) -> str:
    return f"name: p\nruntime: yaml\n{case.body}\n"


@pytest.mark.parametrize(
    ("heading", "cases"), [("### Differences from Pulumi's YAML runtime", CASES), ("#### Components in YAML", COMPONENTS)]
)
def test_every_row_has_a_case(heading: str, cases: Mapping[str, object]) -> None:
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    section = re.split(r"\n#+ ", text.partition(f"{heading}\n")[2])[0]
    *_, table = section.partition(" | Pulumi's runtime | pclgen |\n")
    assert re.findall(r"^\| (.+?) \| .+ \| .+ \|$", table, re.MULTILINE) == [*cases]


@pytest.mark.parametrize("name", CASES)
def test_what_is_accepted_can_be_written(name: str, schemas: Path) -> None:
    """The program as Pulumi YAML has the same outputs."""
    store = SchemaStore([schemas])
    program = program_in_memory("p", {"Pulumi.yaml": full(CASES[name])})
    if not pipeline.check(program, store=store).ok:
        return
    written = pipeline.generate(program, store=store, languages=["yaml"])
    assert written.ok, written.diagnostics
    text = next(iter(written.files["yaml"].values()))
    again = pipeline.check(program_in_memory("p", {"Pulumi.yaml": text}), store=store)
    before = pipeline.check(program, store=store)
    assert again.program is not None and before.program is not None, again.diagnostics
    ours, theirs = (evaluate_program(bound, SETTINGS).trace for bound in (before.program, again.program))
    assert (ours.failed, ours.outputs) == (theirs.failed, theirs.outputs)


@pytest.mark.parametrize("name", CASES)
def test_what_pclgen_does(name: str, schemas: Path) -> None:
    case = CASES[name]
    checked = pipeline.check(program_in_memory("p", {"Pulumi.yaml": full(case)}), store=SchemaStore([schemas]))
    codes = [entry.code for entry in checked.diagnostics]
    if isinstance(case.ours, str) and case.ours.startswith("PCL"):
        assert codes == [case.ours]
        return
    assert checked.program is not None and checked.ok
    trace = evaluate_program(checked.program, SETTINGS).trace
    if isinstance(case.ours, str):
        assert trace.failed
        assert case.ours in " ".join(entry.message for entry in trace.log)
    else:
        assert dict(trace.outputs) == case.ours


@pytest.fixture(scope="module")
def runtime() -> None:
    """Skip tests that need Pulumi's own runtime where it cannot be built, except in CI."""
    try:
        toolchains.pulumi_yaml()
    except toolchains.ToolError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"left out: the runtime of Pulumi YAML cannot be built here: {error}")


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("name", CASES)
def test_what_the_runtime_does(name: str, schemas: Path, tmp_path: Path) -> None:
    case = CASES[name]
    (tmp_path / "Pulumi.yaml").write_text(full(case), encoding="utf-8")
    trace = run_yaml(tmp_path, [schemas], SETTINGS)
    if isinstance(case.theirs, str):
        assert trace.failed
        assert case.theirs in " ".join(entry.message for entry in trace.log)
    else:
        assert not trace.failed, trace.log
        assert dict(trace.outputs) == case.theirs


def with_plugin(case: ComponentCase) -> dict[str, str]:
    program = f"resources: {{site: {{type: 'web:index:{case.component}'}}}}\noutputs: {{o: '${{site.o}}'}}\n"
    return {"Pulumi.yaml": f"name: p\nruntime: yaml\npackages: {{web: ./web}}\n{program}", "web/PulumiPlugin.yaml": case.plugin}


def registered(trace: Trace) -> list[str]:
    """Return the types and names of the resources below the stack."""
    return [f"{resource.type} {resource.name}" for resource in trace.registrations if resource.type != "pulumi:pulumi:Stack"]


@pytest.mark.parametrize("name", COMPONENTS)
def test_what_pclgen_does_with_components(name: str, schemas: Path) -> None:
    case = COMPONENTS[name]
    sources = program_in_memory("p", with_plugin(case))
    checked = pipeline.check(sources, store=SchemaStore([schemas]))
    if isinstance(case.ours, str):
        assert [diagnostic.code for diagnostic in checked.diagnostics] == [case.ours]
        checked = pipeline.check(sources, store=SchemaStore([schemas]), lenient=True)
        assert checked.ok
        assert [diagnostic.code for diagnostic in checked.diagnostics] == [case.ours]
        return
    assert checked.program is not None and checked.ok, checked.diagnostics
    trace = evaluate_program(checked.program, SETTINGS).trace
    assert (registered(trace), trace.outputs["o"]) == (case.ours, 1)


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("name", COMPONENTS)
def test_what_the_runtime_does_with_components(name: str, schemas: Path, tmp_path: Path) -> None:
    case = COMPONENTS[name]
    (tmp_path / "PulumiPlugin.yaml").write_text(case.plugin, encoding="utf-8")
    trace = run_yaml_component(tmp_path, f"web:index:{case.component}", [schemas], SETTINGS)
    if isinstance(case.theirs, str):
        assert trace.failed
        assert case.theirs in " ".join(entry.message for entry in trace.log)
    else:
        assert not trace.failed, trace.log
        assert (registered(trace), trace.outputs["o"]) == (case.theirs, 1)


@pytest.mark.parametrize("name", ["an unknown key", "`ignoreChanges` with a name that no property has"])
def test_lenient_mode_warns(name: str, schemas: Path) -> None:
    sources = program_in_memory("p", {"Pulumi.yaml": full(CASES[name])})
    checked = pipeline.check(sources, store=SchemaStore([schemas]), lenient=True)
    assert checked.ok
    assert [diagnostic.code for diagnostic in checked.diagnostics] == [CASES[name].ours]
