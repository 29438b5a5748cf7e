"""`pclgen schema check`: every kind of mistake in a schema at its place, and no diagnostics for valid schemas."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from pclgen import check, generate
from pclgen.cli import app
from pclgen.schema.lint import mistakes_in
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS

THING = "shop:index/thing:Thing"
GOOD: dict[str, object] = {
    "name": "shop",
    "version": "1.0.0",
    "types": {"shop:index:Box": {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}},
    "resources": {
        THING: {
            "properties": {"box": {"$ref": "#/types/shop:index:Box"}},
            "required": ["box"],
            "inputProperties": {"box": {"$ref": "#/types/shop:index:Box"}},
            "requiredInputs": ["box"],
            "methods": {"open": "shop:index/thing:Thing/open"},
        }
    },
    "functions": {
        "shop:index/thing:Thing/open": {"inputs": {"properties": {"__self__": {"$ref": "#/resources/shop:index%2Fthing:Thing"}}}},
        "shop:index:find": {
            "inputs": {"properties": {"name": {"type": "string"}}},
            "multiArgumentInputs": ["name"],
            "outputs": {"type": "array", "items": {"type": "string"}},
        },
    },
}
AT = "/resources/shop:index~1thing:Thing"

MISTAKES = [
    (["resources", THING, "inputProperties", "box", "$ref"], "#/types/shop:index:Bax", f"{AT}/inputProperties/box/$ref",
     "there is no type `shop:index:Bax`; it counts as any"),
    (["resources", THING, "inputProperties", "box", "$ref"], "Box", f"{AT}/inputProperties/box/$ref",
     "`Box` is not a reference to a type or resource"),
    (["resources", THING, "requiredInputs"], ["bxo"], f"{AT}/requiredInputs/0", "there is no property `bxo`"),
    (["resources", THING, "required"], ["box", "x"], f"{AT}/required/1", "there is no property `x`"),
    (["resources", THING, "methods"], {"shut": "shop:index/thing:Thing/shut"}, f"{AT}/methods/shut",
     "there is no function `shop:index/thing:Thing/shut`"),
    (["resources", THING, "inputproperties"], {}, f"{AT}/inputproperties", "`inputproperties` means nothing in a resource"),
    (["resources", THING, "inputProperties", "box", "secrets"], True, f"{AT}/inputProperties/box/secrets",
     "`secrets` means nothing in a property"),
    (["resources", THING, "inputProperties", "box"], {"type": "strin"}, f"{AT}/inputProperties/box/type",
     "unknown type `strin`"),
    (["resources", THING, "inputProperties", "box"], {"type": "array", "items": {"$ref": "#/types/shop:index:No"}},
     f"{AT}/inputProperties/box/items/$ref", "there is no type `shop:index:No`; it counts as any"),
    (["functions", "shop:index:find", "multiArgumentInputs"], ["nam"], "/functions/shop:index:find/multiArgumentInputs",
     "`nam` is not among the inputs of the function"),
    (["functions", "shop:index:find", "output"], {}, "/functions/shop:index:find/output", "`output` means nothing in a function"),
    (["types", "shop:index:Box", "properties", "size"], {}, "/types/shop:index:Box/properties/size",
     "the type is missing: `type`, `$ref` or `oneOf` is needed"),
    (["pluginDownloadUrl"], "", "/pluginDownloadUrl", "`pluginDownloadUrl` means nothing in a package"),
]  # fmt: skip  # rows of a table


def with_mistake(path: list[str], value: object) -> bytes:
    schema = json.loads(json.dumps(GOOD))
    place = schema
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(schema).encode()


def test_a_right_schema_has_none() -> None:
    assert mistakes_in(json.dumps(GOOD).encode(), where="shop.json") == ()


@pytest.mark.parametrize(("path", "value", "pointer", "message"), MISTAKES, ids=[row[2] for row in MISTAKES])
def test_each_error_is_reported_once(path: list[str], value: object, pointer: str, message: str) -> None:
    mistakes = mistakes_in(with_mistake(path, value), where="shop.json")
    assert [(mistake.pointer, mistake.message) for mistake in mistakes] == [(pointer, message)]


@needs_corpus
def test_published_schemas_have_none() -> None:
    for path in sorted(REAL_SCHEMAS.glob("*.json")):
        assert mistakes_in(path.read_bytes(), where=path.name) == (), path.name


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(GOOD))
    bad.write_bytes(with_mistake(["resources", THING, "requiredInputs"], ["bax"]))
    assert app.main(["schema", "check", str(good)]) == 0
    assert capsys.readouterr().err == "0 mistakes in 1 schema\n"
    assert app.main(["schema", "check", str(good), str(bad)]) == 1
    captured = capsys.readouterr()
    assert captured.out == f"{bad}: {AT}/requiredInputs/0: there is no property `bax` (did you mean `box`?)\n"
    assert app.main(["schema", "check", "--json", str(bad)]) == 1
    assert json.loads(capsys.readouterr().out)[0]["pointer"] == f"{AT}/requiredInputs/0"
    assert app.main(["schema", "check", str(tmp_path / "none.json")]) == 2
    (tmp_path / "text.json").write_text("no schema")
    assert app.main(["schema", "check", str(tmp_path / "text.json")]) == 1


def test_errors_in_members_that_a_program_uses_are_reported(tmp_path: Path) -> None:
    schema = json.loads(json.dumps(GOOD))
    thing = schema["resources"][THING]
    thing["inputProperties"]["lid"] = {"$ref": "#/types/shop:index:Lid"}
    thing["requiredInputs"] = ["box", "bax"]
    thing["methods"]["shut"] = "shop:index/thing:Thing/shut"
    thing["inputProperties"]["harmless"] = {"type": "string", "unknownKey": True}
    schema["resources"]["shop:index:Other"] = {"inputProperties": {"lid": {"$ref": "#/types/shop:index:Lid"}}}
    schema["types"]["shop:index:Box"]["properties"]["flap"] = {"type": "array", "items": {"$ref": "#/types/shop:index:Flap"}}
    schema["functions"]["shop:index:find"]["inputs"]["required"] = ["nam"]
    (tmp_path / "shop.json").write_text(json.dumps(schema))
    (tmp_path / "main.pp").write_text(
        'resource a "shop:index/thing:Thing" {\n  box = { size = 1 }\n}\n'
        'resource b "shop:index/thing:Thing" {\n  box = { size = 1 }\n}\n'
        'c = invoke("shop:index:find", "x")\n'
    )
    for result in (check, partial(generate, languages=["python"])):
        outcome = result(tmp_path / "main.pp", schemas=[tmp_path / "shop.json"])
        assert outcome.ok
        diagnostics = [
            (str(d.primary).rpartition("main.pp:")[2], d.code, [note.message for note in d.notes])
            for d in outcome.diagnostics
        ]
        assert diagnostics == [
            ("1:12", "PCL0314", [
                f"{AT}/inputProperties/lid/$ref: there is no type `shop:index:Lid`; it counts as any",
                f"{AT}/requiredInputs/1: there is no property `bax`",
                f"{AT}/methods/shut: there is no function `shop:index/thing:Thing/shut`",
            ]),
            ("2:9", "PCL0314", [
                "/types/shop:index:Box/properties/flap/items/$ref: there is no type `shop:index:Flap`; it counts as any"
            ]),
            ("7:12", "PCL0314", ["/functions/shop:index:find/inputs/required/0: there is no property `nam`"]),
        ]  # fmt: skip  # a table


def test_errors_in_unused_members_are_not_reported(tmp_path: Path) -> None:
    schema = json.loads(json.dumps(GOOD))
    schema["resources"]["shop:index:Other"] = {"inputProperties": {"lid": {"$ref": "#/types/shop:index:Lid"}}}
    (tmp_path / "shop.json").write_text(json.dumps(schema))
    (tmp_path / "main.pp").write_text('resource a "shop:index/thing:Thing" {\n  box = { size = 1 }\n}\n')
    assert check(tmp_path / "main.pp", schemas=[tmp_path / "shop.json"]).diagnostics == ()
