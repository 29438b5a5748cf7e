"""Every command without input: an empty folder, a folder or a file of another kind, or a missing path.

The answer is one error with a next step, not a table of zeros.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pclgen.cli import app
from tests.support.corpus import ROOT
from tests.support.rules import for_all

PROGRAMS = ("check", "generate", "evaluate", "verify", "graph", "pack", "config schema", "view --html page.html")
DOCS = ("docs build", "docs check", "docs coverage")
PLACES = ("empty", "text", "sources", "schemas", "picture.png", "notes.txt", "data.json", "nowhere")
"""Arguments of the commands: folders, files, and a missing path."""

FINE: Mapping[str, str] = {
    "docs build text": "snippets are fences of `pcl`",
    "docs check text": "snippets are fences of `pcl`",
    "docs build schemas": "snippets are fences of `pcl`",
    "docs check schemas": "snippets are fences of `pcl`",
}
"""Commands that succeed, and their messages."""


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    for name in ("empty", "text", "sources", "schemas"):
        (tmp_path / name).mkdir()
    (tmp_path / "text" / "page.md").write_text("# A page\n\n```sh\nls\n```\n")
    (tmp_path / "sources" / "main.go").write_text("package main\n")
    [schema] = (ROOT / "examples" / "schemas").glob("random-*.json")
    described = json.loads(schema.read_text(encoding="utf-8"))
    described["resources"] = {}
    (tmp_path / "schemas" / schema.name).write_text(json.dumps(described))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (tmp_path / "notes.txt").write_text("buy milk\n")
    (tmp_path / "data.json").write_text("{}\n")
    yield
    shutil.rmtree(tmp_path)


def commands() -> list[str]:
    named = [f"{command} {place}" for command in (*PROGRAMS, *DOCS, "fmt") for place in PLACES]
    return [*named, *FREE]


FREE = (
    "build", "build empty", "build nowhere", "deps list", "deps why network", "deps update", "schema show nothing",
    "schema check empty", "functions nothing", "explain nothing", "init nowhere", "init --example nothing", "config check Pulumi.dev.yaml",
)  # fmt: skip  # a list of commands


@for_all("command", commands())
def test_the_answer_names_the_next_step(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = app.main(command.split())
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err and captured.out == ""
    if command in FINE:
        assert status == 0 and FINE[command] in captured.err
        return
    assert status in (1, 2)
    assert captured.err.startswith("error: ") and captured.err.count("error: ") == 1
    named = command.split()[-1]
    assert "= help: " in captured.err or f"there is no file or directory `{named}`" in captured.err
