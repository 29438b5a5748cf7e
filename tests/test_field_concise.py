"""Generated code is short: fewer lines and applies than the peer's, over the field programs where its output type-checks.

`field-peer.tsv` holds the measurements of the peer's output for each program.  Lines are the non-blank lines of the
program's own files; an apply is a call of the SDK's method, by its name in the language.  Helpers of Python and TypeScript
do not count: the peer has none, checks neither members of configuration nor keys, and visits keys in no order
(`python -m tests.benchmarks.handwritten` counts our helpers).
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests.support.corpus import CORPUS, needs_corpus
from tests.support.generated import LANGUAGES, REAL_SCHEMAS, Generated, generate

pytestmark = needs_corpus

SUFFIX = {"python": ".py", "typescript": ".ts", "go": ".go"}
APPLY = {"python": ".apply(", "typescript": ".apply(", "go": ".ApplyT("}


HELPERS = {
    "python": re.compile(r"^def \w+.*?(?=^\S)", re.MULTILINE | re.DOTALL),
    "typescript": re.compile(r"^function \w+.*?^}$", re.MULTILINE | re.DOTALL),
}


def peer_rows(language: str) -> dict[str, tuple[int, int]]:
    """Lines and applies of the peer's output, by program; only output that type-checks."""
    with (CORPUS / "field-peer.tsv").open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text, delimiter="\t"))
    return {
        row["program"]: (int(row["non-blank lines"]), int(row["applies"]))
        for row in rows
        if row["language"] == language and row["type-check"] == "pass"
    }


def measure(folder: Path, language: str) -> tuple[int, int]:
    """Lines and applies of a generated program."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob(f"*{SUFFIX[language]}"))]
    if language in HELPERS:
        texts = [HELPERS[language].sub("", text) for text in texts]
    lines = sum(1 for text in texts for line in text.splitlines() if line.strip())
    return lines, sum(text.count(APPLY[language]) for text in texts)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    names = sorted({name for language in LANGUAGES for name in peer_rows(language)})
    programs = {name: CORPUS / "field" / name for name in names}
    result = generate(programs, tmp_path_factory.mktemp("field-concise"), schemas=[REAL_SCHEMAS])
    assert result.refused == {}
    return result


@pytest.mark.parametrize("language", LANGUAGES)
def test_fewer_lines_and_applies_than_the_peer(generated: Generated, language: str) -> None:
    peer = peer_rows(language)
    assert peer
    ours = {name: measure(generated.folders[language][name], language) for name in peer}
    lines, applies = (sum(counts[i] for counts in ours.values()) for i in (0, 1))
    peer_lines, peer_applies = (sum(counts[i] for counts in peer.values()) for i in (0, 1))
    print(f"{language}: {lines} lines and {applies} applies; the peer: {peer_lines} and {peer_applies}")
    longer = {name: (ours[name], peer[name]) for name in peer if ours[name] > peer[name]}
    assert lines < peer_lines, longer
    assert applies < peer_applies, longer
