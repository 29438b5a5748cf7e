"""Members of an object with the same name in an SDK: the languages of that SDK refuse them, with a location."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pclgen import pipeline
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory

TEXTS = {"properties": {name: {"type": "string"} for name in ("size", "Size", "aB", "a_b", "class", "class_", "other")}}
SCHEMA = {
    "name": "shop",
    "version": "1.0.0",
    "resources": {
        "shop:index:Server": {
            "inputProperties": {**TEXTS["properties"], "spec": {"$ref": "#/types/shop:index:Spec"}},
            "properties": TEXTS["properties"],
        }
    },
    "types": {"shop:index:Spec": {"type": "object", **TEXTS}},
    "functions": {"shop:index:get": {"inputs": TEXTS, "outputs": {"properties": {"x": {"type": "string"}}}}},
}
PLACES = {
    "inputs": 'resource s "shop:index:Server" {{\n  {members}\n}}\n',
    "component": 'component c "./c" {{}}\n',
    "nested": 'resource s "shop:index:Server" {{\n  spec = {{\n    {members}\n  }}\n}}\n',
    "function": 'output o {{\n  value = invoke("shop:index:get", {{\n    {members}\n  }}).x\n}}\n',
}
PAIRS = {
    ("size", "Size"): {"python", "go"},
    ("aB", "a_b"): {"python"},
    ("class", "class_"): {"python"},
    ("size", "other"): set(),
}


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("place", PLACES)
def test_two_members_of_one_name(place: str, pair: tuple[str, str], language: str, tmp_path: Path) -> None:
    (tmp_path / "shop.json").write_text(json.dumps(SCHEMA))
    members = "\n    ".join(f'{name} = "x"' for name in pair)
    files = {"main.pp": PLACES[place].format(members=members)}
    if place == "component":
        files["c/main.pp"] = PLACES["inputs"].format(members=members)
    result = pipeline.generate(program_in_memory("p", files), languages=[language], store=SchemaStore([tmp_path]))
    if language not in PAIRS[pair]:
        assert result.diagnostics == () and result.files[language]
        return
    assert result.files == {}
    (problem,) = result.diagnostics
    assert problem.code == "PCL0901" and problem.message.startswith(f"`{pair[1]}` beside `{pair[0]}` cannot be written in ")
    assert problem.primary is not None and problem.primary.text == f'{pair[1]} = "x"'


def test_what_nobody_declared_counts_too(tmp_path: Path) -> None:
    (tmp_path / "shop.json").write_text(json.dumps(SCHEMA))
    text = PLACES["inputs"].format(members='other = "x"\n  Other = "y"')
    sources = program_in_memory("p", {"main.pp": text})
    result = pipeline.generate(sources, languages=["python"], store=SchemaStore([tmp_path]), lenient=True)
    assert [diagnostic.code for diagnostic in result.diagnostics if diagnostic.severity.value == "error"] == ["PCL0901"]


def test_components_of_pcl_have_names_of_our_own() -> None:
    files = {
        "main.pp": 'component c "./c" {\n  aB = "x"\n  a_b = "y"\n}\n',
        "c/main.pp": "config aB string {}\nconfig a_b string {}\n",
    }
    result = pipeline.generate(program_in_memory("p", files), languages=["python", "go"], store=SchemaStore([]))
    assert result.ok and len(result.files) == 2
