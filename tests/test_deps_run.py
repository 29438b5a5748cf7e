"""Components of packages register the same as in the evaluator, in Python, TypeScript and Go, from folders and archives."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import pclgen
from pclgen.cli import app
from pclgen.evaluate.settings import Settings
from pclgen.verify.report import Status, to_text
from tests.support.generated import EXAMPLE_SCHEMAS, EXAMPLES
from tests.support.verified import environments, subjects_of, verified

EXAMPLE = EXAMPLES / "shared-components"


def test_the_example_is_up_to_date(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(EXAMPLE)
    assert app.main(["deps", "install", "--frozen"]) == 0
    assert app.main(["check", "shop"]) == 0
    for path in sorted(EXAMPLE.rglob("*.pp")):
        text = path.read_text(encoding="utf-8")
        assert pclgen.format_text(text).text == text


def test_each_language_does_what_the_evaluator_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    copied = Path(shutil.copytree(EXAMPLE, tmp_path / "archived"))
    for name in ("naming", "accounts"):
        folder = str(copied / "packages" / name)
        assert app.main(["deps", "publish", "--project", folder, "--index", str(copied / "index")]) == 0
    shutil.rmtree(copied / "packages")
    (copied / "shop").rename(copied / "store")
    (copied / "pclgen.toml").write_text('indexes = ["index"]\n[dependencies]\naccounts = "^1"\n')
    assert app.main(["deps", "update", "--project", str(copied)]) == 0
    subjects = [
        subject
        for folder in (EXAMPLE / "shop", copied / "store")
        for subject in subjects_of([folder], pclgen.project_store(folder, schemas=[EXAMPLE_SCHEMAS]))
    ]
    report = verified(subjects, lambda subject: Settings(), tools=environments(), levels=("compile", "run"))
    assert [verdict.status for verdict in report.verdicts] == [Status.PASSED] * len(report.verdicts), to_text(report)
    assert len(report.verdicts) >= 2 * 2 * 3
