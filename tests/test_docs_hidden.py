"""Hidden lines of a snippet are compiled, but appear in no tab: every shown line is a part of the compiled code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pipeline import bind, prepare, render
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.targets.base import Project
from tests.support.rules import for_all

SCHEMA = {
    "name": "shop",
    "version": "1.0.0",
    "resources": {
        "shop:index:Page": {
            "inputProperties": {"title": {"type": "string"}, "size": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
            "properties": {"title": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}},
        }
    },
    "functions": {
        "shop:index:getTitle": {
            "inputs": {"properties": {"id": {"type": "string"}}},
            "outputs": {"properties": {"title": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}},
        }
    },
}  # fmt: skip  # a table

HIDDEN = {
    "config": 'config "head" "string" {}\n',
    "resource": 'resource first "shop:index:Page" {\n  title = "a"\n}\nhead = first.title\n',
    "call": 'head = invoke("shop:index:getTitle", {id = "x"}).title\n',
    "other-packages": 'head = readFile("a.txt")\n',
    "comments": "# About it.\n\n# Of it.\nhead = toJSON([1])\n",
    "range": 'resource many "shop:index:Page" {\n  options {\n    range = 2\n  }\n}\nhead = many[0].title\n',
    "object": 'first = {\n  a = "x"\n\n  b = "y"\n}\nhead = first.b\n',
}
SHOWN = {
    "resource": 'resource page "shop:index:Page" {\n  title = "${head}"\n  size  = 3\n}\n',
    "output": "output one {\n  value = head\n}\noutput two {\n  value = 2\n}\n",
    "config": 'config "own" "int" {}\noutput own {\n  value = own\n}\noutput other {\n  value = head\n}\n',
    "several": 'a = 1\n\nb = [a, a]\nresource page "shop:index:Page" {\n  tags = [for i in b : "x${i}"]\n}\noutput all {\n  value = [page.title, head]\n}\n',
    "waits": 'known = invoke("shop:index:getTitle", {id = "y"})\nresource pages "shop:index:Page" {\n  options {\n    range = known.tags\n  }\n  title = range.value\n}\noutput x {\n  value = head\n}\n',
    "texts": 'text = <<EOT\nimport pulumi_shop as shop\n\n\nconfig = pulumi.Config()\n  return {\nEOT\noutput text {\n  value = "${text}${1}"\n}\n',
}  # fmt: skip  # texts


def files(hidden: str, shown: str, language: str, names: frozenset[str]) -> list[str]:
    store = SchemaStore([Path("schema.json")])
    sources = program_in_memory("docs", {"Hidden.pp": hidden, "main.pp": shown})
    bound = bind(sources, store)
    assert bound.program is not None, [f"{diagnostic.message} {diagnostic.primary}" for diagnostic in bound.diagnostics]
    bag = DiagnosticBag()
    rendered = render(prepare(bound.program, bag), language, Project(name="docs", program_only=True), bag, hidden=names)
    assert not bag.has_errors
    (text,) = rendered.values()
    return text.split("\n")


@pytest.fixture(autouse=True)
def schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("schema.json").write_text(json.dumps(SCHEMA))


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
@for_all("inside", HIDDEN)
@for_all("name", SHOWN)
def test_what_is_shown_is_a_part_of_what_is_compiled(name: str, inside: str, language: str) -> None:
    whole = files(HIDDEN[inside], SHOWN[name], language, frozenset())
    shown = files(HIDDEN[inside], SHOWN[name], language, frozenset({"Hidden.pp"}))
    rest = iter(whole)
    assert all(line in rest for line in shown), "lines of the whole, in their order"
    text = "\n".join(shown)
    assert "pclgen-" not in text and not any(word in text for word in ("About it", "Of it"))
    if inside == "resource":
        assert '"a"' not in text
    for value in ("known", "page", "text", "own"):
        assert (f'"{value}' in text) == (f'"{value}' in "\n".join(whole))
    if language == "go":
        assert shown[-3:] == ["\t})", "}", ""] and "\t\treturn nil" in shown


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_an_import_is_visible_if_a_visible_line_uses_it(language: str) -> None:
    hidden = 'config size int {}\nhead = readFile("a.txt")\n'
    shown = "\n".join(files(hidden, SHOWN["resource"], language, frozenset({"Hidden.pp"})))
    expected = {
        "python": "import pulumi_shop as shop",
        "typescript": 'import * as shop from "@pulumi/shop";',
        "go": '"example.com/pulumi-shop/sdk/go/shop"',
    }
    assert expected[language] in shown
    assert not any(word in shown for word in ("Path", '"fs"', '"os"', "config", "Config"))


@for_all("inside", HIDDEN)
@for_all("name", ["resource", "output", "config", "texts"])
def test_sections_of_yaml_are_shown_with_their_members(name: str, inside: str) -> None:
    whole = files(HIDDEN[inside], SHOWN[name], "yaml", frozenset())
    shown = files(HIDDEN[inside], SHOWN[name], "yaml", frozenset({"Hidden.pp"}))
    rest = iter(whole)
    assert all(line in rest for line in shown), "lines of the whole, in their order"
    alone = yaml.safe_load("\n".join(shown))
    assert alone == {key: alone[key] for key in yaml.safe_load("\n".join(whole)) if key in alone}
    assert all(alone.values()), "no section without a member"
    assert "head" not in {**alone.get("variables", {}), **alone.get("config", {})}
    expected = {"resource": {"resources"}, "output": {"outputs"}, "config": {"config", "outputs"}, "texts": {"outputs"}}
    assert expected[name] <= alone.keys() - {"name", "runtime"} <= expected[name] | {"variables"}
