"""Run a page of the documentation: write its named files and run its commands in an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.support.corpus import ROOT

_PIECE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)\n(?P<text>.*?)^ *```$|`(?P<path>[\w./-]+\.\w+)`", re.MULTILINE | re.DOTALL
)


def pieces(page: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the fenced blocks of a page: language, text without indentation, and the last file named before the block."""
    named = ""
    for match in _PIECE.finditer(page.read_text(encoding="utf-8")):
        if match["path"] is not None:
            named = match["path"]
        else:
            yield match["language"], re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE), named


def run(folder: Path, command: str, *arguments: str, environment: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Run a command of a page, with `arguments` appended, and return its exit status and its output.

    Programs of Python packages are those of the environment of the tests.
    """
    program, *words = shlex.split(command)
    process = subprocess.run(
        [sys.executable, "-m", Path(program).name, *words, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    return process.returncode, process.stdout
