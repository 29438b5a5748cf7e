"""Nearly all examples in the descriptions of published schemas are converted to programs in every language.

The others report why they are not.  Their authors wrote them for another reader, by hand or with a tool, so many use names
that no schema has.  `--lenient`, which turns such errors into warnings, is the option that a provider author begins with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from pclgen.cli import app
from pclgen.languages import LANGUAGES
from tests.support.corpus import CORPUS, needs_corpus

REAL = CORPUS / "schemas" / "real"
CONVERTED: Mapping[str, float] = {"python": 0.99, "typescript": 0.99, "go": 0.95}
"""The minimum share of snippets that is converted.  Most of the others use resources of aws, whose schema is not among
these: Go has no way to write members of unknown types."""

pytestmark = needs_corpus


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Mapping[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("docs"))
        schemas = [str(path) for path in sorted(REAL.glob("*.json"))]
        words = ["--lenient", "--level", "converted", "--languages", ",".join(LANGUAGES), "--schemas", str(REAL)]
        manners = ["--isolated", "--sources", "files", "--no-cache", "--quiet", "--jobs", "1", "--output-format", "json"]
        printed: list[str] = []
        patch.setattr("pclgen.cli.console.Console.print_exactly", lambda _self, text: printed.append(text))
        app.main(["docs", "coverage", *schemas, *words, *manners])
    result: list[Mapping[str, Any]] = json.loads("".join(printed))["rows"]
    return result


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_all_examples_are_converted(rows: list[Mapping[str, Any]], language: str) -> None:
    states = Counter(row["levels"]["converted"] for row in rows if row["language"] == language)
    assert states.total() >= 549
    assert states["passed"] / states.total() >= CONVERTED[language], states


def test_what_is_not_converted_says_why(rows: list[Mapping[str, Any]]) -> None:
    failed = [row for row in rows if row["levels"]["converted"] != "passed"]
    assert failed
    assert [row["snippet"] for row in failed if not any(message.startswith("PCL") for message in row["messages"])] == []
