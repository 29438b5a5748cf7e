"""`pclgen config schema`: the schema accepts the same values as the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pclgen.cli import app
from pclgen.core.configuration import config_schema
from pclgen.diagnostics.model import Severity
from pclgen.evaluate.settings import ConfigValue
from tests.support.binding import bind_text
from tests.support.evaluation import evaluate

EVERYTHING = """
config size int { description = "How many." }
config ratio number { default = 0.5 }
config region string { default = "eu" }
config owner "object({ login = string, email = optional(string), ages = list(number) })" {}
config tags "map(bool)" { default = { a = true } }
config token string { secret = true }
config password string {
  secret  = true
  default = "hidden"
}
config note string {
  nullable = true
  default  = null
}
config anything any {}
config pair "tuple([string, int])" {}
config computed string { default = "${stack()}-x" }
config names "set(string)" { default = ["a"] }
"""


def test_every_type_and_everything_that_is_said_of_a_variable() -> None:
    schema = config_schema(bind_text(EVERYTHING)[0])
    Draft202012Validator.check_schema(schema)
    assert schema["required"] == ["size", "owner", "token", "anything", "pair"]
    assert schema["properties"] == {
        "size": {"type": "integer", "description": "How many."},
        "ratio": {"type": "number", "default": 0.5},
        "region": {"type": "string", "default": "eu"},
        "owner": {
            "type": "object",
            "properties": {
                "login": {"type": "string"},
                "email": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "ages": {"type": "array", "items": {"type": "number"}},
            },
            "required": ["login", "ages"],
        },
        "tags": {"type": "object", "additionalProperties": {"type": "boolean"}, "default": {"a": True}},
        "token": {"type": "string", "writeOnly": True},
        "password": {"type": "string", "writeOnly": True},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "anything": {},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2},
        "computed": {"type": "string"},
        "names": {"type": "array", "items": {"type": "string"}, "default": ["a"]},
    }


@pytest.mark.parametrize(
    ("declared", "value", "fits"),
    [
        ("int", 3, True),
        ("int", 3.5, False),
        ("number", 3.5, True),
        ("bool", True, True),
        ("list(int)", [1, 2], True),
        ("list(int)", [1, [2]], False),
        ("map(string)", {"a": "b"}, True),
        ("map(int)", {"a": {}}, False),
        ("object({ a = string, b = optional(int) })", {"a": "x"}, True),
        ("object({ a = string, b = optional(int) })", {"a": "x", "b": 1}, True),
        ("object({ a = string, b = optional(int) })", {"b": 1}, False),
        ("object({ a = list(object({ n = int })) })", {"a": [{"n": 1}]}, True),
        ("object({ a = list(object({ n = int })) })", {"a": [{}]}, False),
        ("any", {"a": [1, None]}, True),
    ],
)
def test_the_schema_takes_what_the_program_takes(declared: str, value: object, fits: bool) -> None:
    text = f'config v "{declared}" {{}}\noutput o {{\n  value = v\n}}\n'
    schema = config_schema(bind_text(text)[0])
    assert Draft202012Validator(schema).is_valid({"v": value}) is fits
    run = evaluate(text, config={"v": ConfigValue(json.dumps(value))})
    assert any(diagnostic.severity is Severity.ERROR for diagnostic in run.diagnostics) is not fits


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.pp").write_text("config size int {}\n")
    assert app.main(["config", "schema", str(tmp_path), "--isolated"]) == 0
    assert json.loads(capsys.readouterr().out)["properties"] == {"size": {"type": "integer"}}
    (tmp_path / "main.pp").write_text("config size innt {}\n")
    assert app.main(["config", "schema", str(tmp_path), "--isolated"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "PCL0211" in captured.err
