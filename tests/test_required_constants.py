"""Constants that a schema requires: a program may omit them, and every language has them, as their SDKs ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import pclgen
from pclgen.evaluate.models import EchoModel
from pclgen.languages import LANGUAGES
from tests.support.standins.trials import generated, run_failures, type_failures, write_schemas

TEXT = {"type": "string"}
KIND = {**TEXT, "const": "Basic"}
BOX = {"$ref": "#/types/shop:index:Box"}
LARGE = {"$ref": "#/types/shop:index:Large"}
SCHEMA: Mapping[str, Any] = {
    "name": "shop",
    "version": "1.0.0",
    "types": {
        "shop:index:Box": {"type": "object", "properties": {"text": TEXT, "kind": KIND}, "required": ["kind"]},
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
        "shop:index:Thing": {
            "inputProperties": {
                "box": BOX,
                "plainBox": {**BOX, "plain": True},
                "boxes": {"type": "array", "items": BOX},
                "named": {"type": "object", "additionalProperties": BOX},
                "large": LARGE,
                "optional": KIND,
            }
        },
    },
    "functions": {
        "shop:index:look": {
            "inputs": {"properties": {"box": {**BOX, "plain": True}, "kind": KIND}, "required": ["kind"]},
            "outputs": {"properties": {"text": TEXT}},
        }
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
    "a call without arguments": 'output o { value = invoke("shop:index:look", {}).text }\n',
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
    programs = generated({**PROGRAMS, **CALLS}, language, schemas, tmp_path)
    assert type_failures(programs, language, schemas) == {}
    assert run_failures(programs, language, schemas, tmp_path) == {}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_registered(name: str, tmp_path: Path) -> None:
    schemas = write_schemas([SCHEMA], tmp_path / "schemas")
    result = pclgen.evaluate_program({"main.pp": PROGRAMS[name]}, schemas=schemas, models={"shop": EchoModel()})
    assert result.trace is not None, result.diagnostics
    inputs = result.trace.registrations[-1].inputs
    assert {key: value for key, value in inputs.items() if key != "optional"} == EXPECTED[name]
