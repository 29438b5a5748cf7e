"""The stored tables of the grammar equal those that lark builds from it, and nothing depends on their presence."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import lark
import pytest

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.syntax import parser, tables
from pclgen.syntax.parse import parse_file

FRESH = "python -m pclgen.syntax.tables > pclgen/syntax/grammar.tables.json"
TEXT = 'resource a "b:c:D" {\n  x = [for k, v in m : "${k}!" if v != null]\n}\n'


def kept() -> dict[str, Any]:
    text = resources.files("pclgen.syntax").joinpath(tables.TABLES).read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def test_the_tables_are_those_of_the_grammar() -> None:
    fresh = json.loads(tables.compute_tables())
    same_version = kept()["stamp"].split(",")[0] == f"lark {lark.__version__}"
    assert kept()["stamp"].split(", ")[1] == fresh["stamp"].split(", ")[1], f"the grammar has changed: {FRESH}"
    assert not same_version or kept() == fresh, FRESH


@pytest.mark.parametrize(
    ("version", "is_analysed"), [(kept()["stamp"].split(",")[0].removeprefix("lark "), False), ("0.0", True)]
)
def test_another_version_of_lark_analyses_the_grammar(
    version: str, is_analysed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    analysed = tables._analysed

    def noted(grammar: str, transformer: object) -> lark.Lark:
        asked.append(grammar)
        return analysed(grammar, transformer)

    monkeypatch.setattr(tables, "_analysed", noted)
    monkeypatch.setattr(lark, "__version__", version)
    tables.load_parser(None)
    assert bool(asked) is is_analysed


def test_both_parse_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed() -> str:
        parser._grammar.cache_clear()
        bag = DiagnosticBag()
        return f"{parse_file(SourceFile('a.pp', TEXT), bag)} {bag.has_errors}"

    by_tables = parsed()
    monkeypatch.setattr(tables, "_from_tables", lambda *_: None)
    assert parsed() == by_tables
    parser._grammar.cache_clear()
