"""Snapshots under real file names: `snapshots/<area>/<case>/.../<file>`, so that they can be read, compiled and diffed in
place.

Comes in: syrupy's `snapshot` fixture and the files a test made.  Use:

    def test_x(snapshot: SnapshotAssertion) -> None:
        assert_files(snapshot, "generate/website/python", {"__main__.py": text})

`pytest --snapshot-update` accepts new results.  Stale files in the directory of a case fail its test; a test per area
compares the directories with the cases (`orphans`), so that nothing lies about unnoticed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SerializedData, SnapshotIndex

from tests.support.corpus import ROOT

SNAPSHOTS = ROOT / "snapshots"


def assert_files(
    snapshot: SnapshotAssertion, directory: str, files: Mapping[str, str] | Mapping[PurePosixPath, str]
) -> None:
    """Compare `files` (path to text) with those in `snapshots/<directory>`: same names, same texts."""
    folder = SNAPSHOTS / directory
    named = snapshot.use_extension(_extension(folder))
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    stale = sorted(found - {str(path) for path in files})
    if snapshot.update_snapshots:
        for name in stale:
            (folder / name).unlink()
    else:
        assert not stale, f"snapshots/{directory} holds files that are not made any more: {stale}"
    for path, text in files.items():
        assert text == named(name=str(path)), f"snapshots/{directory}/{path} differs"


def assert_file(snapshot: SnapshotAssertion, path: str, text: str) -> None:
    """Compare `text` with the file `snapshots/<path>`; other files beside it do not matter."""
    place = PurePosixPath(path)
    named = snapshot.use_extension(_extension(SNAPSHOTS / place.parent))
    assert text == named(name=place.name), f"snapshots/{path} differs"


def orphans(area: str, cases: Iterable[str]) -> list[str]:
    """Names in `snapshots/<area>` (directories, or files) that belong to none of `cases`."""
    folder = SNAPSHOTS / area
    known = set(cases)
    return sorted(path.name for path in folder.iterdir() if path.name not in known) if folder.is_dir() else []


@cache
def _extension(folder: Path) -> type[SingleFileSnapshotExtension]:
    """A syrupy extension that keeps its files in `folder` under the names given to `snapshot(name=...)`."""

    class NamedFiles(SingleFileSnapshotExtension):
        _write_mode = WriteMode.TEXT
        file_extension = ""

        @classmethod
        def dirname(cls, *, test_location: PyTestLocation) -> str:
            return str(folder)

        @classmethod
        def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
            # syrupy reports files as unused unless the name is the bare file name.
            return Path(str(index)).name

        @classmethod
        def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
            return str(folder / str(index))

        @classmethod
        def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
            return Path(snapshot_location).is_relative_to(folder)

        def is_snapshot_location(self, *, location: str) -> bool:
            return Path(location).is_relative_to(folder)

        @classmethod
        def write_snapshot(
            cls,
            *,
            snapshot_location: str,
            snapshots: list[tuple[SerializedData, PyTestLocation, SnapshotIndex]],
            name_order: dict[str, int] | None = None,
        ) -> None:
            # Real file names do not hold the test's name; syrupy warns of that, and warnings are errors here.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                super().write_snapshot(snapshot_location=snapshot_location, snapshots=snapshots, name_order=name_order)

    return NamedFiles
