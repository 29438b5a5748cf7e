"""Objects, lists and maps nested in plain inputs, with outputs in the members that accept them.

SDKs declare the members of an object in a plain property, and the elements of a plain list, as inputs unless these are plain
themselves.  Random programs over a schema with every combination of forms, five levels deep, type-check and run in all
languages.

    PCLGEN_FRESH=7 pytest tests/test_plain_nesting.py       tries others
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pclgen.languages import LANGUAGES
from tests.support.sdks.trials import generated, run_failures, type_failures, write_schemas

DEPTH = 5
FIRST = 1_000_000 * int(os.environ.get("PCLGEN_FRESH") or 0)
NUMBERS = range(FIRST, FIRST + int(os.environ.get("PCLGEN_COUNT") or 40))
TEXT = {"type": "string"}
FORMS = ("object", "list", "map")


def _slots(token: str) -> dict[str, Any]:
    """Properties for objects of a type: `listPlainOfPlain` is a plain list with plain elements."""
    ref = {"$ref": f"#/types/{token}"}
    slots: dict[str, Any] = {"object": ref, "objectPlain": {**ref, "plain": True}}
    for form, kind, key in (("list", "array", "items"), ("map", "object", "additionalProperties")):
        for outer in ("", "Plain"):
            for inner in ("", "OfPlain"):
                element = {**ref, "plain": True} if inner else ref
                slots[f"{form}{outer}{inner}"] = {"type": kind, key: element} | ({"plain": True} if outer else {})
    return slots


def _members(level: int) -> dict[str, Any]:
    texts = {"type": "array", "items": TEXT}
    own = {
        "text": TEXT,
        "textPlain": {**TEXT, "plain": True},
        "texts": texts,
        "textsPlain": {**texts, "plain": True},
        "tags": {"type": "object", "additionalProperties": TEXT},
    }
    return own | (_slots(f"nest:index:Level{level + 1}") if level < DEPTH else {})


SCHEMA: Mapping[str, Any] = {
    "name": "nest",
    "version": "1.0.0",
    "types": {
        f"nest:index:Level{level}": {"type": "object", "properties": _members(level)} for level in range(1, DEPTH + 1)
    },
    "resources": {
        "nest:index:Source": {
            "properties": {"text": TEXT, "tags": {"type": "object", "additionalProperties": TEXT}},
            "required": ["text", "tags"],
        },
        "nest:index:Sink": {"inputProperties": _slots("nest:index:Level1"), "properties": {}},
    },
    "language": {"go": {"importBasePath": "example.com/nest/sdk/go/nest"}},
}
HEAD = """
config "flag" "bool" { default = true }
config "words" "list(string)" { default = ["a", "b"] }
resource "source" "nest:index:Source" {}
"""


class _Maker:
    """A builder of one random program."""

    def __init__(self, number: int) -> None:
        self._random = Random(number)
        self._number = number
        self._locals: list[str] = []

    def program(self) -> str:
        slot = self._random.choice(list(_slots("")))
        sink = f'resource "sink" "nest:index:Sink" {{\n  {slot} = {self._slot(slot, 1)}\n}}\n'
        return HEAD + "".join(self._locals) + sink

    def _chance(self, percent: int) -> bool:
        return self._random.randrange(100) < percent

    def _object(self, level: int, text: str = "source.text") -> str:
        members = [f"text = {text}" if self._chance(70) else f'text = "t{level}"']
        for percent, member in (
            (30, f'textPlain = "p{level}"'),
            (20, 'texts = [source.text, "x"]'),
            (20, 'textsPlain = ["${source.text}!", "x"]'),
            (20, "tags = source.tags"),
        ):
            if self._chance(percent):
                members.append(member)
        if level < DEPTH:
            slot = self._random.choice(list(_slots("")))
            members.append(f"{slot} = {self._slot(slot, level + 1)}")
        return f"{{ {', '.join(members)} }}"

    def _slot(self, slot: str, level: int) -> str:
        form = next(form for form in FORMS if slot.startswith(form))
        value = self._of_form(form, level)
        match self._random.randrange(8):
            case 0:
                return f"flag ? {value} : {self._of_form(form, DEPTH)}"
            case 1 if not any(word in value for word in ("for ", " ? ", "}, {")):  # mixed objects are tested elsewhere
                self._locals.append(f"v{len(self._locals)} = {value}\n")
                return f"v{len(self._locals) - 1}"
            case _:
                return value

    def _of_form(self, form: str, level: int) -> str:
        each = '"${w}-${source.text}"'
        match form:
            case "object":
                return self._object(level)
            case "list" if self._chance(25):
                return f"[for w in words : {self._object(level, each)}]"
            case "list":
                return f"[{self._object(level)}, {self._object(DEPTH)}]" if self._chance(30) else f"[{self._object(level)}]"
            case _ if self._chance(25):
                return f"{{ for w in words : w => {self._object(level, each)} }}"
            case _:
                return f"{{ a = {self._object(level)} }}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_outputs_in_nested_plain_values(language: str, tmp_path: Path) -> None:
    schemas = write_schemas([SCHEMA], tmp_path / "schemas")
    programs = generated({f"n{number}": _Maker(number).program() for number in NUMBERS}, language, schemas, tmp_path)
    assert type_failures(programs, language, schemas) == {}
    assert run_failures(programs, language, schemas, tmp_path) == {}


def test_the_programs_reach_every_slot() -> None:
    texts = "".join(_Maker(number).program() for number in NUMBERS)
    assert [slot for slot in _slots("") if f"{slot} = " not in texts] == []
