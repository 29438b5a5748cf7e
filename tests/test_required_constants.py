"""Constants that a schema requires: a program may omit them, and every language writes them as its SDK requires."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import pclgen
from pclgen.evaluate.models import EchoModel
from pclgen.languages import LANGUAGES
from tests.support.sdks.trials import generated, run_failures, type_failures, write_schemas

TEXT = {"type": "string"}
KIND = {**TEXT, "const": "Basic"}
BOX = {"$ref": "#/types/shop:index:Box"}
LARGE = {"$ref": "#/types/shop:index:Large"}
SCHEMA: Mapping[str, Any] = {
    "name": "shop",
    "version": "1.0.0",
    "types": {
        "shop:index:Box": {"type": "object", "properties": {"text": TEXT, "kind": KIND}, "required": ["kind"]},
        "shop:index:Loose": {"type": "object", "properties": {"text": TEXT, "kind": KIND}},
        "shop:index:Large": {
            "type": "object",
            "properties": {
                "size": {"type": "integer"},
                "level": {"type": "integer", "const": 3},
                "on": {"type": "boolean", "const": True},
                "box": BOX,
            },
            "required": ["level", "on"],
        },
    },
    "resources": {
        "shop:index:Asked": {"inputProperties": {"kind": KIND, "text": TEXT}, "requiredInputs": ["kind"]},
        "shop:index:Tagged": {
            "properties": {"tags": {"type": "object", "additionalProperties": TEXT}},
            "required": ["tags"],
        },
        "shop:index:Thing": {
            "inputProperties": {
                "box": BOX,
                "plainBox": {**BOX, "plain": True},
                "boxes": {"type": "array", "items": BOX},
                "named": {"type": "object", "additionalProperties": BOX},
                "large": LARGE,
                "loose": {"$ref": "#/types/shop:index:Loose"},
                "optional": KIND,
            },
            "properties": {"box": BOX},
            "required": ["box"],
        },
    },
    "functions": {
        "shop:index:look": {
            "inputs": {"properties": {"box": {**BOX, "plain": True}, "kind": KIND}, "required": ["kind"]},
            "outputs": {"properties": {"text": TEXT}},
        },
        "shop:index:pick": {
            "inputs": {"properties": {"text": TEXT, "kind": KIND}, "required": ["text", "kind"]},
            "multiArgumentInputs": ["text", "kind"],
            "outputs": {"properties": {"text": TEXT}},
        },
    },
    "language": {"go": {"importBasePath": "example.com/shop/sdk/go/shop"}},
}
THING = 'resource "made" "shop:index:Thing" {{ {} }}\n'
PROGRAMS: Mapping[str, str] = {
    "nothing": 'resource "made" "shop:index:Asked" {}\n',
    "another input": 'resource "made" "shop:index:Asked" { text = "a" }\n',
    "it": 'resource "made" "shop:index:Asked" { kind = "Basic" }\n',
    "an object": THING.format('box = { text = "a" }'),
    "an empty object": THING.format("box = {}"),
    "a plain object": THING.format('plainBox = { text = "a" }'),
    "a list": THING.format('boxes = [{ text = "a" }, {}]'),
    "a map": THING.format('named = { a = { text = "a" }, b = {} }'),
    "objects in objects": THING.format("large = { size = 1, box = {} }"),
    "a loop": THING.format('boxes = [for name in ["a", "b"] : { text = name }]'),
    "an output": 'resource "first" "shop:index:Asked" {}\n' + THING.format("box = { text = first.id }"),
}
CALLS: Mapping[str, str] = {
    "a call": 'output o { value = invoke("shop:index:look", { box = { text = "a" } }).text }\n',
    "a call with an empty object": 'output o { value = invoke("shop:index:look", {}).text }\n',
    "a call without arguments": 'output o { value = invoke("shop:index:look").text }\n',
    "a positional call": 'output o { value = invoke("shop:index:pick", "a").text }\n',
}
REFUSED: Mapping[str, tuple[str, str]] = {
    "a local": ('b = { text = "a" }\n' + THING.format("box = b"), "b"),
    "an output of a resource": (
        'resource "first" "shop:index:Asked" {}\nb = { text = first.id }\n' + THING.format("box = b"), "b",
    ),
    "configuration": ('config b "object({ text = string })" {}\n' + THING.format("box = b"), "b"),
    "an element": ('b = [{ text = "a" }]\n' + THING.format("box = b[0]"), "b[0]"),
    "a list of objects": ('b = [{ text = "a" }]\n' + THING.format("boxes = b"), "b"),
    "a map of objects": ('b = { x = { text = "a" } }\n' + THING.format("named = b"), "b"),
    "a loop variable": ('b = [{ text = "a" }]\n' + THING.format("boxes = [for x in b : x]"), "x"),
    "a branch": ('config f bool {}\nb = { text = "a" }\n' + THING.format("box = f ? b : {}"), "b"),
    "an argument": ('b = { text = "a" }\noutput o { value = invoke("shop:index:look", { box = b }).text }\n', "b"),
    "a map": ('config b "map(string)" {}\n' + THING.format("box = b"), "b"),
    "a list of maps": ('config b "list(map(string))" {}\n' + THING.format("boxes = b"), "b"),
    "a map of maps": ('config b "map(map(string))" {}\n' + THING.format("named = b"), "b"),
    "a map in an object": ('config b "map(string)" {}\n' + THING.format("large = { size = 1, box = b }"), "b"),
    "a map that a loop makes": ('b = { for k in ["text"] : k => k }\n' + THING.format("box = b"), "b"),
    "an output that is a map": ('resource "first" "shop:index:Tagged" {}\n' + THING.format("box = first.tags"), "first.tags"),
    "all arguments": ('b = {}\noutput o { value = invoke("shop:index:look", b).text }\n', "b"),
}  # fmt: skip  # a table of short texts
GIVEN: Mapping[str, str] = {
    "a local with the constant": 'b = { text = "a", kind = "Basic" }\n' + THING.format("box = b"),
    "configuration": 'config k string {\n  default = "Basic"\n}\n' + THING.format('box = { kind = k, text = "a" }'),
    "an output of a resource": (
        'resource "first" "shop:index:Asked" {}\n' + THING.format("box = { text = first.id, kind = first.id }")
    ),
    "a list of them": 'b = [{ text = "a", kind = "Basic" }]\n' + THING.format("boxes = b"),
    "a loop over them": 'b = [{ text = "a", kind = "Basic" }]\n' + THING.format("boxes = [for x in b : x]"),
    "a literal around a local": 'b = { text = "a" }\n' + THING.format("box = { text = b.text }"),
    "an input of its shape": THING.format("box = {}") + 'resource "other" "shop:index:Thing" { box = made.box }\n',
}
EXPECTED: Mapping[str, Mapping[str, object]] = {
    "nothing": {"kind": "Basic"},
    "another input": {"kind": "Basic", "text": "a"},
    "it": {"kind": "Basic"},
    "an object": {"box": {"text": "a", "kind": "Basic"}},
    "an empty object": {"box": {"kind": "Basic"}},
    "a plain object": {"plainBox": {"text": "a", "kind": "Basic"}},
    "a list": {"boxes": ({"text": "a", "kind": "Basic"}, {"kind": "Basic"})},
    "a map": {"named": {"a": {"text": "a", "kind": "Basic"}, "b": {"kind": "Basic"}}},
    "objects in objects": {"large": {"size": 1, "level": 3, "on": True, "box": {"kind": "Basic"}}},
    "a loop": {"boxes": ({"text": "a", "kind": "Basic"}, {"text": "b", "kind": "Basic"})},
    "an output": {"box": {"text": "first-id", "kind": "Basic"}},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_type_check_and_run(language: str, tmp_path: Path) -> None:
    schemas = write_schemas([SCHEMA], tmp_path / "schemas")
    programs = generated({**PROGRAMS, **CALLS, **GIVEN}, language, schemas, tmp_path)
    assert type_failures(programs, language, schemas) == {}
    assert run_failures(programs, language, schemas, tmp_path) == {}


@pytest.mark.parametrize("language", ["python", "typescript"])
def test_a_map_fits_where_the_constant_is_optional(language: str, tmp_path: Path) -> None:
    """In Go no map is an object."""
    text = 'config b "map(string)" {\n  default = { text = "a", kind = "Basic" }\n}\n' + THING.format("loose = b")
    schemas = write_schemas([SCHEMA], tmp_path / "schemas")
    programs = generated({"a map": text}, language, schemas, tmp_path)
    assert type_failures(programs, language, schemas) == {}
    assert run_failures(programs, language, schemas, tmp_path) == {}


@pytest.mark.parametrize("name", REFUSED)
def test_only_literals_may_omit_them(name: str, tmp_path: Path) -> None:
    """Another value never gets the constant, which every SDK but Go's requires: the value has an error."""
    text, place = REFUSED[name]
    diagnostics = pclgen.check({"main.pp": text}, schemas=write_schemas([SCHEMA], tmp_path / "schemas")).diagnostics
    assert [(d.code, d.primary.text) for d in diagnostics if d.primary is not None] == [("PCL0401", place)], diagnostics
    assert "found nothing at `" in diagnostics[0].message and "kind`" in diagnostics[0].message


def test_a_local_with_the_constant_fits(tmp_path: Path) -> None:
    text = 'b = { text = "a", kind = "Basic" }\n' + THING.format("box = b")
    diagnostics = pclgen.check({"main.pp": text}, schemas=write_schemas([SCHEMA], tmp_path / "schemas")).diagnostics
    assert [d.message for d in diagnostics] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_registered(name: str, tmp_path: Path) -> None:
    schemas = write_schemas([SCHEMA], tmp_path / "schemas")
    result = pclgen.evaluate_program({"main.pp": PROGRAMS[name]}, schemas=schemas, models={"shop": EchoModel()})
    assert result.trace is not None, result.diagnostics
    inputs = result.trace.registrations[-1].inputs
    assert {key: value for key, value in inputs.items() if key != "optional"} == EXPECTED[name]
