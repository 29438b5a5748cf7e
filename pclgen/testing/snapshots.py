"""Snapshots that are folders of real files, which can be read, compiled, reviewed and diffed in place.

Texts by path are compared with a folder, through syrupy: a file that differs, is missing or is no longer generated fails
the test; `--snapshot-update` writes and removes files. Texts keep their line ends.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.data import SnapshotCollection, SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.session import SnapshotSession
from syrupy.types import SerializableData, SnapshotIndex

from pclgen.disk import replace_file
from pclgen.source.text import difference


class RealFiles(SingleFileSnapshotExtension):
    """The syrupy extension: the name of a snapshot is the path of its file."""

    _write_mode = WriteMode.TEXT
    file_extension = ""

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """Return the path of the file."""
        return str(index)

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        """Return the name of a snapshot in syrupy's report."""
        return f"{test_location.snapshot_name}[{Path(str(index)).name}]"

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        """Return whether a path belongs to a test; real names do not contain the test's name."""
        return True

    def discover_snapshots(
        self, *, test_location: PyTestLocation, ignore_extensions: list[str] | None = None
    ) -> SnapshotCollections:
        """None: the comparison of a folder itself finds stale files, whatever selection of tests runs."""
        return SnapshotCollections()

    def read_snapshot_data_from_location(
        self, *, snapshot_location: str, snapshot_name: str, session_id: str
    ) -> SerializableData | None:
        """Return the text of the file; None when it is missing."""
        return _text(Path(snapshot_location))

    @classmethod
    def write_snapshot_collection(
        cls, *, snapshot_collection: SnapshotCollection, name_order: dict[str, int] | None = None
    ) -> None:
        """Write the file, with the line ends of the text, in one step, so that a killed test run leaves no partial file."""
        for snapshot in snapshot_collection:
            replace_file(Path(snapshot_collection.location), str(snapshot.data).encode("utf-8"))


class FileSnapshots:
    """The snapshots below `root`.  Paths are relative to it and written with `/`."""

    def __init__(self, root: Path, session: SnapshotSession, item: pytest.Item) -> None:
        options = item.config.option
        self.root = root
        self._removes = bool(options.update_snapshots) and not options.no_cleanup
        self._snapshot = SnapshotAssertion(
            session=session,
            extension_class=RealFiles,
            test_location=PyTestLocation(item),
            update_snapshots=options.update_snapshots,
            update_new_snapshots_only=options.update_new_snapshots_only,
        )

    def folder(self, path: str, files: Mapping[str, str] | Mapping[PurePosixPath, str]) -> None:
        """Check that the folder `path` holds exactly `files` (texts by path in it); without any, that it does not exist."""
        __tracebackhide__ = True
        folder = self.root / path
        texts = {folder / name: text for name, text in files.items()}
        stale = [place for place in _files(folder) if place not in texts]
        differences = [] if self._removes else [f"{self._named(place)} is not made any more" for place in stale]
        if self._removes:
            _remove(stale, self.root)
        differences += [line for place, text in texts.items() for line in self._compare(place, text)]
        self._expect(path, differences)

    def file(self, path: str, text: str) -> None:
        """Check that the file `path` holds `text`; other files beside it do not matter."""
        __tracebackhide__ = True
        self._expect(path, list(self._compare(self.root / path, text)))

    def only(self, path: str, names: Iterable[str]) -> None:
        """Check that the folder `path` holds only `names` (files or folders), and no stale snapshots."""
        __tracebackhide__ = True
        folder, expected = self.root / path, set(names)
        entries = sorted(folder.iterdir()) if folder.is_dir() else []
        self.none_of(entry for entry in entries if entry.name not in expected)

    def none_of(self, places: Iterable[Path]) -> None:
        """Check that nothing exists at `places`, which no test uses."""
        __tracebackhide__ = True
        stale = list(places)
        if self._removes:
            _remove(stale, self.root)
        elif stale:
            names = "".join(f"\n  {self._named(place)}" for place in stale)
            message = f"{self.root.name} has snapshots of nothing:{names}\n`pytest --snapshot-update` removes them"
            pytest.fail(message, pytrace=False)

    def keep(self, path: str) -> None:
        """Assign the snapshots at `path` to this test, which did not compare them, lest syrupy take them for unused."""
        for place in _files(self.root / path):
            assert self._snapshot(name=str(place)) == _text(place)

    def _compare(self, place: Path, text: str) -> Iterator[str]:
        """Compare a file with `text`, or write it on request; yield the difference."""
        recorded = _text(place)
        if self._snapshot(name=str(place)) != text:
            name = self._named(place)
            if recorded is None:
                yield f"{name} does not exist"
            for line in difference(recorded or "", text, (f"snapshot/{name}", f"made/{name}")):
                yield line.encode("utf-8", "backslashreplace").decode("utf-8")

    def _expect(self, path: str, differences: list[str]) -> None:
        __tracebackhide__ = True
        if differences:
            head = f"{self.root.name}/{path} differs; `pytest --snapshot-update` accepts the new text"
            pytest.fail("\n".join((head, *differences)), pytrace=False)

    def _named(self, place: Path) -> str:
        return place.relative_to(self.root).as_posix()


def _files(place: Path) -> list[Path]:
    """Return the file at `place`, or the files below it."""
    return [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())


def _text(path: Path) -> str | None:
    """Return the text of a file, whatever bytes it has."""
    try:
        return path.read_bytes().decode("utf-8", errors="surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return None


def _remove(places: Iterable[Path], root: Path) -> None:
    """Remove files and folders, and the folders up to `root` that are empty then."""
    for place in places:
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()
        for folder in place.parents:
            if any(folder.iterdir()):
                break
            folder.rmdir()
            if folder == root:
                break
