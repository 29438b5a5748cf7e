"""The note beside the snapshots of a program: `snapshots/<area>/<case>/SOURCE.md` names its source."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest

from pclgen.testing.snapshots import FileSnapshots
from tests.support.corpus import ROOT
from tests.support.rules import assert_followed

SOURCE_NOTE = "SOURCE.md"


def assert_source_notes(snapshots: FileSnapshots, area: str, programs: Mapping[str, Path]) -> None:
    """Compare the notes beside all cases of `snapshots/<area>`; `programs` has their sources by name."""
    broken: list[str] = []
    for name, source in programs.items():
        shown = PurePosixPath(source.relative_to(ROOT).as_posix())
        link = PurePosixPath(Path(os.path.relpath(source, snapshots.root / area / name)).as_posix())
        try:
            snapshots.file(f"{area}/{name}/{SOURCE_NOTE}", f"Generated from [{shown}]({link}).\n")
        except pytest.fail.Exception as failure:  # compare every note, even after a failure
            broken.append(str(failure))
    assert_followed("snapshots name their sources", broken)
