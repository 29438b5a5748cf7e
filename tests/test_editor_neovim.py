"""Neovim with the shipped configuration: a program is written, fixed, renamed and shown as Go, as its buffers show."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.support.toolchains import neovim, run

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """\
config name string { default = "hello" }
output greeting { value = nmae }
output second { value = 1 }
"""


def escaped(path: Path) -> str:
    """A path as an argument of a command of the editor."""
    return re.sub(r"([\\ |#%'\"])", r"\\\1", str(path))


def test_a_program_is_edited_in_neovim(tmp_path: Path) -> None:
    editor = neovim()
    if editor is None:
        pytest.skip("Neovim is not installed, and there is no apt to get it from")
    (tmp_path / "main.pp").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "pclgen.toml").touch()
    command = json.dumps([sys.executable, "-m", "pclgen", "lsp"])
    homes = {f"XDG_{kind}_HOME": str(tmp_path / "home") for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    run(
        [
            *(editor.command, "--headless", "-u", "NONE", "-i", "NONE", "--cmd", f"let g:pclgen_command = {command}"),
            *("-c", f"luafile {escaped(ROOT / 'editors' / 'neovim' / 'pclgen.lua')}"),
            *("-c", f"luafile {escaped(ROOT / 'tests' / 'support' / 'neovim' / 'session.lua')}"),
        ],
        cwd=tmp_path,
        env={**editor.variables, **homes, "PYTHONPATH": str(ROOT)},
    )
    seen = json.loads((tmp_path / "seen.json").read_text(encoding="utf-8"))
    assert seen["failure"] is None, seen
    assert all(seen[step] is True for step in ("diagnosed", "mended", "hovered", "renamed", "shown")), seen
    assert seen["filetype"] == "pcl"
    assert seen["diagnostic"] == ["PCL0501", 1, 26]
    assert "config name: string" in seen["hover"]
    assert {"name", "second", "toJSON"} <= set(seen["completion"])
    assert 'config label string {\n  __logicalName = "name"' in seen["text"]
    assert "output second { value = 1 }" in seen["formatted"]
    assert "  default       = " in seen["formatted"]
    assert seen["generated"].startswith("package main\n")
    assert seen["line"] == '\t\tlabel, err := cfg.Try("name")', "the line of what was under the cursor"
