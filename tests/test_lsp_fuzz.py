"""Random edits and requests: the server may not answer, but never fails.  `python -m tests.fuzz.editing` runs more."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.editing import sit, texts
from tests.fuzz.judge import Finding
from tests.support.corpus import needs_corpus
from tests.support.editing import session

SITTINGS = 40


@needs_corpus
def test_edits_and_requests_at_random(tmp_path: Path) -> None:
    starts, own = texts(), session()
    results = [result for number in range(SITTINGS) for result in sit(own, tmp_path, 7, number, starts)]
    assert [result for result in results if isinstance(result, Finding)] == []
    answered = {result for result in results if isinstance(result, str)}
    kinds = {"edit", "diagnostics", "hover", "completion", "definition", "rename", "tokens", "formatting", "generated code"}
    assert not kinds - answered
