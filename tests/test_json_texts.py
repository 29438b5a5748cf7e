"""`toJSON` becomes idiomatic code; the canonical text remains where a program inspects it or a setting requests it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

import pclgen
from pclgen.choices import CodeStyle, JsonText
from pclgen.schema.load import SchemaStore
from pclgen.trace.compare import Aspects, differences
from pclgen.trace.model import Trace
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus, program_directories
from tests.support.field_runs import settings_of
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs
from tests.support.verified import environments, programs_in_memory, verified

HEAD: Final = """
config size int {
  default = 2
}

config word string {
  default = "<é & \\u2028>"
}

resource pet "random:index/randomPet:RandomPet" {}
"""

VALUES: Final[Mapping[str, str]] = {
    "literals": "toJSON({ b = 1, a = [true, null, 0.5], \"10\" = { z = size, y = word } })",
    "outputs": "toJSON({ name = pet.id, first = { b = pet.separator, a = pet.length } })",
    "numbers": "toJSON([1, 2.5, 1e21, 0.0000001, size / 2])",
    "a text in a text": "toJSON({ inner = toJSON({ b = word, a = pet.id }) })",
    "a secret": "secret(toJSON({ b = 1, a = word }))",
    "a choice": "size > 1 ? toJSON({ b = 1, a = 2 }) : \"none\"",
    "a loop": "[for name in [\"x\", \"y\"] : toJSON({ name = name, a = size })]",
    "a map of texts": "{ for name in [\"x\", \"y\"] : name => toJSON({ name = name, a = size }) }",
    "null": "toJSON({ b = null, a = size > 5 ? \"x\" : null })",
}
"""Texts that a program forwards."""

INSPECTED: Final[Mapping[str, str]] = {
    "a hash": "output o {\n  value = sha1(toJSON({ b = 1, a = word }))\n}\n",
    "a hash of a text with outputs": "output o {\n  value = sha1(toJSON({ b = pet.id, a = word }))\n}\n",
    "base64": "output o {\n  value = toBase64(toJSON({ b = 1, a = word }))\n}\n",
    "a template": "output o {\n  value = \"policy: ${toJSON({ b = 1, a = word })}\"\n}\n",
    "a comparison": "output o {\n  value = toJSON({ b = 1, a = word }) == \"{}\"\n}\n",
    "a local": "policy = toJSON({ b = 1, a = word })\ncopy = [policy]\noutput o {\n  value = length(copy[0])\n}\n",
    "an element": "output o {\n  value = [for text in [toJSON({ b = 1, a = word })] : sha1(text)]\n}\n",
    "a text in an inspected text": "output o {\n  value = sha1(toJSON({ b = toJSON({ d = 1, c = word }), a = 1 }))\n}\n",
}
"""Programs with other values that depend on the bytes of the text."""

COMPONENT: Final = """
config policy string {
}

output digest {
  value = sha1(policy)
}

output policy {
  value = policy
}
"""
USE: Final = """
component part "./part" {
  policy = toJSON({ b = 1, a = word })
}

output digest {
  value = part.digest
}
"""


def programs() -> dict[str, dict[str, str]]:
    """All programs of this file."""
    passed_on = "".join(f'output "{name}" {{\n  value = {value}\n}}\n' for name, value in VALUES.items())
    inspected = {name: {"main.pp": HEAD + text} for name, text in INSPECTED.items()}
    component = {"main.pp": HEAD + USE, "part/main.pp": COMPONENT}
    return {"passed on": {"main.pp": HEAD + passed_on}, **inspected, "a component": component}


def generated(files: Mapping[str, str], json: str = "natural") -> Mapping[str, str]:
    """The generated texts of a program, by language."""
    result = pclgen.generate(dict(files), schemas=[REAL_SCHEMAS], program_only=True, name="p", json=json)
    assert result.ok, result.diagnostics
    return {language: "\n".join(texts.values()) for language, texts in result.files.items()}


@pytest.mark.parametrize("name", VALUES)
def test_people_write_no_settings_of_encoders(name: str) -> None:
    texts = generated({"main.pp": f'{HEAD}output o {{\n  value = {VALUES[name]}\n}}\n'})
    assert "json.dumps(" in texts["python"] or "json_dumps(" in texts["python"]
    assert "separators" not in texts["python"] and "to_json" not in texts["python"]
    assert "function toJson" not in texts["typescript"]
    assert "func toJSON" not in texts["go"] and "func jsonOutput" not in texts["go"]


def test_keys_stand_in_the_order_of_the_source() -> None:
    texts = generated({"main.pp": 'output o {\n  value = toJSON({ b = 1, a = 2 })\n}\n'})
    assert 'json.dumps({"b": 1, "a": 2})' in texts["python"]
    assert "JSON.stringify({ b: 1, a: 2 })" in texts["typescript"]


@pytest.mark.parametrize("name", INSPECTED)
def test_inspected_texts_are_canonical(name: str) -> None:
    assert "separators=" in generated({"main.pp": HEAD + INSPECTED[name]})["python"]


def test_a_component_may_inspect_what_it_gets() -> None:
    assert "separators=" in generated(programs()["a component"])["python"]
    passed = {"main.pp": HEAD + USE, "part/main.pp": COMPONENT.replace("sha1(policy)", "policy")}
    assert "separators=" not in generated(passed)["python"]


def test_canonical_texts_on_request() -> None:
    text = {"main.pp": 'output o {\n  value = toJSON({ b = 1, a = "x" })\n}\n'}
    assert "separators=" in generated(text, json="canonical")["python"]
    assert 'JSON.stringify({ a: "x", b: 1 })' in generated(text, json="canonical")["typescript"]
    with pytest.raises(ValueError, match="'pretty' is not a valid"):
        generated(text, json="pretty")


@pytest.mark.parametrize("style", JsonText)
def test_languages_agree(style: JsonText) -> None:
    """All languages agree on the values, or on the bytes of every text."""
    subjects = programs_in_memory(programs(), SchemaStore([REAL_SCHEMAS]), style=CodeStyle(json=style))
    report = verified(subjects, settings_of, tools=environments(), levels=("compile", "run"))
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)


def test_json_counts_by_value_or_by_bytes() -> None:
    run = Trace(producer="python", project="p", stack="dev", organization="acme", preview=False)
    left = replace(run, outputs={"o": '{"a": [1.0, "{}"], "b": 2}'})
    right = replace(run, outputs={"o": '{"b":2,"a":[1,"{ }"]}'})
    assert list(differences(left, right)) == []
    assert len(list(differences(left, right, Aspects(json_values=False)))) == 1


@pytest.mark.parametrize("path", [*program_directories("field"), *example_programs().values()], ids=lambda path: path.name)
@needs_corpus
def test_no_program_of_the_corpora_needs_settings_of_encoders(path: Path) -> None:
    result = pclgen.generate(path, languages=["python"], schemas=[REAL_SCHEMAS, EXAMPLE_SCHEMAS], program_only=True)
    assert not any("separators=" in text for text in result.files["python"].values())
