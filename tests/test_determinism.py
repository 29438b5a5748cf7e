"""The same program gives the same bytes, whatever the hash seed of the interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.corpus import ROOT
from tests.support.generated import example_programs

LANGUAGES = ("python", "typescript", "go")


def generated(out: Path, seed: str) -> dict[str, bytes]:
    """Every file of the examples with schemas of their own, made by a fresh interpreter."""
    examples = [str(path) for path in example_programs().values()]
    command = [sys.executable, "-m", "pclgen", "generate", *examples, "--schemas", str(ROOT / "examples" / "schemas")]
    command += ["--out", str(out / "{program}" / "{language}")]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("seed", ["1", "4242"])
def test_hash_seed_changes_nothing(tmp_path: Path, seed: str) -> None:
    first = generated(tmp_path / "first", "0")
    assert len(first) > 9
    assert generated(tmp_path / "second", seed) == first
