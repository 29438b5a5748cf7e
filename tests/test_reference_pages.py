"""`docs/language.md` and `docs/targets.md`: cited sections exist, examples are correct, and nothing is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pclgen
from pclgen.schema.load import SchemaStore
from pclgen.stdlib.options import RESOURCE_OPTIONS
from tests.support.corpus import ROOT
from tests.support.generated import EXAMPLE_SCHEMAS

DOCS = ROOT / "docs"
PAGES = ("language.md", "targets.md")
CITATION = re.compile(r"(language|targets)\.md, ((?:[^();,:.]|\.yaml)+(?:; (?:[^();,:.]|\.yaml)+)*)")
ELSEWHERE = re.compile(r"\b(?:spec|targets)\s+\d|\(seeds(?:: |, [tcR])")
"""Citations of documents outside the repository."""
FENCE = re.compile(r"^```pcl\n(.*?)^```", re.MULTILINE | re.DOTALL)


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.*)$", (DOCS / page).read_text(), re.MULTILINE)


def sources() -> Iterator[Path]:
    for folder in ("pclgen", "templates", "tests", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".md", ".lark", ".jinja", ".j2") and path != Path(__file__):
                yield path


def citations(text: str) -> Iterator[tuple[str, str]]:
    """The page and the heading of each citation; a line break in it, with the start of the next line, counts as a space."""
    for match in CITATION.finditer(re.sub(r"\s*\n\s*(?:# |// )?", " ", text)):
        for heading in match[2].split("; "):
            yield f"{match[1]}.md", heading.strip()


def test_what_is_cited_is_there() -> None:
    headings_of_pages = {page: set(headings(page)) for page in PAGES}
    wrong = [
        f"{path.relative_to(ROOT)}: {page}, {heading}"
        for path in sources()
        for page, heading in citations(path.read_text())
        if path.name not in PAGES and heading not in headings_of_pages[page]
    ]
    assert wrong == []


def test_many_places_cite() -> None:
    assert sum(1 for path in sources() for _ in citations(path.read_text())) > 150


def test_nothing_cites_what_is_not_here() -> None:
    cited = [f"{path.relative_to(ROOT)}: {match[0]}" for path in sources() for match in ELSEWHERE.finditer(path.read_text())]
    assert cited == []


@pytest.mark.parametrize("text", ["(spec 10.3)", "(targets 7.2)", "(seeds: RCL)"])
def test_such_citations_are_found(text: str) -> None:
    assert ELSEWHERE.search(text) is not None


@pytest.mark.parametrize("number", range(len(FENCE.findall((DOCS / "language.md").read_text()))))
def test_examples_are_right(number: int) -> None:
    text = FENCE.findall((DOCS / "language.md").read_text())[number]
    result = pclgen.generate({"main.pp": text}, store=SchemaStore([EXAMPLE_SCHEMAS]))
    assert [diagnostic.message for diagnostic in result.diagnostics] == []


def test_every_option_is_there() -> None:
    text = (DOCS / "language.md").read_text()
    rows = {name for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for name in re.findall(r"`(\w+)[(`]", row)}
    assert sorted(RESOURCE_OPTIONS.keys() - rows) == []


@pytest.mark.parametrize("page", PAGES)
def test_headings_differ(page: str) -> None:
    titles = headings(page)
    assert len(titles) == len(set(titles))
