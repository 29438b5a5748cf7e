"""Fields of schemas that appear in generated text: the reader checks each field against its grammar."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pytest

import pclgen
from pclgen.diagnostics.render import render_text
from pclgen.schema.grammar import is_go_path, is_token
from pclgen.schema.load import SchemaStore
from pclgen.schema.tokens import module_finder

SERVER: Final = "shop:mod:Server"
TEXT: Final = {"type": "string"}
GOOD: Final[Mapping[str, Any]] = {
    "name": "shop",
    "version": "1.2.3",
    "language": {"python": {}, "nodejs": {}, "go": {}},
    "resources": {
        SERVER: {
            "inputProperties": {
                "size": TEXT,
                "kind": {"$ref": "#/types/shop:mod:Kind"},
                "disk": {"$ref": "#/types/shop:mod:Disk"},
            },
            "properties": {"size": TEXT},
            "methods": {"reboot": "shop:mod:Server/reboot"},
        }
    },
    "types": {
        "shop:mod:Kind": {"type": "string", "enum": [{"name": "Small", "value": "s"}]},
        "shop:mod:Disk": {"type": "object", "properties": {"size": TEXT}},
    },
    "functions": {
        "shop:mod:Server/reboot": {
            "inputs": {"properties": {"__self__": {"$ref": f"#/resources/{SERVER}"}}},
            "outputs": {"properties": {"done": TEXT}},
        },
        "shop:mod:getServer": {"inputs": {"properties": {"name": TEXT}}, "outputs": {"properties": {"id": TEXT}}},
    },
}
PROGRAM: Final = """\
resource web "shop:mod:Server" {
  size = "a"
  kind = "s"
  disk = { size = "b" }
}
output found {
  value = invoke("shop:mod:getServer", { name = "web" }).id
}
output again {
  value = call(web, "reboot", {}).done
}
"""
CODE: Final = (
    "json; print(1); import json",
    "a\nb",
    "1.0.0\n--index-url=http://evil",
    'a"; evil(); "',
    "a b",
    "../../x",
    "a\x1b[2J",
)
LANGUAGE_FIELDS: Final = (
    "/language/python/packageName",
    "/language/python/moduleNameOverrides/mod",
    "/language/nodejs/packageName",
    "/language/nodejs/moduleToPackage/mod",
    "/language/go/importBasePath",
    "/language/go/modulePath",
    "/language/go/rootPackageName",
    "/language/go/moduleToPackage/mod",
    "/language/go/packageImportAliases/mod",
    "/language/go/importPathPattern",
)
FIELDS: Final = (
    "/version",
    "/namespace",
    "/pluginDownloadURL",
    "/repository",
    "/parameterization/baseProvider/name",
    "/parameterization/baseProvider/version",
    "/parameterization/baseProvider/pluginDownloadURL",
    "/parameterization/parameter",
    *LANGUAGE_FIELDS,
)
PARAMETERIZATION: Final = {"baseProvider": {"name": "base", "version": "1.0.0"}, "parameter": "aGVsbG8="}


def schema_with(pointer: str, value: object) -> dict[str, Any]:
    """The good schema with the field at `pointer` set to `value`."""
    schema: dict[str, Any] = json.loads(json.dumps(GOOD))
    *steps, last = pointer.strip("/").split("/")
    if steps and steps[0] == "parameterization":
        schema["parameterization"] = json.loads(json.dumps(PARAMETERIZATION))
    at = schema
    for step in steps:
        at = at.setdefault(step, {})
    at[last] = value
    return schema


def rendered(tmp_path: Path, schema: Mapping[str, Any]) -> list[str]:
    """The rendered diagnostics of the program with this schema."""
    (tmp_path / "shop.json").write_text(json.dumps(schema))
    result = pclgen.generate({"main.pp": PROGRAM}, schemas=[tmp_path])
    assert bool(result.diagnostics) != bool(result.files)
    return [render_text([d], color=False) for d in result.diagnostics]


def test_the_program_is_good(tmp_path: Path) -> None:
    assert rendered(tmp_path, GOOD) == []
    assert rendered(tmp_path, schema_with("/parameterization/parameter", "aGVsbG8=")) == []


@pytest.mark.parametrize("pointer", FIELDS)
def test_a_field_that_breaks_its_grammar_is_reported_with_its_pointer(tmp_path: Path, pointer: str) -> None:
    for code in CODE:
        messages = rendered(tmp_path, schema_with(pointer, code))
        assert messages, (pointer, code)
        assert "PCL0304" in messages[0] and f"#{pointer}" in messages[0], messages
        assert "\x1b" not in "".join(messages)


GOOD_VALUES: Final = {
    "/version": ("1.2.3", "v1.2.3", "3.0.0-alpha.1.internal+exp.sha.12345678", ""),
    "/namespace": ("a-namespace", "Shop"),
    "/pluginDownloadURL": ("github://api.github.com/shop", "https://example.com/v${VERSION}", "https://a.b/c?d=e&f=%20"),
    "/repository": ("https://github.com/shop/pulumi-shop", "github.com/shop/x", "git@example.com:shop/x.git"),
    "/language/python/packageName": ("shop-sdk", "shop_sdk", "Shop.Sdk2", ""),
    "/language/python/moduleNameOverrides/mod": ("apps/v1", "a.b_c", "", "a-b", "-", "--", "a-/b"),
    "/language/nodejs/packageName": ("@shop/shop-sdk", "shop", ""),
    "/language/go/importBasePath": ("github.com/shop/pulumi-shop/sdk/v4/go/shop", "example.com/~me/x"),
    "/language/go/importPathPattern": ("github.com/shop/sdk/{module}/v3", "{baseImportPath}/{module}/v2"),
    "/language/go/rootPackageName": ("shopsdk", "shop2"),
}


@pytest.mark.parametrize("pointer", GOOD_VALUES)
def test_fields_that_keep_to_their_grammar_are_taken(tmp_path: Path, pointer: str) -> None:
    for value in GOOD_VALUES[pointer]:
        assert rendered(tmp_path, schema_with(pointer, value)) == [], value


def test_a_module_of_python_is_a_name(tmp_path: Path) -> None:
    """`shop.a-b.Server` would be a subtraction."""
    (tmp_path / "shop.json").write_text(json.dumps(schema_with("/language/python/moduleNameOverrides/mod", "a-b/c-d")))
    files = pclgen.generate({"main.pp": PROGRAM}, schemas=[tmp_path], languages=["python"]).files["python"]
    assert "shop.a_b.c_d.Server(" in files[PurePosixPath("__main__.py")]


def test_settings_of_the_configuration_are_held_to_the_same_grammar(tmp_path: Path) -> None:
    (tmp_path / "shop.json").write_text(json.dumps(GOOD))
    languages: Any = {"shop": {"go": {"importBasePath": "C"}}}
    result = pclgen.check({"main.pp": PROGRAM}, store=SchemaStore([tmp_path], languages=languages))
    assert "#/language/go/importBasePath" in render_text(result.diagnostics, color=False)


def renamed(old: str, new: str) -> dict[str, Any]:
    """The good schema with a name changed everywhere."""
    quoted = json.dumps(new)[1:-1]
    schema: dict[str, Any] = json.loads(json.dumps(GOOD).replace(old, quoted))
    return schema


@pytest.mark.parametrize("name", ["si ze", "si\nze", 'si"ze', "si;ze", "si(ze", "si\u2028ze", "si\x00ze", "{{size}}"])
def test_names_of_properties_and_methods_are_names(tmp_path: Path, name: str) -> None:
    for old, new in (('"size"', f'"{json.dumps(name)[1:-1]}"'), ('"reboot"', f'"{json.dumps(name)[1:-1]}"')):
        schema = json.loads(json.dumps(GOOD).replace(old, new))
        messages = rendered(tmp_path, schema)
        assert any("PCL0305" in message and "#/resources/" in message for message in messages), messages


@pytest.mark.parametrize(
    "member", ["Ser ver", "Ser\nver", 'Ser"ver', "Ser;ver", "Ser(ver", "Ser\u2028ver", "9Server", "Sërver"]
)
def test_tokens_of_members_are_tokens(tmp_path: Path, member: str) -> None:
    assert not is_token(f"shop:mod:{member}")
    assert is_token("shop:mod:Server/reboot")
    # The schema's own token of a type that the program does not use.
    messages = rendered(tmp_path, renamed("shop:mod:Disk", f"shop:mod:{member}"))
    assert any("PCL0305" in message for message in messages), messages
    source = PROGRAM.replace("shop:mod:Server", "shop:mod:" + member.replace('"', '\\"').replace("\n", "\\n"))
    assert [
        d for d in pclgen.check({"main.pp": source}, schemas=[tmp_path], lenient=True).diagnostics if "PCL0301" in d.code
    ]


def test_a_name_of_python_in_an_enum_is_one(tmp_path: Path) -> None:
    schema = json.loads(json.dumps(GOOD))
    schema["types"]["shop:mod:Kind"]["enum"][0]["pythonName"] = "X\nimport os"
    assert any("pythonName" in message for message in rendered(tmp_path, schema))


def test_import_paths_of_go() -> None:
    assert is_go_path("github.com/pulumi/pulumi-aws/sdk/v7/go/aws")
    assert not any(map(is_go_path, ("C", "os", "unsafe", "", "a.b/../c", "a.b//c", "a.b/c ", "/a.b/c", "a.b/c\n", 'a.b/"c')))


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(.*)(.*)(.*)x", r"(.)\1", "(?=(a))", "(a|b)*c", "(a?a?a?a?)", "(" + "(a|a)" * 9 + ")", "(.*)" + "a" * 200]
)
def test_module_formats_that_could_hang(pattern: str) -> None:
    with pytest.raises(ValueError, match="very long"):
        module_finder(pattern)


@pytest.mark.parametrize("pattern", ["", "(.*)", "(.*)(?:/[^/]*)", "(.*)(?:_[^_]*)", "(.*?)(?:/[^/]*)", "(?P<module>.*)(?:/[^/]*)"])
def test_module_formats_in_use(pattern: str) -> None:
    assert module_finder(pattern)("p:s3:Bucket") in ("s3", "")
    assert module_finder(pattern)(f"p:{'a' * 5000}:Bucket") == ""


def test_a_spoiled_type_that_only_a_run_reads_is_reported(tmp_path: Path) -> None:
    reference = {"$ref": "#/types/deep:index:Outer"}
    schema = {
        "name": "deep",
        "version": "1.0.0",
        "types": {
            "deep:index:Outer": {"type": "object", "properties": {"b": {"$ref": "#/types/deep:index:Inner"}}, "required": ["b"]},
            "deep:index:Inner": {"type": "tcejbo"},
        },
        "resources": {"deep:index:Thing": {"properties": {"a": reference}, "required": ["a"]}},
    }
    (tmp_path / "deep.json").write_text(json.dumps(schema))
    program = {"main.pp": 'resource t "deep:index:Thing" {}\n'}
    ran = pclgen.evaluate_program(program, schemas=[tmp_path])
    notes = [(d.code, note.message) for d in ran.diagnostics for note in d.notes]
    assert notes == [("PCL0305", "#/types/deep:index:Inner/type: a type is an object or an enum, not `tcejbo`")]
