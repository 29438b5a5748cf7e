"""Resources without inputs: generated code has no empty object where the SDK requires none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pclgen.languages import LANGUAGES
from tests.support.sdks.trials import generated, run_failures, type_failures, write_schemas

TEXT = {"type": "string"}
ANY = {"$ref": "pulumi.json#/Any"}
TYPES: Mapping[str, Mapping[str, Any]] = {
    "Text": TEXT,
    "Whole": {"type": "integer"},
    "Fraction": {"type": "number"},
    "Flag": {"type": "boolean"},
    "List": {"type": "array", "items": TEXT},
    "Map": {"type": "object", "additionalProperties": ANY},
    "Anything": ANY,
    "Plain": {**TEXT, "plain": True},
    "PlainAnything": {**ANY, "plain": True},
    "Constant": {**TEXT, "const": "x"},
    "Default": {**TEXT, "default": "x"},
    "Either": {"oneOf": [TEXT, {"type": "integer"}]},
    "File": {"$ref": "pulumi.json#/Asset"},
    "Json": {"$ref": "pulumi.json#/Json"},
    "Box": {"$ref": "#/types/bare:index:Box"},
}
"""The type of the only input of a resource, by the resource's name."""


SCHEMA: Mapping[str, Any] = {
    "name": "bare",
    "version": "1.0.0",
    "types": {"bare:index:Box": {"type": "object", "properties": {"text": TEXT}}},
    "resources": {
        "bare:index:Nothing": {},
        **{f"bare:index:{name}": {"inputProperties": {"only": type_}} for name, type_ in TYPES.items()},
    },
    "language": {"go": {"importBasePath": "example.com/bare/sdk/go/bare"}},
}
PROGRAMS = {name: f'resource "made" "bare:index:{name}" {{}}\n' for name in ("Nothing", *TYPES)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_type_check_and_run(language: str, tmp_path: Path) -> None:
    schemas = write_schemas([SCHEMA], tmp_path / "schemas")
    programs = generated(PROGRAMS, language, schemas, tmp_path)
    assert type_failures(programs, language, schemas) == {}
    assert run_failures(programs, language, schemas, tmp_path) == {}
    if language == "typescript":
        texts = {program.run.test: (program.staged.folder / "index.ts").read_text(encoding="utf-8") for program in programs}
        assert {name for name, text in texts.items() if "{}" in text} == set()
