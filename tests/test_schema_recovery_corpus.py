"""Schemas recovered from published SDKs against the true ones of the same versions.

`pytest -s tests/test_schema_recovery_corpus.py` shows the percentages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from pclgen.schema.document import Document
from pclgen.schema.recovery.source import InstalledSource
from pclgen.schema.sources import Requirement
from tests.support import toolchains
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.recovered import Comparison, Tally, merged, table

VERSIONS = {
    "random": "4.21.1",
    "tls": "5.5.1",
    "docker": "5.1.0",
    "command": "1.2.1",
    "std": "2.3.2",
    "digitalocean": "4.76.0",
    "azuread": "6.10.0",
    "github": "6.15.0",
}
"""The packages with a true schema and a published SDK of the same version."""

LEAST = 99.5
"""The percentage of input properties and function inputs that must be equal in name, type and whether they are required."""

LOST = {"secrets elsewhere", "deprecated arguments"}
"""Facts that SDKs do not record (`docs/contributing/decisions/0109-recovered-schemas.md`)."""

pytestmark = needs_corpus


@pytest.fixture(scope="module")
def comparisons() -> Mapping[str, Mapping[str, Tally]]:
    packages = next((toolchains.python().home / "venv").glob("lib/python*/site-packages"))
    source = InstalledSource([packages])
    results: dict[str, Mapping[str, Tally]] = {}
    for name, version in VERSIONS.items():
        [candidate] = source.candidates(Requirement(name=name))
        assert candidate.version == version
        document = source.read(candidate)
        assert isinstance(document, Document), document
        true = json.loads((REAL_SCHEMAS / f"{name}-{version}.json").read_bytes())
        results[name] = Comparison(true, document).run()
    return results


def test_percentages(comparisons: Mapping[str, Mapping[str, Tally]], capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print("\nrecovered from installed SDKs, against the true schemas:")
        table(comparisons, print)
    whole = merged(comparisons)
    assert whole["resource inputs"].total > 1500
    assert whole["function inputs"].total > 500
    assert {kind: tally.percent for kind, tally in whole.items() if tally.percent < LEAST and kind not in LOST} == {}


@pytest.mark.parametrize("name", VERSIONS)
def test_all_tokens(comparisons: Mapping[str, Mapping[str, Tally]], name: str) -> None:
    tallies = comparisons[name]
    for section in ("resources", "functions", "types"):
        assert tallies[f"{section}: tokens"].different == []


@pytest.mark.parametrize("name", VERSIONS)
def test_inputs(comparisons: Mapping[str, Mapping[str, Tally]], name: str) -> None:
    for kind in ("resource inputs", "function inputs", "object types"):
        tally = comparisons[name].get(kind, Tally())
        assert tally.percent >= LEAST, tally.different[:10]
