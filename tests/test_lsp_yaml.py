"""Programs in Pulumi YAML in an editor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pclgen.lsp.features import places, symbols
from pclgen.lsp.features.hover import hover
from pclgen.lsp.features.places import lenses
from pclgen.lsp.features.yamlcompletion import complete_yaml
from pclgen.lsp.session import View
from tests.support.editing import CURSOR, opened

PROGRAM = """\
name: pets
runtime: yaml
config:
  size: {type: integer, default: 3}
variables:
  both: "😀 ${my-pet.id} b ${size}"
  list: [1, 2]
resources:
  # A pet.
  my-pet:
    type: random:RandomPet
    properties:
      length: ${size}
      keepers:
        "b": >
          folded ${size}
          more
    options:
      protect: true
outputs:
  name: ${my-pet.id}
  sum: ${both}
"""


def viewed(folder: Path, text: str) -> tuple[View, int]:
    path = folder / "Pulumi.yaml"
    path.write_text(text.replace(CURSOR, ""), encoding="utf-8")
    session, path, at = opened(folder, text, name=path.name)
    view = session.view(path)
    assert view is not None and view.is_yaml
    return view, at


def at(view: View, text: str, inside: int = 1) -> int:
    """The offset of a text that occurs once in the program."""
    source = view.file.source.text
    assert source.count(text) == 1, text
    return source.index(text) + inside


@pytest.mark.parametrize(
    ("text", "shown", "where"),
    [
        ("my-pet:", 'resource myPet "random', "my-pet"),
        ("random:RandomPet", 'resource "random:index/randomPet:RandomPet"', "random:RandomPet"),
        ("length", "length: int", "length"),
        ("id} b", "id: ", "id"),
        ("size}\n      keepers", "config size: int", "size"),
        ("protect", "refuse to delete", "protect"),
        ("size}\n          more", "config size: int", "size"),
        ("both}", "both: ", "both"),
    ],
)
def test_hover(text: str, shown: str, where: str, tmp_path: Path) -> None:
    view, _ = viewed(tmp_path, PROGRAM)
    answer = hover(view.analysis, view.file, at(view, text))
    assert answer is not None
    assert shown in answer.text and answer.span.text == where


def test_definition_and_references_are_places_of_the_yaml(tmp_path: Path) -> None:
    view, _ = viewed(tmp_path, PROGRAM)
    target = places.definition(view.analysis, view.file, at(view, "my-pet.id} b"))
    assert target is not None and target.span is not None
    assert target.span == view.file.source.span(at(view, "my-pet:", 0), at(view, "my-pet:", 6))
    references = places.references(view.analysis, view.file, at(view, "size: {"))
    assert [item.span.text for item in references] == ["size"] * 4
    counts = [lens.text.split()[0] for lens in lenses(view.analysis, view.file)]
    assert counts == ["3", "1", "0", "2"]
    outline = symbols.symbols(view.analysis, view.file)
    assert [item.name_span.text for item in outline] == ["size", "both", "list", "my-pet", "name", "sum"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reso¦", ["resources", "outputs", "config", "description"]),
        ("resources:\n  a:\n    ¦", ["type", "properties", "options", "get"]),
        ("resources:\n  a:\n    type: random:Ra¦", ["random:RandomPet"]),
        ("resources:\n  a:\n    type: ¦", ["random:"]),
        ("resources:\n  a:\n    type: random:RandomPet\n    properties:\n      le¦\n", ["length", "separator"]),
        ("resources:\n  a:\n    properties:\n      le¦\n    type: random:RandomPet\n", ["length", "separator"]),
        ("resources:\n  a:\n    type: random:RandomPet\n    options:\n      ¦", ["protect", "dependsOn"]),
        ("config:\n  size:\n    ¦", ["type", "default", "secret"]),
        ("variables:\n  a:\n    fn¦", ["fn::invoke", "fn::toJSON"]),
        ("variables:\n  a:\n    fn::invoke:\n      ¦", ["function", "arguments"]),
        ("resources:\n  a: {¦", ["type", "properties", "options", "get"]),
        ("resources:\n  a: {type: random:Ra¦}", ["random:RandomPet"]),
        ("resources:\n  a: {type: random:RandomPet, properties: {le¦}}", ["length", "separator"]),
        ("resources:\n  a: {properties: {le¦}, type: random:RandomPet}", ["length", "separator"]),
        ("resources:\n  a: {properties: {le¦\n  b:\n    type: random:RandomPet\n", []),
        ("resources:\n  a: {type: 'random:RandomPet', \"properties\": {\n    length: 2,\n    pre¦\n  }}", ["prefix", "separator"]),
        ("resources:\n  a:\n    type: random:RandomPet\n    properties: {length: 2, ¦}\n", ["prefix", "separator"]),
        ("resources:\n  a:\n    type: random:RandomPet\n    properties: {\n      length: 2,\n      pre¦\n", ["prefix"]),
        ("resources:\n  a:\n    type: random:RandomPet\n    options: { protect: ¦, retainOnDelete: true }", []),
        ("resources:\n  a:\n    type: random:RandomPet\n    options: {¦ retainOnDelete: true }", ["protect", "dependsOn"]),
        ("config:\n  size: {type: integer, ¦", ["default", "secret"]),
        ("variables:\n  a: {fn::invoke: {¦", ["function", "arguments"]),
        ("variables:\n  t: |\n    a: {\n  a:\n    fn::invoke:\n      ¦", ["function", "arguments"]),
        (PROGRAM + "  more: {a: ['${¦']}", ["my-pet", "size"]),
        (PROGRAM + "  more: ${¦", ["my-pet", "size", "both", "pulumi"]),
        (PROGRAM + "  more: a ${my-pet.¦", ["id", "length"]),
        (PROGRAM + "  more: ${pulumi.¦", ["stack", "project"]),
        (PROGRAM.replace("length: ${size}", "length: ${si¦ze}"), ["size", "my-pet"]),
    ],
)
def test_completion(text: str, expected: list[str], tmp_path: Path) -> None:
    text = text if text.startswith("name") else "name: pets\nruntime: yaml\n" + text
    view, offset = viewed(tmp_path, text)
    items = complete_yaml(view.analysis, view.file, offset)
    assert not set(expected) - {item.label for item in items}
    written = {view.file.source.text[item.start : offset] for item in items}
    assert all(re.fullmatch(r"[\w:-]*", text) for text in written), written


def test_keys_that_are_there_in_a_flow_mapping_are_not_offered(tmp_path: Path) -> None:
    text = PROGRAM.replace("{type: integer, default: 3}", "{type: integer, se¦, default: 3}")
    view, offset = viewed(tmp_path, text)
    labels = {item.label for item in complete_yaml(view.analysis, view.file, offset)}
    assert "secret" in labels and not labels & {"type", "default"}
    view, offset = viewed(tmp_path, PROGRAM.replace("{type: integer", "{type¦: integer"))
    assert "type" in {item.label for item in complete_yaml(view.analysis, view.file, offset)}


def test_keys_that_are_there_are_not_offered(tmp_path: Path) -> None:
    text = PROGRAM.replace("      keepers:", "      pre¦\n      keepers:")
    view, offset = viewed(tmp_path, text)
    labels = {item.label for item in complete_yaml(view.analysis, view.file, offset)}
    assert "prefix" in labels and not labels & {"length", "keepers"}
