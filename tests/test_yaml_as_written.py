"""Programs in Pulumi YAML as people write them: with a project file and stacks beside a Main file, with names that are only
in the configuration, with keys in any case."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

import pclgen
from pclgen.cli import app
from pclgen.diagnostics.model import Severity
from tests.support.yaml_programs import SCHEMA

LANGUAGES = ("python", "typescript", "go")
MAINS = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schemas")
    (folder / "acme.json").write_text(json.dumps(SCHEMA))
    return folder


def diagnostics_of(files: Mapping[str, str], schemas: Path, *, lenient: bool = False) -> list[tuple[str, str]]:
    """The codes that `check` reports, each with the text at its place."""
    diagnostics = pclgen.check(files, schemas=[schemas], lenient=lenient).diagnostics
    return [(d.code, d.primary.text if d.primary is not None else "") for d in diagnostics]


def main_files(files: Mapping[str, str], schemas: Path, *, lenient: bool = False) -> dict[str, str]:
    """The main file in each language."""
    result = pclgen.generate(files, languages=LANGUAGES, schemas=[schemas], lenient=lenient)
    assert result.ok, [f"{d.primary}: {d.message}" for d in result.diagnostics]
    return {
        language: next(text for path, text in files.items() if path.name == MAINS[language])
        for language, files in result.files.items()
    }


READS: Mapping[str, tuple[dict[str, str], dict[str, str]]] = {
    "a-setting-of-a-package": (
        {"Pulumi.yaml": "name: shop\nruntime: yaml\noutputs:\n  where: ${gcp:project}\n"},
        {"python": 'pulumi.Config("gcp")|.require("project")', "typescript": 'new pulumi.Config("gcp")|.require("project")',
         "go": 'config.New(ctx, "gcp")|.Require("project")'},
    ),
    "a-setting-of-a-package-in-pcl": (
        {"main.pp": 'config project string {\n  __logicalName = "gcp:project"\n}\noutput where {\n  value = project\n}\n'},
        {"python": 'pulumi.Config("gcp")|.require("project")', "typescript": 'new pulumi.Config("gcp")|.require("project")',
         "go": 'config.New(ctx, "gcp")|.Require("project")'},
    ),
    "of-the-type-that-an-input-needs": (
        {"Pulumi.yaml": "resources:\n  a:\n    type: acme:Thing\n    properties: {size: '${size}', on: '${on}', names: '${names}'}\n"},
        {"python": '.require_int("size")|.require_bool("on")|.require_object("names")',
         "typescript": '.requireNumber("size")|.requireBoolean("on")|.requireObject<string[]>("names")',
         "go": '.RequireInt("size")|.RequireBool("on")|var names []string'},
    ),
    "a-text-where-nothing-says-more": (
        {"Pulumi.yaml": "outputs: {region: '${region}', hello: 'hello ${who}'}\n"},
        {"python": '.require("region")|.require("who")', "typescript": '.require("region")', "go": '.Require("region")'},
    ),
    "its-own-project": (
        {"Pulumi.yaml": "name: shop\nconfig: {'shop:size': {type: integer}}\noutputs: {a: '${size}', b: '${shop:size}'}\n"},
        {"python": '.require_int("size")', "typescript": '.requireNumber("size")', "go": '.RequireInt("size")'},
    ),
    "a-key-with-another-name": (
        {"Pulumi.yaml": "config: {size: {type: integer, name: howMany}}\noutputs: {a: '${size}'}\n"},
        {"python": 'size = config.require_int("howMany")', "typescript": 'size = config.requireNumber("howMany")',
         "go": 'size := cfg.RequireInt("howMany")'},
    ),
    "the-project-of-a-main-file": (
        {"Main.yaml": "outputs:\n  size: ${size}\n  region: ${region}\n",
         "Pulumi.yaml": "name: shop\nruntime: yaml\nconfig:\n  size: {type: integer, default: 3}\nconfiguration:\n  region: {type: String}\n"},
        {"python": '.get_int("size", 3)|.require("region")', "typescript": '.getNumber("size") ?? 3|.require("region")',
         "go": '.TryInt("size")|.Require("region")'},
    ),
    "what-both-declare": (
        {"Main.yaml": "config:\n  size: {type: integer, default: 3}\noutputs:\n  size: ${size}\n",
         "Pulumi.yaml": "name: shop\nruntime: yaml\nconfig:\n  size: 5\n"},
        {"python": '.get_int("size", 5)', "typescript": '.getNumber("size") ?? 5', "go": '.TryInt("size")'},
    ),
    "what-a-stack-has": (
        {"Pulumi.yaml": "name: shop\nruntime: yaml\noutputs: {a: '${size}', b: '${database.port}', c: '${token}', d: '${aws:regions[0]}'}\n",
         "Pulumi.dev.yaml": "config: {'shop:size': 3, database: {port: 80}, token: {secure: AAAB}, 'aws:regions': [eu]}\n"},
        {"python": '.require_int("size")|.require_object("database")|.require_secret("token")|aws_config.require_object("regions")',
         "typescript": '.requireNumber("size")|.requireObject<{ port: number }>("database")|.requireSecret("token")',
         "go": '.RequireInt("size")|.RequireSecret("token")|awsCfg.RequireObject("regions"'},
    ),
    "a-default-of-a-setting": (
        {"Main.yaml": "config:\n  aws:region: {type: string, default: eu}\noutputs: {a: '${aws:region}'}\n"},
        {"python": 'aws_config.get("region", "eu")', "typescript": 'awsConfig.get("region") ?? "eu"', "go": 'awsCfg.Try("region")'},
    ),
    "a-resource-for-a-text": (
        {"Pulumi.yaml": "resources:\n  a: {type: 'acme:Thing'}\n  b: {type: 'acme:Thing', properties: {name: '${a}', names: ['${a}']}}\n"
                        "outputs: {n: '${b.name}'}\n"},
        {"python": "name=a.id|names=[a.id]|b.name", "typescript": "name: a.id|names: [a.id]|b.name", "go": "Name:  a.ID()|b.Name"},
    ),
    "the-output-of-another-stack": (
        {"Pulumi.yaml": "outputs: {a: {fn::stackReference: [o/p/s, x]}, b: {fn::stackReference: [o/p/s, y]}}\n"},
        {"python": 'pulumi.StackReference(|get_output("x")|get_output("y")', "typescript": 'getOutput("x")', "go": 'GetOutput(pulumi.String("x"))'},
    ),
    "what-pulumi-is-needed": (
        {"Pulumi.yaml": "pulumi: {requiredVersion: '>=3.100.0'}\noutputs: {a: 1}\n"},
        {"python": '">=3.100.0"', "typescript": '">=3.100.0"', "go": '">=3.100.0"'},
    ),
}  # fmt: skip  # a table of short texts


@pytest.mark.parametrize("name", READS)
def test_what_a_program_reads(name: str, schemas: Path) -> None:
    files, expected = READS[name]
    written = main_files(files, schemas)
    for language, texts in expected.items():
        for text in texts.split("|"):
            assert text in written[language], written[language]


@pytest.mark.parametrize("expression", ["aws:region", "aws::region", '"${aws:region}"'])
def test_pcl_has_no_expression_for_another_namespace(expression: str, schemas: Path) -> None:
    """As documented in docs/language.md (Configuration): in PCL, a variable declares the key of the other namespace."""
    codes = {code for code, _ in diagnostics_of({"main.pp": f"output a {{\n  value = {expression}\n}}\n"}, schemas)}
    assert codes and all(code.startswith("PCL01") for code in codes), codes


DIAGNOSTICS: Mapping[str, tuple[dict[str, str], list[tuple[str, str]]]] = {
    "a-setting-of-a-package": ({"Pulumi.yaml": "outputs: {a: '${aws:region}'}"}, []),
    "a-name": ({"Pulumi.yaml": "outputs: {a: '${size}', b: '${size}'}"}, [("PCL1211", "size")]),
    "a-name-that-a-stack-has": ({"Pulumi.yaml": "outputs: {a: '${size}'}", "Pulumi.dev.yaml": "config: {p:size: 1}"}, [("PCL1211", "size")]),
    "a-name-that-the-stack-of-the-project-has": (
        {"Pulumi.yaml": "name: p\noutputs: {a: '${size}'}", "Pulumi.dev.yaml": "config: {p:size: 1}"}, [],
    ),
    "a-stack-that-is-no-yaml": ({"Pulumi.yaml": "outputs: {a: 1}", "Pulumi.dev.yaml": "config: ["}, [("PCL1212", "")]),
    "parts-of-a-name": ({"Pulumi.yaml": "outputs: {a: '${vpc.id}'}"}, [("PCL0501", "vpc")]),
    "a-slip": ({"Pulumi.yaml": "variables: {bucket: 1}\noutputs: {a: '${bukcet}'}"}, [("PCL0501", "bukcet")]),
    "a-longer-name": ({"Pulumi.yaml": "variables: {bucket: 1}\noutputs: {a: '${bucketName}'}"}, [("PCL1211", "bucketName")]),
    "an-output": ({"Pulumi.yaml": "outputs: {a: 1, b: '${a}'}"}, [("PCL1214", "a")]),
    "json-in-capitals": (
        {"Main.json": '{"Resources": {"a": {"Type": "acme:Thing", "Properties": {"size": 1}}}}', "Pulumi.yaml": "name: p\nruntime: yaml\n"},
        [("PCL1210", '"Resources"'), ("PCL1210", '"Type"'), ("PCL1210", '"Properties"')],
    ),
    "two-programs": ({"Main.yaml": "outputs: {a: 1}", "Pulumi.yaml": "outputs: {a: 2}"}, [("PCL1212", "outputs")]),
    "an-empty-one": ({"Main.yaml": "config: {}", "Pulumi.yaml": "name: p\nruntime: yaml\n"}, [("PCL1213", "config")]),
    "a-setting-that-nobody-uses": ({"Main.yaml": "config: {'aws:region': {type: string}}\noutputs: {a: 1}"}, [("PCL1208", "'aws:region'")]),
    "a-setting-of-the-project": ({"Pulumi.yaml": "config: {'aws:region': {value: eu}}\noutputs: {a: 1}"}, []),
    "a-resource-for-a-text": (
        {"Pulumi.yaml": "resources: {a: {type: 'acme:Thing'}, b: {type: 'acme:Thing', properties: {name: '${a}'}}}"}, [("PCL1215", "a")],
    ),
    "the-same-in-pcl": (
        {"main.pp": 'resource a "acme:Thing" {}\nresource b "acme:Thing" {\n  name = a\n}\n'}, [("PCL0401", "a")],
    ),
}  # fmt: skip  # a table of short texts


@pytest.mark.parametrize("name", DIAGNOSTICS)
def test_diagnostics_of_a_program(name: str, schemas: Path) -> None:
    files, expected = DIAGNOSTICS[name]
    assert diagnostics_of(files, schemas) == expected


def test_what_lenient_mode_passes_over(schemas: Path) -> None:
    text = "extra: 1\nresources:\n  a: {type: 'acme:Thing', note: x, options: {dependson: [], protct: true}}\n"
    strict = pclgen.check({"Pulumi.yaml": text}, schemas=[schemas]).diagnostics
    lenient = pclgen.check({"Pulumi.yaml": text}, schemas=[schemas], lenient=True).diagnostics
    assert [d.code for d in lenient] == [d.code for d in strict] == ["PCL1205", "PCL1205", "PCL1210", "PCL1205"]
    assert {d.severity for d in lenient} == {Severity.WARNING}
    pcl = 'resource a "acme:Thing" {}\nresource b "acme:Thing" {\n  name = a\n}\n'
    assert diagnostics_of({"main.pp": pcl}, schemas, lenient=True) == [("PCL1215", "a")]
    assert "name=a.id" in main_files({"main.pp": pcl}, schemas, lenient=True)["python"]


PROJECT = """\
name: shop
runtime: yaml
description: Our shop
author: Ada
template:
  description: A template
  config:
    aws:region: {default: eu-west-1}
packages:
  acme: acme@1.2.3
plugins:
  providers:
    - name: acme
      path: ./bin
options:
  refresh: always
config:
  aws:region:
    value: eu-west-1
  aws:profile: {default: dev, type: string, description: Whose}
  aws:token: {type: string, secret: true}
  acme:zone: a
  size: 3
outputs:
  size: ${size}
  where: ${aws:region}
"""


def test_what_is_not_ours_is_kept(tmp_path: Path) -> None:
    """The project file of every language, Pulumi YAML included."""
    from pclgen.source.data import read_yaml

    (tmp_path / "Pulumi.yaml").write_text(PROJECT)
    original = read_yaml(PROJECT)
    for language in (*LANGUAGES, "yaml"):
        out = tmp_path / "out" / language
        assert app.main(["generate", str(tmp_path), "-l", language, "--out", str(out)]) == 0
        project = read_yaml((out / "Pulumi.yaml").read_text())
        for key in ("name", "description", "author", "template", "packages", "plugins", "options"):
            assert project[key] == original[key], (language, key)
        assert project["config"]["aws:region"] == {"value": "eu-west-1"}
        # The Pulumi CLI refuses types and defaults of keys that belong to packages, and keys without a value.
        assert project["config"]["aws:profile"] == {"value": "dev", "description": "Whose"}
        assert project["config"]["acme:zone"] == "a" and "aws:token" not in project["config"]
        assert project["config"]["size"]["default"] == 3


class TestFolders:
    def test_a_main_file_is_the_program(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime:\n  name: yaml\n")
        (tmp_path / "Main.json").write_text('{"Outputs": {"answer": 42}}')
        (tmp_path / "Pulumi.dev.yaml").write_text("config: {}")
        assert app.main(["evaluate", str(tmp_path)]) == 0
        shown = capsys.readouterr()
        assert "42" in shown.out and "PCL1210" in shown.err

    def test_a_project_without_a_program_is_an_empty_one(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: {name: yaml}\n")
        assert app.main(["check", str(tmp_path)]) == 0
        assert "PCL1213" in capsys.readouterr().err

    def test_what_a_compiler_writes(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        text = "name: shop\nruntime:\n  name: yaml\n  options: {compiler: cue export}\n"
        (tmp_path / "Pulumi.yaml").write_text(text)
        assert app.main(["check", str(tmp_path)]) == 2
        shown = capsys.readouterr().err
        assert "what the compiler `cue export` writes" in shown and "--from yaml -" in shown

    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"outputs: {answer: 42}\n")))
        assert app.main(["evaluate", "--from", "yaml", "-"]) == 0
        assert "42" in capsys.readouterr().out
