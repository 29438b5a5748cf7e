"""Files of the package that other Pythons run as scripts, without access to pclgen."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from pclgen.protocol import guard
from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE

GUARD: Final = Path(guard.__file__)
SCRIPTS: Final = [GUARD, *sorted((ROOT / "pclgen" / "verify" / "workers").glob("*.py"))]
SDK: Final = frozenset({"pulumi", "grpc", "google"})
"""The modules that workers of `verify` can import besides the standard library, in the environment of an SDK."""


def imported(path: Path) -> Iterator[str]:
    """The top-level names of all modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_they_import_nothing_of_ours(path: Path) -> None:
    own = {other.stem for other in path.parent.glob("*.py")} if path != GUARD else set()
    allowed = {*sys.stdlib_module_names, *own, *(SDK if path != GUARD else ())}
    assert sorted(set(imported(path)) - allowed) == []


def test_the_guard_ends_what_has_its_mark_and_only_that(tmp_path: Path) -> None:
    sleeper = [sys.executable, "-c", "import time; print(flush=True); time.sleep(1000)"]
    marked, other = (
        subprocess.Popen(sleeper, env={**os.environ, guard.MARK: mark}, stdout=subprocess.PIPE) for mark in ("one", "two")
    )
    try:
        for process in (marked, other):
            assert process.stdout is not None
            process.stdout.readline()  # by now it runs with its own environment
        command: list[str | Path] = [sys.executable, "-I", "-S", GUARD, "one"]
        assert subprocess.run(command, stdin=subprocess.DEVNULL, cwd=tmp_path, check=False).returncode == 0
        assert marked.wait(PATIENCE) == -signal.SIGKILL
        assert other.poll() is None
    finally:
        for process in (marked, other):
            process.kill()
            process.communicate()
