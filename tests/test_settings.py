"""`Pulumi.yaml` in every language, as a YAML reader sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import pclgen
from pclgen.targets.settings import project_name, yaml_text
from tests.support.binding import SCHEMAS
from tests.support.generated import LANGUAGES

RUNTIMES = {"python": "python", "typescript": "nodejs", "go": "go"}
PROGRAM = """
config region string {
  default     = "eu: \\"west\\""
  description = "Where: here"
}
config count int {}
config on bool { default = false }
config token string { secret = true }
config known string {
  default = "hush"
  secret  = true
}
config names "list(string)" {}
config ports "list(int)" { default = [80, 443] }
config grid "list(list(bool))" { default = [[true], []] }
config note string { nullable = true }
config none string { default = null }
config ratio number { default = 0.5 }
config later string { default = stack() }
output o { value = [region, count, on, token, known, names, ports, grid, note, none, ratio, later] }
"""


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_texts_are_read_as_they_were(text: str) -> None:
    assert yaml.safe_load(f"k: {yaml_text(text)}\n") == {"k": text}


@pytest.mark.parametrize(
    ("name", "allowed"), [("my shop", "my-shop"), ("Shop_2.0-x", "Shop_2.0-x"), ("店", "program"), ("a" * 120, "a" * 100)]
)
def test_names_of_projects(name: str, allowed: str) -> None:
    assert project_name(name) == allowed


KINDS: Mapping[str, Mapping[str, object]] = {
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "bool": {"type": "boolean"},
    "number": {},
    "any": {},
    "list(string)": {"type": "array", "items": {"type": "string"}},
    "list(list(int))": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    "list(number)": {},
    "list(object({ name = string }))": {"type": "array", "items": {"type": "object"}},
    "map(string)": {"type": "object"},
    "map(list(number))": {"type": "object"},
    "map(object({ name = string }))": {"type": "object"},
    "object({ name = string, tags = optional(map(string)) })": {"type": "object"},
}
"""The generated type for each type."""


@pytest.mark.parametrize("kind", KINDS)
def test_what_must_be_set_is_declared(kind: str) -> None:
    values = {
        "plain": "",
        "secret": "secret = true",
        "told": 'secret = true\n  description = "Why"',
        "open": "default = null",
        "hidden": "secret = true\n  default = null",
    }
    program = "".join(f'config {name} "{kind}" {{\n  {more}\n}}\n' for name, more in values.items())
    program += f"output o {{ value = [{', '.join(values)}] }}\n"
    result = pclgen.generate({"main.pp": program}, languages=["go"], schemas=[SCHEMAS], name="kinds")
    assert not [d for d in result.diagnostics if d.severity.name == "ERROR"]
    read = yaml.safe_load(result.files["go"][PurePosixPath("Pulumi.yaml")])
    secret = {**KINDS[kind], "secret": True}
    assert read["config"] == {"plain": KINDS[kind], "secret": secret, "told": {**secret, "description": "Why"}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings(language: str) -> None:
    result = pclgen.generate({"main.pp": PROGRAM}, languages=[language], schemas=[SCHEMAS], name="yes")
    assert result.diagnostics == ()
    read = yaml.safe_load(result.files[language][PurePosixPath("Pulumi.yaml")])
    assert read == {
        "name": "yes",
        "runtime": RUNTIMES[language],
        "config": {
            "region": {"type": "string", "default": 'eu: "west"', "description": "Where: here"},
            "count": {"type": "integer"},
            "on": {"type": "boolean", "default": False},
            "token": {"type": "string", "secret": True},
            "names": {"type": "array", "items": {"type": "string"}},
            "ports": {"type": "array", "items": {"type": "integer"}, "default": [80, 443]},
            "grid": {
                "type": "array",
                "items": {"type": "array", "items": {"type": "boolean"}},
                "default": [[True], []],
            },
            "ratio": {"default": 0.5},
        },
    }
    assert PurePosixPath(".gitignore") in result.files[language]
