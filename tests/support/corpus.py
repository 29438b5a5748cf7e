"""The location of the shared corpus, and its programs.

The corpus is beside the repository in development and CI; a user's clone does not have it.  Tests that need it use
`needs_corpus`, which names the skipped part; with the corpus present nothing may skip.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = (ROOT.parent / "shared").resolve()  # it may be a link, and programs report their real location
CORPUS = SHARED / "corpus"

needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="left out: needs the shared corpus beside the repository (../shared/corpus)"
)


def program_directories(kind: str) -> list[Path]:
    """Directories of one corpus folder (`field`, `bad`, `conformance`, `codegen`, …), sorted; empty without the corpus."""
    folder = CORPUS / kind
    return sorted(p for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []


def pp_files(*kinds: str) -> list[Path]:
    """Every `.pp` file of the corpus folders `kinds`, sorted."""
    return sorted(f for kind in kinds for p in program_directories(kind) for f in p.rglob("*.pp"))
