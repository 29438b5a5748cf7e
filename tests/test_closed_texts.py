"""Strings where only certain strings are allowed: enums of a schema, and the types that TypeScript's SDKs write by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pclgen.languages import LANGUAGES
from tests.support import compilers
from tests.support.generated import EXAMPLE_SCHEMAS, generate
from tests.support.sdks.trials import generated, run_failures, type_failures, write_schemas

TEXT = {"type": "string"}
REGION = {"$ref": "#/types/shut:index:Region"}
BOX = {"$ref": "#/types/shut:index:Box"}
TEXTS = {"type": "array", "items": TEXT}
SCHEMA: Mapping[str, Any] = {
    "name": "shut",
    "version": "1.0.0",
    "types": {
        "shut:index:Region": {"type": "string", "enum": [{"value": "east"}, {"value": "west"}]},
        "shut:index:Box": {
            "type": "object",
            "properties": {"region": REGION, "regions": {"type": "array", "items": REGION}},
        },
    },
    "resources": {
        "shut:index:Thing": {
            "properties": {"region": REGION, "text": TEXT, "end": TEXT, "texts": TEXTS},
            "required": ["region", "text", "end", "texts"],
            "inputProperties": {
                "text": TEXT,
                "end": TEXT,
                "texts": TEXTS,
                "region": REGION,
                "open": {"oneOf": [TEXT, REGION]},
                "plain": {**REGION, "plain": True},
                "box": BOX,
                "boxPlain": {**BOX, "plain": True},
                "regions": {"type": "array", "items": REGION},
                "named": {"type": "object", "additionalProperties": REGION},
            },
        }
    },
    "functions": {
        "shut:index:getRegion": {
            "inputs": {"type": "object", "properties": {"region": REGION}},
            "outputs": {
                "type": "object",
                "properties": {"name": TEXT, "region": REGION},
                "required": ["name", "region"],
            },
        }
    },
    "language": {"go": {"importBasePath": "example.com/shut/sdk/go/shut"}},
}
HEAD = """
config "region" "string" { default = "east" }
config "flag" "bool" { default = true }
resource "other" "shut:index:Thing" {
  text  = "east"
  end   = "st"
  texts = ["east", "west"]
}
"""
SOURCES: Mapping[str, str] = {
    "a literal": '"east"',
    "configuration": "region",
    "a template": '"${region}"',
    "a conditional": 'flag ? region : "west"',
    "a conditional of literals": 'flag ? "east" : "west"',
    "an output": "other.text",
    "a template of an output": '"we${other.end}"',
    "a conditional of outputs": 'flag ? other.text : "west"',
    "a function's result": 'invoke("shut:index:getRegion", {}).name',
    "an element": '["east", "west"][0]',
    "a member": '{ a = "east" }.a',
    "a looked up text": 'lookup({ a = "west" }, region, "east")',
    "an attempt": 'try(other.text, "east")',
    "an enum": "other.region",
}
PLACES: Mapping[str, str] = {
    "region": "region = VALUE",
    "open": "open = VALUE",
    "list": "regions = [VALUE, VALUE]",
    "map": "named = { a = VALUE, b = region }",
    "object": "box = { region = VALUE, regions = [VALUE] }",
    "plain object": "boxPlain = { region = VALUE }",
}
PROGRAMS: Mapping[str, str] = {
    **{
        f"{source} as {place}": f'{HEAD}resource "made" "shut:index:Thing" {{\n  {member.replace("VALUE", value)}\n}}\n'
        for source, value in SOURCES.items()
        for place, member in PLACES.items()
    },
    "a range": HEAD + 'resource "made" "shut:index:Thing" {\n  options { range = ["east", "west"] }\n  region = range.value\n}\n',
    "a loop": HEAD + 'resource "made" "shut:index:Thing" { regions = [for text in other.texts : text] }\n',
    "a list": HEAD + 'resource "made" "shut:index:Thing" { regions = other.texts }\n',
    "a plain enum": HEAD + 'resource "made" "shut:index:Thing" { plain = region }\n',
    "an argument": HEAD + 'output "name" { value = invoke("shut:index:getRegion", { region = other.text }).name }\n',
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_in_places_of_an_enum(language: str, tmp_path: Path) -> None:
    schemas = write_schemas([SCHEMA], tmp_path / "schemas")
    programs = generated(PROGRAMS, language, schemas, tmp_path)
    assert type_failures(programs, language, schemas) == {}
    # The evaluator invents function results, and an enum class accepts only its own values.
    running = [program for program in programs if not program.run.test.startswith("a function's result")]
    assert run_failures(running, language, schemas, tmp_path) == {}


AWS = {"name": "aws", "version": "6.83.0", "provider": {"inputProperties": {"region": TEXT, "profile": TEXT}}}
DECLARED = """
import * as pulumi from "@pulumi/pulumi";
export declare const Region: { readonly USEast1: "us-east-1"; readonly EUWest1: "eu-west-1" };
export type Region = (typeof Region)[keyof typeof Region];
export declare class Provider extends pulumi.ProviderResource {
    constructor(name: string, args?: { region?: pulumi.Input<Region>; profile?: pulumi.Input<string> });
}
"""
BY_HAND = """
config "region" "string" {}
config "maybe" "string" { default = null }
config "flag" "bool" { default = true }
resource "pet" "random:index/randomPet:RandomPet" {}
resource "literal" "pulumi:providers:aws" { region = "us-east-1" }
resource "chosen" "pulumi:providers:aws" { region = flag ? "us-east-1" : "eu-west-1" }
resource "set" "pulumi:providers:aws" { region = region }
resource "unset" "pulumi:providers:aws" { region = maybe }
resource "template" "pulumi:providers:aws" { region = "us-${region}" }
resource "mixed" "pulumi:providers:aws" { region = flag ? region : "us-east-1" }
resource "later" "pulumi:providers:aws" { region = pet.id }
resource "open" "pulumi:providers:aws" { profile = region }
resource "ranged" "pulumi:providers:aws" {
  options { range = ["us-east-1", "eu-west-1"] }
  region = range.value
}
"""


def test_types_that_an_sdk_writes_by_hand(tmp_path: Path) -> None:
    schemas = write_schemas([AWS], tmp_path / "schemas")
    package = tmp_path / "sdk" / "node_modules" / "@pulumi" / "aws"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"name": "@pulumi/aws", "version": "6.83.0", "types": "index.d.ts"}))
    (package / "index.d.ts").write_text(DECLARED)
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "main.pp").write_text(BY_HAND)
    result = generate(
        {"aws": folder}, tmp_path / "out", schemas=[schemas[0].parent, EXAMPLE_SCHEMAS], languages=["typescript"]
    )
    assert result.refused == {}
    assert compilers.check_typescript(result.folders["typescript"], search=[tmp_path / "sdk"]) == {"aws": []}
    text = (result.folders["typescript"]["aws"] / "index.ts").read_text(encoding="utf-8")
    assert 'new aws.Provider("literal", { region: "us-east-1" })' in text
    assert 'new aws.Provider("open", { profile: region })' in text
    assert text.count(" as aws.Region") == 5
    assert text.count(" as pulumi.Output<aws.Region>") == 1
