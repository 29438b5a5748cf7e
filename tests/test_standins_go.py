"""The stand-in SDKs for Go are what the published SDKs are: the same exported names, types, fields and signatures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.corpus import CORPUS, ROOT, needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.go_target import kit
from tests.support.standins.go.check import check_types, exported, output_of, published, stand_in_kit
from tests.support.standins.go.kits import stand_in_corpus_kit
from tests.support.standins.go.module import write_sdks
from tests.support.standins.go.names import accessor_name, field_name, lower_first, member_name, title
from tests.support.standins.go.world import World

PUBLISHED = {
    "random": ("random-4.21.1.json", ["github.com/pulumi/pulumi-random/sdk/v4/go/random"]),
    "tls": ("tls-5.5.1.json", ["github.com/pulumi/pulumi-tls/sdk/v5/go/tls"]),
    "command": (
        "command-1.2.1.json",
        [f"github.com/pulumi/pulumi-command/sdk/go/command{module}" for module in ("", "/local", "/remote")],
    ),
    "digitalocean": (
        "digitalocean-4.76.0.json",
        ["github.com/pulumi/pulumi-digitalocean/sdk/v4/go/digitalocean"],
    ),
}
"""Packages whose SDKs are published in the very version of the schema: schema file, import paths."""

LEFT_OUT = re.compile(r"\)\.Defaults\(\)")
"""What a stand-in does not have: the methods that fill in the defaults of nested objects, which no program calls."""


@needs_corpus
@pytest.mark.parametrize("package", PUBLISHED)
def test_same_exports_as_published(package: str) -> None:
    kit = stand_in_kit([REAL_SCHEMAS / schema for schema, _ in PUBLISHED.values()])
    paths = PUBLISHED[package][1]
    real = {line for line in exported(paths, published()) if not LEFT_OUT.search(line)}
    assert len(real) > 500
    assert exported(paths, kit) ^ real == set()


def test_unions_of_a_text_and_a_class() -> None:
    """As in the published SDK of aws 7.12.0: `AlarmActions`, `OkActions` and such of `MetricAlarm`, `Role` of `RolePolicy`."""
    path = "example.com/pulumi-probe/sdk/go/probe"
    found = {line.removeprefix(f"{path}: field ").strip() for line in exported([path], kit())}
    core = "github.com/pulumi/pulumi/sdk/v3/go/pulumi"
    expected = {
        f"AlarmArgs.Action {core}.Input",
        f"AlarmArgs.Actions {core}.ArrayInput",
        f'Alarm.Actions {core}.StringArrayOutput pulumi:"actions"',
        'GetAlarmsArgs.Action interface{} pulumi:"action"',
        'GetAlarmsArgs.Actions []interface{} pulumi:"actions"',
    }
    assert expected <= found


@needs_corpus
def test_a_mistake_is_found(tmp_path: Path) -> None:
    """The checker sees wrong fields, wrong types, unused variables, unknown packages and broken syntax."""
    head = 'package main\n\nimport "github.com/pulumi/pulumi-random/sdk/v4/go/random"\n\n'
    programs = {
        "right": head + "var _ = random.RandomPetArgs{Prefix: nil}\n\nfunc main() {}\n",
        "field": head + "var _ = random.RandomPetArgs{Prefixes: nil}\n\nfunc main() {}\n",
        "type": head + 'var _ = random.RandomPetArgs{Prefix: "a"}\n\nfunc main() {}\n',
        "unused": head + "func main() {\n\tx := random.RandomPetArgs{}\n}\n",
        "unknown": 'package main\n\nimport "example.com/nowhere"\n\nfunc main() { nowhere.Go() }\n',
        "broken": "package main\n\nfunc main() {\n",
    }
    folders = {name: tmp_path / name for name in programs}
    for name, text in programs.items():
        folders[name].mkdir()
        (folders[name] / "main.go").write_text(text)
    folders["empty"] = tmp_path / "empty"
    found = check_types(folders, stand_in_kit([REAL_SCHEMAS / schema for schema, _ in PUBLISHED.values()]))
    assert found.pop("right") == []
    expected = {
        "field": "go: main.go:5:30: unknown field Prefixes",
        "type": "go: main.go:5:38: cannot use",
        "unused": "go: main.go:6:2: declared and not used: x",
        "unknown": "go: main.go:3:8: could not import example.com/nowhere",
        "broken": "go: main.go:3:15: expected",
        "empty": "go: no file",
    }
    assert {name: messages[0][: len(expected[name])] for name, messages in found.items()} == expected


def test_names() -> None:
    """Examples of the rules on names (targets.md, Spelling; Property names; Enum members), which the published SDKs
    above do not all show."""
    assert [title(name) for name in ("a-b", "$ref", "kebab-module", "some_thing", "1st")] == [
        "AB",
        "Ref",
        "KebabModule",
        "Some_thing",
        "_1st",
    ]
    assert lower_first("HTTPGet") == "httpget"
    assert [field_name(name) for name in ("elementType", "id", "iD", "uRN")] == ["ElementType_", "Id", "ID_", "URN_"]
    assert field_name("toFooOutput", "Foo") == "ToFooOutput_"
    assert accessor_name("elementType") == "GetElementType_"
    assert accessor_name("isSecret") == "GetIsSecret"
    assert [member_name("Color", name, value) for name, value in (("RedOne", "r"), (None, "blue"), (None, "*"))] == [
        "ColorRedOne",
        "ColorBlue",
        "ColorAsterisk",
    ]
    assert member_name("WordyEnum", None, "It's got apostrophes") == "WordyEnum_It_s_got_apostrophes"


@needs_corpus
def test_bodies_register() -> None:
    """Resources, reads, functions and methods of stand-ins reach the engine, and its answers come back."""
    custom = "component:index:Custom"
    assert output_of(ROOT / "tests/support/standins/go/mocked/main.go", stand_in_corpus_kit()) == sorted(
        [
            "new primitive-defaults:index:Resource  map[boolean:false float:0.5 integer:1 string:default]",
            "default = default",
            "new nestedcollections:index:Foo  map[conditionSets:[[[map[prop:here]]]]]",
            "deep = here",
            "new read:index:Resource old map[]",
            f"new {custom}  map[value:v]",
            "new component:index:ComponentCustomRefInputOutput  "
            f"map[inputRef:{{urn:pulumi:s::p::{custom}::custom custom {custom} {{custom-id}} }}]",
            "refused: missing one or more required arguments",
            "call multi-argument-invoke:index:multiArgumentInvoke map[first:x]",
            "positional = done",
            "call scalar-returns:index:invokeArray map[value:v]",
            "list [true false]",
            "call scalar-returns:index:invokeArray map[value:w]",
            "eventual list = [true false]",
            "new pulumi:providers:call  map[value:v]",
            "call pulumi:providers:call/prefixed map[prefix:pre]",
            "method = done",
            "new configurer:index:Configurer  map[providerConfig:c]",
            "call configurer:index:Configurer/plainValue map[]",
            "plain method 7",
        ]
    )


@needs_corpus
def test_what_no_published_sdk_shows(tmp_path: Path) -> None:
    """What the reference's SDK generator writes (targets.md, Packages and modules) for packed SDKs, extensions, and
    methods with
    plain resources."""
    schemas = CORPUS / "schemas" / "conformance"
    packed = json.loads((schemas / "keywords-20.0.0.json").read_text(encoding="utf-8"))
    packed["meta"] = {"supportPack": True}
    (tmp_path / "keywords.json").write_text(json.dumps(packed), encoding="utf-8")
    others = [schemas / "myext-2.0.0.json", schemas / "component-property-deps-1.33.7.json", schemas / "goodbye-2.0.0.json"]
    written = {sdk.schema.name: sdk for sdk in write_sdks(World([tmp_path / "keywords.json", *others]), tmp_path / "go")}

    def text(name: str, below: str = "") -> str:
        folder = tmp_path / "go" / written[name].base_path / below
        return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.go")))

    assert written["keywords"].module_path == "example.com/pulumi-keywords/sdk/go/v20"
    module = tmp_path / "go" / "example.com/pulumi-keywords/sdk/go/v20"
    assert (module / "go.mod").read_text(encoding="utf-8").startswith("module example.com/pulumi-keywords/sdk/go/v20\n")
    assert {path.name for path in (module / "keywords").iterdir()} >= {"sdk.go", "internal", "lambda", "module"}
    assert written["myext"].base_path == "example.com/pulumi-myext/sdk/go/v2/myext"
    assert "Extension: &pulumirpc.Parameterization{" in text("myext", "internal")
    assert "\n\t\tParameterization: &pulumirpc.Parameterization{" in text("goodbye", "internal")
    assert "Extension:" not in text("goodbye", "internal")
    fields = re.findall(r"^\t(Resource\w*) +(\S+)", text("component-property-deps"), re.MULTILINE)
    assert {("Resource", "CustomInput"), ("ResourceList", "[]CustomInput"), ("ResourceMap", "map[string]CustomInput")} <= {
        *fields
    }
