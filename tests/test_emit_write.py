"""Writing outputs: all or nothing, no loss of anyone's work, no file outside the folder."""

from __future__ import annotations

import json
import os
from pathlib import Path, PurePosixPath

import pytest

from pclgen.emit.write import MANIFEST, Output, WriteError, write_file, write_outputs


def output(folder: Path, **files: str) -> Output:
    return Output(folder=folder, files={PurePosixPath(name.replace("__", "/")): text for name, text in files.items()})


def tree(folder: Path) -> dict[str, str]:
    """Every file below `folder` with its text, except manifests."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


def test_files_are_written_and_counted(tmp_path: Path) -> None:
    [done] = write_outputs([output(tmp_path / "out", a="1\n", web__b="2\n")])
    assert tree(tmp_path / "out") == {"a": "1\n", "web/b": "2\n"}
    assert done.total == 2
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    assert (manifest["format_version"], sorted(manifest["files"])) == (1, ["a", "web/b"])


def test_line_endings_are_kept(tmp_path: Path) -> None:
    write_outputs([output(tmp_path, a="é\r\n\n")])
    assert (tmp_path / "a").read_bytes() == "é\r\n\n".encode()


def test_a_second_run_touches_only_what_changed(tmp_path: Path) -> None:
    write_outputs([output(tmp_path, a="1", b="1")])
    before = (tmp_path / "a").stat().st_mtime_ns, (tmp_path / "a").stat().st_ino
    [done] = write_outputs([output(tmp_path, a="1", b="2")])
    assert tree(tmp_path) == {"a": "1", "b": "2"}
    assert ((tmp_path / "a").stat().st_mtime_ns, (tmp_path / "a").stat().st_ino) == before
    assert done.changed == (PurePosixPath(MANIFEST), PurePosixPath("b"))
    [again] = write_outputs([output(tmp_path, a="1", b="2")])
    assert again.changed == ()


def test_files_no_longer_made_are_deleted_with_their_folders(tmp_path: Path) -> None:
    write_outputs([output(tmp_path, a="1", web__deep__b="1")])
    [done] = write_outputs([output(tmp_path, a="1")])
    assert done.deleted == (PurePosixPath("web/deep/b"),)
    assert not (tmp_path / "web").exists()


def test_edited_files_are_neither_overwritten_nor_deleted(tmp_path: Path) -> None:
    write_outputs([output(tmp_path, a="1", b="1")])
    (tmp_path / "a").write_text("mine")
    (tmp_path / "b").write_text("mine")
    with pytest.raises(WriteError, match=r"will not overwrite `.*a`: not written by pclgen, or edited since"):
        write_outputs([output(tmp_path, a="2", c="2")])
    assert tree(tmp_path) == {"a": "mine", "b": "mine"}
    write_outputs([output(tmp_path, c="2")])
    assert tree(tmp_path) == {"a": "mine", "b": "mine", "c": "2"}


def test_foreign_files_are_overwritten_only_by_force(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("mine")
    with pytest.raises(WriteError) as caught:
        write_outputs([output(tmp_path, **{"package.json": "{}", "index.ts": ""})])
    assert "--force" in (caught.value.hint or "")
    assert tree(tmp_path) == {"package.json": "mine"}
    write_outputs([output(tmp_path, **{"package.json": "{}", "index.ts": ""})], force=True)
    assert tree(tmp_path) == {"package.json": "{}", "index.ts": ""}


def test_identical_foreign_files_are_fine(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("same")
    write_outputs([output(tmp_path, a="same")])
    assert tree(tmp_path) == {"a": "same"}


@pytest.mark.parametrize("path", ["/etc/passwd", "../a", "a/../../b", "", ".", "a\\b", "a\0b", MANIFEST])
def test_paths_outside_are_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(WriteError, match="will not write"):
        write_outputs([Output(folder=tmp_path / "out", files={PurePosixPath(path): "x"})])
    assert list(tmp_path.iterdir()) == []


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "out" / "web")
    with pytest.raises(WriteError, match="leads out of"):
        write_outputs([output(tmp_path / "out", web__a="x")])
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_manifest_cannot_delete_elsewhere(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("x")
    write_outputs([output(tmp_path / "out", a="x")])
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    manifest["files"]["../precious"] = manifest["files"]["a"]
    (tmp_path / "out" / MANIFEST).write_text(json.dumps(manifest))
    write_outputs([output(tmp_path / "out", b="y")])
    assert precious.exists()


@pytest.mark.parametrize("text", ["", "[]", '{"format_version": 2}', '{"format_version": 1, "files": []}', "{"])
def test_a_foreign_manifest_is_no_license(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_text(text)
    (tmp_path / "a").write_text("mine")
    with pytest.raises(WriteError):
        write_outputs([output(tmp_path, a="x")])


@pytest.mark.parametrize("failing", range(1, 9))
def test_a_failure_half_way_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    write_outputs([output(tmp_path / "one", a="1", b="1")])
    before = tree(tmp_path)
    real, calls = os.replace, 0

    def replace(source: Path, target: Path) -> None:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise OSError(28, "No space left on device", str(target))
        real(source, target)

    monkeypatch.setattr("pclgen.disk.os.replace", replace)
    with pytest.raises(WriteError, match="No space left"):
        write_outputs([output(tmp_path / "one", a="2", b="2"), output(tmp_path / "two", web__c="2")])
    monkeypatch.undo()
    assert tree(tmp_path) == before
    assert not (tmp_path / "two").exists()


def test_obstacles_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "out" / "a").mkdir(parents=True)
    with pytest.raises(WriteError, match="is not a directory"):
        write_outputs([output(tmp_path / "file", a="x")])
    with pytest.raises(WriteError, match="cannot write"):
        write_outputs([output(tmp_path / "file" / "below", a="x")])
    with pytest.raises(WriteError, match="it is a directory"):
        write_outputs([output(tmp_path / "out", a="x")])
    (tmp_path / "out" / "web").write_text("a file where a folder must be")
    with pytest.raises(WriteError, match="cannot write"):
        write_outputs([output(tmp_path / "out", web__b="x")])


def test_write_file_keeps_permissions_and_links(tmp_path: Path) -> None:
    target = tmp_path / "real.pp"
    target.write_text("old")
    target.chmod(0o640)
    os.symlink(target, tmp_path / "link.pp")
    write_file(tmp_path / "link.pp", b"new")
    assert (tmp_path / "link.pp").is_symlink()
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.pp", "real.pp"]
