"""Pulumi's conformance programs and the peer's own test programs, generated in Python.

They type-check (mypy and pyright) against SDKs that the reference generates, and black does not change them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.compilers import check_black, check_python
from tests.support.conformance import Outcome, generated, programs
from tests.support.corpus import needs_corpus
from tests.support.sdks.corpus import schemas_of
from tests.support.sdks.python import sdk_path

pytestmark = needs_corpus

WRONG: Mapping[str, str] = {
    "traverse-union-repro": "a list where the schema has a text: read leniently, the program keeps it as it is",
}
"""Programs with errors that cannot be fixed."""

LEAST = {"conformance": 203, "codegen": 14}
"""The number of programs that are generated and type-check; the numbers only grow."""

UNKNOWN = "from typing import Any\n\n\ndef __getattr__(name: str) -> Any: ...\n"
"""A package without a schema: it may contain anything."""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return generated("python", tmp_path_factory.mktemp("conformance-python"), programs())


def test_all_are_generated(outcome: Outcome) -> None:
    assert outcome.refused == {}


@pytest.mark.parametrize("former", [True, False], ids=["optional inputs", "inputs of optionals"])
@pytest.mark.parametrize("kind", LEAST)
def test_all_type_check(outcome: Outcome, kind: str, former: bool, tmp_path: Path) -> None:
    (tmp_path / "pulumi_unknown").mkdir()
    (tmp_path / "pulumi_unknown" / "__init__.py").write_text(UNKNOWN)
    search = [*sdk_path(schemas_of(kind), former=former), tmp_path]
    messages = check_python(outcome.of(kind), search=search, deep=former)
    wrong = {name: lines for name, lines in messages.items() if lines}
    assert {name: lines for name, lines in wrong.items() if name not in WRONG} == {}
    assert len(messages) - len(wrong) >= LEAST[kind]


def test_black_changes_nothing(outcome: Outcome) -> None:
    flat = {name.replace("/", "-"): folder for name, folder in outcome.folders.items()}
    assert {name: lines for name, lines in check_black(flat).items() if lines} == {}
