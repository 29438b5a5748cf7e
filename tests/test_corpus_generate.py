"""The field programs of the shared corpus, generated and judged by the corpus' own score.py against the published SDKs.

`FLOOR` lists the programs that pass; it only grows.  A program whose SDK is not in a language's registry is "unchecked" in
that language, and listed neither as passed nor as failed."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pclgen.verify.results import content_of, key_of
from tests.support.corpus import CORPUS, needs_corpus, program_directories
from tests.support.earlier import checking, results
from tests.support.generated import LANGUAGES, REAL_SCHEMAS, generate
from tests.support.toolchains import cache_folder, go_variables, locked, run

pytestmark = needs_corpus

_ALL = frozenset(f"{number:02}" for number in range(1, 41))

FLOOR: Mapping[str, frozenset[str]] = {
    "python": _ALL,
    "typescript": _ALL,
    # The others need SDKs that are not in Go's registry: docker 5, std 2, azuread 6.
    "go": _ALL - {"06", "07", "12", "17", "19", "22", "23", "26", "28", "29", "30", "40"},
}
"""Programs that type-check, by the number that their name begins with."""

FORMATTER = {"python": "black", "typescript": "prettier", "go": "gofmt"}


def score(language: str, scratch: Path) -> Mapping[str, Any]:
    """score.py's verdicts on the field programs in one language."""
    programs = {path.name: path for path in program_directories("field")}
    generate(programs, scratch, schemas=[REAL_SCHEMAS], languages=[language])
    script = CORPUS / "score.py"
    key = key_of("score", checking(), content_of([script, CORPUS / "score-env.sh", CORPUS / "field", scratch / language]))
    stored = results().get(key)
    if stored is not None:
        return _scores(stored, language)
    report = scratch / "report.json"
    environment = _score_environment(scratch)
    with locked(f"score-{language}"):  # its stage folders are shared
        command: list[str | Path] = [sys.executable, script, scratch, "--programs", CORPUS / "field"]
        run([*command, "--langs", language, "--json", report], cwd=scratch, env=environment)
    text = report.read_text(encoding="utf-8")
    if FLOOR[language] <= _passed(_scores(text, language)):
        results().put(key, text)
    return _scores(text, language)


def _scores(report: str, language: str) -> Mapping[str, Any]:
    scores: Mapping[str, Any] = json.loads(report)["languages"][language]
    return scores


def _passed(scores: Mapping[str, Any]) -> frozenset[str]:
    """The numbers of the programs that pass."""
    return frozenset(name[:2] for name, verdict in scores.items() if verdict["pass"])


def _score_environment(scratch: Path) -> dict[str, str]:
    """The variables with which score.py finds its tools, which are installed if needed."""
    script = CORPUS / "score-env.sh"
    home = Path(os.environ.get("PCL_SCORE_ENV") or Path.home() / ".cache" / "pcl-score")
    # The flags of the other tests, so that their build cache is reused.
    environment = {name: value for name, value in go_variables().items() if name in ("GOCACHE", "GOFLAGS")}
    if os.environ.get("PCLGEN_TOOLCHAINS"):
        home = cache_folder() / "score"
        environment |= {"PCL_SCORE_ENV": str(home)}
    done = home / f".made-by-{hashlib.sha256(script.read_bytes()).hexdigest()[:12]}"
    with locked("score-install"):
        if not done.exists():
            # The script rewrites go.mod, but completes it only if there is no go.sum.
            (home / "go" / "go.sum").unlink(missing_ok=True)
            run(["bash", script], cwd=scratch, env=environment)
            done.touch()
    return environment


@pytest.mark.parametrize("language", LANGUAGES)
def test_field_programs_pass(language: str, tmp_path: Path) -> None:
    verdicts = score(language, tmp_path)
    passed = _passed(verdicts)
    lost = {
        name: [error for check in verdict["checks"].values() for error in check["errors"][:1]] or "not generated"
        for name, verdict in verdicts.items()
        if name[:2] in FLOOR[language] - passed
    }
    assert lost == {}
    # Programs that type-check are also formatted as the language's formatter requires.
    untidy = [n for n, v in verdicts.items() if v["pass"] and not v["checks"][FORMATTER[language]]["ok"]]
    assert untidy == []
    unlisted = sorted(passed - FLOOR[language])
    print(f"{language}: {len(passed)} of {len(verdicts)} pass; add to FLOOR: {', '.join(unlisted) or 'nothing'}")
