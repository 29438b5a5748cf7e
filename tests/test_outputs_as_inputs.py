"""Outputs of resources and components as inputs of the same shape: every kind of type, in every type-preserving form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.field_runs import settings_of
from tests.support.generated import LANGUAGES, REAL_SCHEMAS
from tests.support.sdks.trials import generated, run_failures, type_failures, write_schemas
from tests.support.verified import environments, programs_in_memory, verified

MAIN = """
resource cluster "digitalocean:index/kubernetesCluster:KubernetesCluster" {
  region  = "nyc3"
  version = "1.29"
  nodePool = {
    name   = "a"
    size   = "s-1vcpu-2gb"
    taints = [{ key = "a", value = "b", effect = "NoSchedule" }]
  }
}
resource pool "digitalocean:index/kubernetesNodePool:KubernetesNodePool" {
  clusterId = cluster.id
  size      = "s-1vcpu-2gb"
  taints    = cluster.nodePool.taints
  labels    = { a = "b" }
  tags      = ["a"]
}
resource copy "digitalocean:index/kubernetesNodePool:KubernetesNodePool" {
  clusterId = cluster.id
  size      = pool.size
  taints    = pool.taints
  labels    = pool.labels
  tags      = pool.tags
  nodeCount = pool.nodeCount
}
resource other "digitalocean:index/kubernetesCluster:KubernetesCluster" {
  region            = cluster.region
  version           = cluster.version
  nodePool          = cluster.nodePool
  maintenancePolicy = cluster.maintenancePolicy
}
component parts "./parts" {
  on = true
}
resource named "random:index/randomId:RandomId" {
  byteLength = 4
  prefix     = parts.text
  keepers    = parts.object
}
output texts {
  value = ["${pool.taints[0].key}", "k-${copy.taints[0].key}", "n-${pool.nodes[0].name}"]
}
output all {
  value = [parts.text, parts.object, parts.list, parts.nested]
}
"""

PARTS = """
config on bool {}
resource id "random:index/randomId:RandomId" { byteLength = 4 }
output text { value = on ? id.hex : null }
output object { value = on ? { a = id.hex } : null }
output list { value = on ? [id.hex] : [] }
output nested { value = on ? [{ a = id.hex, b = { c = [id.dec] } }] : null }
"""


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_outputs_go_to_inputs_of_the_same_shape(language: str) -> None:
    texts = {"outputs": {"main.pp": MAIN, "parts/main.pp": PARTS}}
    subjects = programs_in_memory(texts, SchemaStore([REAL_SCHEMAS]), [language])
    results = verified(subjects, settings_of, tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)


TEXT = {"type": "string"}


def _list(element: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": element}


def _map(element: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": element}


POINT = {"$ref": "#/types/kinds:index:Point"}
COLOR = {"$ref": "#/types/kinds:index:Color"}
LEVEL = {"$ref": "#/types/kinds:index:Level"}


@dataclass(frozen=True)
class Kind:
    """A schema type, a value of it, and other expressions of that type over `SOURCE`, a property of the type."""

    schema: Mapping[str, Any]
    value: str
    forms: tuple[str, ...] = ()


ELEMENTS = ("[SOURCE[0]]", "[for x in SOURCE : x]", "[for x in SOURCE : x if flag]", "flag ? SOURCE : []")
ENTRIES = ('{ a = SOURCE["a"] }', "{ a = SOURCE.a }", "{ for k, v in SOURCE : k => v }", "{ for k, v in SOURCE : \"${k}-b\" => v }")
A_POINT = '{ name = "p", size = 2, inner = { names = ["n"] }, colors = ["red"] }'

KINDS = {
    "text": Kind(TEXT, '"t"', ('"${SOURCE}-x"', 'flag ? SOURCE : "u"')),
    "whole": Kind({"type": "integer"}, "3", ("SOURCE + 1", "flag ? SOURCE : 4")),
    "number": Kind({"type": "number"}, "1.5", ("SOURCE * 2", "flag ? SOURCE : 2.5")),
    "flag": Kind({"type": "boolean"}, "true", ("!SOURCE", "SOURCE && flag")),
    "anything": Kind({"$ref": "pulumi.json#/Any"}, '{ a = ["b"] }', ("{ of = SOURCE }", "[SOURCE]")),
    "color": Kind(COLOR, '"red"', ('flag ? SOURCE : "green"',)),
    "level": Kind(LEVEL, "1", ("flag ? SOURCE : 2",)),
    "point": Kind(
        POINT,
        A_POINT,
        (
            "{ name = SOURCE.name, size = SOURCE.size, inner = SOURCE.inner, colors = SOURCE.colors }",
            "{ name = SOURCE.inner.names[0], inner = { names = SOURCE.inner.names } }",
            f"flag ? SOURCE : {A_POINT}",
        ),
    ),
    "texts": Kind(_list(TEXT), '["a", "b"]', (*ELEMENTS, '["${SOURCE[0]}!"]')),
    "integers": Kind(_list({"type": "integer"}), "[1, 2]", (*ELEMENTS, "[for x in SOURCE : x + 1]")),
    "colors": Kind(_list(COLOR), '["red", "green"]', ELEMENTS),
    "points": Kind(_list(POINT), f"[{A_POINT}]", (*ELEMENTS, "[for x in SOURCE : { name = x.name, inner = x.inner }]")),
    "rows": Kind(_list(_list(TEXT)), '[["a"], ["b"]]', (*ELEMENTS, "[[SOURCE[0][0]]]")),
    "maps": Kind(_list(_map(TEXT)), '[{ a = "b" }]', (*ELEMENTS, '[{ a = SOURCE[0]["a"] }]')),
    "tags": Kind(_map(TEXT), '{ a = "b" }', (*ENTRIES, "flag ? SOURCE : {}")),
    "byName": Kind(_map(POINT), f"{{ a = {A_POINT} }}", (*ENTRIES, "{ a = { name = SOURCE.a.name, inner = SOURCE.a.inner } }")),
    "groups": Kind(_map(_list(TEXT)), '{ a = ["b"] }', (*ENTRIES, "{ a = [SOURCE.a[0]] }")),
    "either": Kind({"oneOf": [TEXT, {"type": "integer"}]}, "7", ('flag ? SOURCE : "8"',)),
    "textOrPoint": Kind({"oneOf": [TEXT, POINT]}, '"t"', ('flag ? SOURCE : "u"',)),
    "colorOrText": Kind({"oneOf": [COLOR, TEXT]}, '"red"', ('flag ? SOURCE : "u"',)),
    "asset": Kind({"$ref": "pulumi.json#/Asset"}, 'stringAsset("a")'),
    "archive": Kind({"$ref": "pulumi.json#/Archive"}, 'assetArchive({ a = stringAsset("a") })'),
}


def _properties(kind: Kind) -> dict[str, Any]:
    return {"sure": kind.schema, "maybe": kind.schema}


SCHEMA: Mapping[str, Any] = {
    "name": "kinds",
    "version": "1.0.0",
    "types": {
        "kinds:index:Color": {"type": "string", "enum": [{"value": "red"}, {"value": "green"}]},
        "kinds:index:Level": {"type": "integer", "enum": [{"name": "Low", "value": 1}, {"name": "High", "value": 2}]},
        "kinds:index:Inner": {"type": "object", "properties": {"names": _list(TEXT)}, "required": ["names"]},
        "kinds:index:Point": {
            "type": "object",
            "properties": {
                "name": TEXT,
                "size": {"type": "integer"},
                "inner": {"$ref": "#/types/kinds:index:Inner"},
                "colors": _list(COLOR),
            },
            "required": ["name", "inner"],
        },
    },
    "resources": {
        f"kinds:index:Has{name[0].upper()}{name[1:]}": {
            "inputProperties": _properties(kind),
            "requiredInputs": ["sure"],
            "properties": _properties(kind),
            "required": ["sure"],
        }
        for name, kind in KINDS.items()
    },
    "language": {"go": {"importBasePath": "example.com/kinds/sdk/go/kinds"}},
}


def _sinks(kind: Kind, source: str) -> Iterator[str]:
    """Inputs of resources that use the properties of the resource `source`, in every form."""
    yield f"sure = {source}.sure"
    yield f"sure = {source}.sure\n  maybe = {source}.maybe"
    yield f"sure = {source}.sure\n  maybe = {source}.sure"
    yield f"sure = {source}.sure\n  maybe = flag ? {source}.sure : null"
    yield f"sure = {source}.sure\n  maybe = flag ? {source}.maybe : {source}.sure"
    yield f"sure = {source}.maybe"
    yield f"sure = try({source}.maybe, {kind.value})"
    for form in kind.forms:
        yield f"sure = {form.replace('SOURCE', source + '.sure')}"
        yield f"sure = {form.replace('SOURCE', source + '.maybe')}"


def _kind_program(name: str, kind: Kind) -> dict[str, str]:
    token = f"kinds:index:Has{name[0].upper()}{name[1:]}"
    attributes = f"sure = {kind.value}\n  maybe = {kind.value}"
    declarations = f'config flag bool {{\n  default = true\n}}\nresource source "{token}" {{\n  {attributes}\n}}\n'
    ranged = f'resource many "{token}" {{\n  {attributes}\n  options {{\n    range = 2\n  }}\n}}\n'
    bare = f'resource bare "{token}" {{\n  sure = {kind.value}\n}}\n'
    part = 'component part "./part" {\n}\nalias = source\nlocalSure = source.sure\n'
    inputs = [
        *_sinks(kind, "source"),
        *_sinks(kind, "many[0]"),
        "sure = part.sure\n  maybe = part.maybe",
        "sure = bare.sure\n  maybe = bare.maybe",
        f"sure = try(bare.maybe, {kind.value})",
        "sure = localSure",
    ]
    sinks = (f'resource sink{at} "{token}" {{\n  {text}\n}}\n' for at, text in enumerate(inputs))
    outputs = "output sure {\n  value = source.sure\n}\noutput maybe {\n  value = flag ? source.maybe : null\n}\n"
    return {"main.pp": declarations + ranged + bare + part + "".join(sinks), "part/main.pp": declarations + outputs}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_output_goes_to_inputs_of_its_kind(language: str, tmp_path: Path) -> None:
    schemas = write_schemas([SCHEMA], tmp_path / "schemas")
    programs = generated({name: _kind_program(name, kind) for name, kind in KINDS.items()}, language, schemas, tmp_path)
    assert type_failures(programs, language, schemas) == {}
    assert run_failures(programs, language, schemas, tmp_path) == {}


REAL = ("command-1.2.1", "digitalocean-4.76.0", "github-6.15.0", "tls-5.5.1")
NEWER = frozenset({"github:index/teamMembers:TeamMembers"})
"""Resources of the schema that the pinned Go SDK, which is a version older, lacks in part."""


def _shape(document: Mapping[str, Any], spec: Mapping[str, Any], depth: int = 2) -> str:
    """Return the structure of a type without names, such as `list(object(boolean, list(string)))`."""
    if "$ref" in spec:
        named = document["types"].get(str(spec["$ref"]).removeprefix("#/types/"), {})
        if "enum" in named or "properties" not in named:
            return "enum" if "enum" in named else str(spec["$ref"])
        members = {_shape(document, member, depth - 1) for member in named["properties"].values()} if depth else ()
        return f"object({', '.join(sorted(members))})"
    if "oneOf" in spec:
        return f"union({', '.join(_shape(document, member, depth) for member in spec['oneOf'])})"
    if "items" in spec:
        return f"list({_shape(document, spec['items'], depth)})"
    if "additionalProperties" in spec:
        return f"map({_shape(document, spec['additionalProperties'], depth)})"
    return str(spec.get("type"))


def _shared(document: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, str]:
    """The shapes of the inputs of a resource that are also outputs, by name; required outputs have different shapes."""
    outputs, shapes = entry.get("properties", {}), {}
    for name, spec in entry.get("inputProperties", {}).items():
        shape = _shape(document, spec)
        if name in outputs and shape == _shape(document, outputs[name]) and "deprecationMessage" not in spec:
            shapes[name] = f"{shape} {name in entry.get('required', ())} {name in entry.get('requiredInputs', ())}"
    return shapes


def _real_program(document: Mapping[str, Any]) -> tuple[str, set[str]]:
    """A program that passes each shape of the schema from a read resource to a created resource, and the shapes."""
    covered: set[str] = set()
    lines: list[str] = []
    for token, entry in sorted(document["resources"].items()):
        if token in NEWER:
            continue
        shapes = _shared(document, entry)
        new = set(shapes.values()) - covered
        if not new or set(entry.get("requiredInputs", ())) - shapes.keys() or "deprecationMessage" in entry:
            continue
        at = len(covered)
        covered |= new
        inputs = "".join(f"  {name} = read{at}.{name}\n" for name in shapes)
        again = "".join(f"  {name} = {_again(shape, f'read{at}.{name}')}\n" for name, shape in shapes.items())
        lines.append(f'read read{at} "{token}" {{\n  id = "1"\n}}\nresource same{at} "{token}" {{\n{inputs}}}\n')
        lines.append(f'resource again{at} "{token}" {{\n{again}}}\n')
    return "".join(lines), covered


def _again(shape: str, source: str) -> str:
    """`source` in a form that keeps the type and is not the bare output."""
    if shape.startswith("list("):
        return f"[for x in {source} : x]"
    if shape.startswith("map("):
        return f"{{ for k, v in {source} : k => v }}"
    return f"try({source}, {source})"


@pytest.fixture(scope="module")
def real_programs() -> Mapping[str, Mapping[str, str]]:
    """The programs of the real SDKs, which together have all kinds of types."""
    programs, covered = {}, set[str]()
    for name in REAL:
        text, shapes = _real_program(json.loads((REAL_SCHEMAS / f"{name}.json").read_text()))
        programs[name.partition("-")[0]] = {"main.pp": text}
        covered |= {shape.partition(" ")[0].partition("(")[0] for shape in shapes}
        covered |= {"list of objects" for shape in shapes if shape.startswith("list(object")}
        covered |= {"object in an object" for shape in shapes if shape.count("object(") > 1}
    scalars = {"string", "integer", "boolean", "number", "enum"}
    assert covered >= {*scalars, "object", "list", "map", "list of objects", "object in an object"}
    return programs


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_outputs_of_real_sdks_go_to_inputs(real_programs: Mapping[str, Mapping[str, str]], language: str) -> None:
    """One compilation has every shape of these SDKs, bare and through an expression."""
    subjects = programs_in_memory(real_programs, SchemaStore([REAL_SCHEMAS]), [language])
    results = verified(subjects, settings_of, tools=environments(), languages=[language], levels=("compile",))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)
