"""The guide for authors of providers is correct."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.corpus import ROOT

GUIDE = ROOT / "docs" / "guides" / "provider-examples.md"
_FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def fences(language: str) -> list[str]:
    return [match["text"] for match in _FENCE.finditer(GUIDE.read_text(encoding="utf-8")) if match["language"] == language]


def run(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PCLGEN_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("provider")
    folder.joinpath(".git").mkdir()
    folder.joinpath("schema.json").write_text(fences("json")[0], encoding="utf-8")
    folder.joinpath("docs.toml").write_text(fences("toml")[0], encoding="utf-8")
    return folder


def test_the_path_of_the_guide(repository: Path) -> None:
    commands = [line for text in fences("sh") for line in text.splitlines()]
    build, check, page, update, compare = commands
    before = json.loads(fences("json")[0])
    assert run(repository, check).returncode == 1
    for command in (build, check, page, update, compare):
        ended = run(repository, command)
        assert ended.returncode == 0, ended.stderr
    schema = repository / "schema.json"
    content = json.loads(schema.read_text(encoding="utf-8"))
    description = content["resources"]["shop:index:Page"].pop("description")
    before["resources"]["shop:index:Page"].pop("description")
    assert content == before
    assert [description.count(f"```{language}\n") for language in ("typescript", "python", "go", "pcl")] == [1, 1, 1, 1]
    assert 'requireNumber("pageSize")' in description and "notImplemented" not in description
    assert "<h2>Failures: 0</h2>" in repository.joinpath("coverage.html").read_text(encoding="utf-8")
    text = schema.read_text(encoding="utf-8")
    assert run(repository, build).returncode == 0 and schema.read_text(encoding="utf-8") == text
    # the regression
    schema.write_text(text.replace('"title": {', '"heading": {').replace('["title"]', '["heading"]'), encoding="utf-8")
    ended = run(repository, compare)
    assert ended.returncode == 1
    assert ended.stderr.count("it was converted, and is not converted now") == 3
    assert "required property `heading` of shop:index:Page missing" in ended.stderr
    assert run(repository, page).returncode == 1
    shown = repository.joinpath("coverage.html").read_text(encoding="utf-8")
    assert "<h2>Failures: 3</h2>" in shown and "title = &quot;Welcome&quot;" in shown
