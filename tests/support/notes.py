"""The note beside the snapshots of a program: `snapshots/<area>/<case>/SOURCE.md` says where its source is."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from pclgen.testing.snapshots import FileSnapshots
from tests.support.corpus import ROOT

SOURCE_NOTE = "SOURCE.md"


def assert_source_note(snapshots: FileSnapshots, case: str, source: Path) -> None:
    """Compare the note beside a case."""
    shown = PurePosixPath(source.relative_to(ROOT).as_posix())
    link = PurePosixPath(Path(os.path.relpath(source, snapshots.root / case)).as_posix())
    snapshots.file(f"{case}/{SOURCE_NOTE}", f"Generated from [{shown}]({link}).\n")
