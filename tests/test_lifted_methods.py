"""Methods whose SDKs replace a result by its only property (`liftSingleValueMethodReturns`), in all languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import compilers
from tests.support.corpus import CORPUS, needs_corpus
from tests.support.generated import Generated, generate
from tests.support.sdks.go import sdk_kit
from tests.support.sdks.gotypes import check_types
from tests.support.sdks.python import sdk_path as python_path
from tests.support.sdks.typescript import sdk_path as typescript_path

pytestmark = needs_corpus

PROGRAM = """
resource "one" "call:index:Custom" {
  value = "x"
}
resource "other" "call:index:Custom" {
  value = "${call(one, "providerValue", {}).result}!"
}
resource "same" "call:index:Custom" {
  value = call(one, "providerValue", {}).result
}
answer = call(one, "providerValue", {})
again  = answer
text   = answer.result
output "step" {
  value = answer.result
}
output "text" {
  value = "${answer.result} ${again.result} ${text}"
}
output "whole" {
  value = answer
}
output "read" {
  value = [for c in split(",", answer.result) : c]
}
"""


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The schema of a package with methods whose SDKs lift their results."""
    document = json.loads((CORPUS / "schemas" / "conformance" / "call-15.7.9.json").read_text(encoding="utf-8"))
    lifts = {"liftSingleValueMethodReturns": True}
    for language in ("python", "nodejs", "go"):
        document.setdefault("language", {}).setdefault(language, {}).update(lifts)
    path = tmp_path_factory.mktemp("schema") / "call-15.7.9.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def generated(schema: Path, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("program")
    (folder / "main.pp").write_text(PROGRAM, encoding="utf-8")
    result = generate({"methods": folder}, tmp_path_factory.mktemp("out"), schemas=[schema.parent])
    assert result.refused == {}
    return result


def test_python(generated: Generated, schema: Path) -> None:
    folders = generated.folders["python"]
    assert compilers.check_python(folders, search=python_path([schema], former=True)) == {"methods": []}
    text = (folders["methods"] / "__main__.py").read_text(encoding="utf-8")
    assert "value=one.provider_value())" in text
    assert "answer = one.provider_value()\n" in text
    assert 'pulumi.export("step", answer)\n' in text
    assert 'pulumi.export("whole", answer.apply(lambda result: {"result": result}))' in text


def test_typescript(generated: Generated, schema: Path) -> None:
    folders = generated.folders["typescript"]
    assert compilers.check_typescript(folders, search=typescript_path([schema], former=True)) == {"methods": []}


def test_go(generated: Generated, schema: Path) -> None:
    assert check_types(generated.folders["go"], sdk_kit([schema])) == {"methods": []}
