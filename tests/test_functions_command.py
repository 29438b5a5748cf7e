"""`pclgen functions` and `docs/functions.md` agree with the specifications of the built-in functions."""

from __future__ import annotations

import json

import pytest

from pclgen.cli import app
from pclgen.stdlib.model import signature
from pclgen.stdlib.pages import page
from pclgen.stdlib.registry import FUNCTIONS
from tests.support.binding import bind_text
from tests.support.corpus import ROOT
from tests.support.rules import for_all


def test_the_page_is_what_the_specifications_say() -> None:
    text = page(FUNCTIONS.values())
    assert (ROOT / "docs" / "functions.md").read_text() == text, "write `pclgen.stdlib.pages.page(FUNCTIONS.values())` there"


def test_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["functions"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("(")[0] for line in lines] == list(FUNCTIONS)


@for_all("name", FUNCTIONS)
def test_one_is_described(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    function = FUNCTIONS[name]
    assert app.main(["functions", name]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{signature(function)}\n\n  {function.doc}\n")
    assert function.example and function.example in out
    assert all(parameter.doc in out for parameter in function.parameters)


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["functions", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format_version"] == 1
    assert [entry["name"] for entry in document["functions"]] == list(FUNCTIONS)
    lookup = next(entry for entry in document["functions"] if entry["name"] == "lookup")
    assert [(entry["name"], entry["type"], entry["optional"]) for entry in lookup["parameters"]] == [
        ("map", "any", False),
        ("key", "string", False),
        ("default", "any", True),
    ]


def test_a_name_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["functions", "lokup"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "error: there is no function `lokup`",
        "  = help: did you mean `lookup`?",
    ]


NAMES = """
config settings "object({ region = optional(string) })" {
  default = {}
}
config tags "map(string)" {
  default = {}
}
"""


@for_all("name", FUNCTIONS)
def test_examples_are_well_formed(name: str) -> None:
    """An example may use names from its context; it has no other errors."""
    diagnostics = bind_text(f"{NAMES}\nresult = {FUNCTIONS[name].example}\n")[1]
    assert {diagnostic.code for diagnostic in diagnostics} <= {"PCL0501", "PCL1201", "PCL0416"}, [
        diagnostic.message for diagnostic in diagnostics
    ]
