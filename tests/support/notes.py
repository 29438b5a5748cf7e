"""The folders of snapshots: `snapshots/<area>/<program>/`, with a note `SOURCE.md` that names the source of the program."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath

import pytest

from pclgen.languages import LANGUAGES
from pclgen.testing.snapshots import FileSnapshots
from tests.support.corpus import ROOT
from tests.support.rules import assert_followed

SOURCE_NOTE = "SOURCE.md"


def assert_folders(
    snapshots: FileSnapshots,
    area: str,
    programs: Mapping[str, Path],
    *,
    others: Iterable[str] = (),
    refused: Collection[str] = (),
) -> None:
    """Check that `snapshots/<area>` has a folder for each program and each of `others`, and nothing else.

    `programs` has the sources by name.  The folder of a program has its languages, the diagnostics of a refused program, and
    the note.
    """
    snapshots.only(area, [*programs, *others])
    broken: list[str] = []
    for name, source in programs.items():
        snapshots.only(f"{area}/{name}", [*LANGUAGES, *(["diagnostics.txt"] if name in refused else []), SOURCE_NOTE])
        shown = PurePosixPath(source.relative_to(ROOT).as_posix())
        link = PurePosixPath(Path(os.path.relpath(source, snapshots.root / area / name)).as_posix())
        try:
            snapshots.file(f"{area}/{name}/{SOURCE_NOTE}", f"Generated from [{shown}]({link}).\n")
        except pytest.fail.Exception as failure:  # compare every note, even after a failure
            broken.append(str(failure))
    assert_followed("snapshots name their sources", broken)
