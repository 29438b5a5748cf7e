"""The cache of `pclgen verify` has a size limit, is shared, and keeps entries in use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pclgen.cli import app
from pclgen.verify import keeping
from pclgen.verify.environments import go_settings
from pclgen.verify.keeping import LIST, DiskUsage, bound, clean, disk_usage, kept_within, share_files, use, use_builds

NOW = 2_000_000_000.0
HOUR = 3600.0
BLOCK = 4096


@pytest.fixture(autouse=True)
def no_other_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process may use other entries throughout its life: tests with Go do."""
    monkeypatch.setattr(keeping, "_USES", keeping._Uses())


def entry(root: Path, name: str, *, size: int, hours_ago: float) -> Path:
    """A file as Go caches it."""
    path = root / "go-build" / name[:2] / f"{name}-d"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(os.urandom(size))
    os.utime(path, (NOW - hours_ago * HOUR,) * 2)
    return path


def environment(root: Path, name: str, files: Mapping[str, bytes], *, hours_ago: float = 10) -> Path:
    """An environment with these files, which are shared."""
    folder = root / name
    for path, data in files.items():
        place = folder / "lib" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    share_files(folder, root)
    (folder / LIST).write_text("{}")
    os.utime(folder / LIST, (NOW - hours_ago * HOUR,) * 2)
    return folder


def taken(root: Path) -> int:
    """The total size in bytes, without the empty time stamp file."""
    return sum(held.size for held in disk_usage(root))


def test_what_was_not_used_for_the_longest_time_goes(tmp_path: Path) -> None:
    oldest = entry(tmp_path, "0a1b", size=40 * BLOCK, hours_ago=50)
    older = environment(tmp_path, "node-1", {"a": os.urandom(40 * BLOCK)}, hours_ago=9)
    kept = [entry(tmp_path, "0a1c", size=40 * BLOCK, hours_ago=8), entry(tmp_path, "3300", size=40 * BLOCK, hours_ago=0.5)]
    use_builds(tmp_path)
    readme = tmp_path / "go-build" / "README"
    readme.write_text("Go's own\n")
    assert bound(tmp_path, 100 * BLOCK, now=NOW) >= 80 * BLOCK
    assert not oldest.exists() and not older.exists()
    assert all(path.exists() for path in [*kept, readme])
    assert taken(tmp_path) <= 100 * BLOCK
    assert list(tmp_path.glob("store/*/*")) == []


def test_files_of_environments_are_on_the_disk_once(tmp_path: Path) -> None:
    sdk = os.urandom(100 * BLOCK)
    first = environment(tmp_path, "python3.11-1", {"sdk.py": sdk, "own.py": b"1" * BLOCK}, hours_ago=5)
    other = environment(tmp_path, "python3.11-2", {"sdk.py": sdk, "empty.py": b""}, hours_ago=1)
    assert (first / "lib" / "sdk.py").samefile(other / "lib" / "sdk.py")
    assert 100 * BLOCK <= taken(tmp_path) < 110 * BLOCK
    assert bound(tmp_path, 101 * BLOCK, now=NOW) > 0
    assert not first.exists()
    assert (other / "lib" / "sdk.py").read_bytes() == sdk
    assert len(list(tmp_path.glob("store/*/*"))) == 1


def test_an_executable_stays_one(tmp_path: Path) -> None:
    folder = tmp_path / "node-1"
    folder.mkdir()
    for name, mode in (("plain", 0o644), ("run", 0o755)):
        (folder / name).write_text("the same text")
        (folder / name).chmod(mode)
    share_files(folder, tmp_path)
    assert [(folder / name).stat().st_mode & 0o777 for name in ("plain", "run")] == [0o644, 0o755]


@pytest.mark.skipif(sys.platform == "win32", reason="files cannot be locked there: the last use counts")
def test_what_somebody_uses_stays(tmp_path: Path) -> None:
    mine, theirs, free = (environment(tmp_path, f"node-{n}", {"a": os.urandom(BLOCK)}) for n in "123")
    built = entry(tmp_path, "0a1b", size=BLOCK, hours_ago=50)
    script = (
        "import sys, pathlib\n"
        "from pclgen.verify.keeping import kept_within, use, use_builds\n"
        "root = pathlib.Path(sys.argv[1])\n"
        "with kept_within(root, None):\n"
        "    print(use(root / 'node-2' / 'packages.json'), use_builds(root), flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with (
        subprocess.Popen(
            [sys.executable, "-c", script, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other,
        kept_within(tmp_path, None),
    ):
        assert other.stdout is not None and other.stdout.readline() == "True None\n"
        assert use(mine / LIST)
        bound(tmp_path, 0, now=NOW)
        assert mine.exists() and theirs.exists() and built.exists()
        assert not free.exists()
        other.communicate()
        bound(tmp_path, 0, now=NOW + HOUR)
        assert not theirs.exists() and not built.exists()
    bound(tmp_path, 0, now=NOW + 2 * HOUR)
    assert not mine.exists()


def test_what_is_gone_is_not_used(tmp_path: Path) -> None:
    with kept_within(tmp_path, None):
        assert not use(tmp_path / "node-1" / LIST)


def test_a_use_is_noted(tmp_path: Path) -> None:
    folder = environment(tmp_path, "node-1", {"a": b"a"})
    with kept_within(tmp_path, None):
        assert use(folder / LIST)
    assert (folder / LIST).stat().st_mtime != NOW - 10 * HOUR


def test_it_is_not_looked_at_for_every_run(tmp_path: Path) -> None:
    use_builds(tmp_path)
    assert bound(tmp_path, 0, now=NOW) == 0
    entry(tmp_path, "0a1b", size=40, hours_ago=50)
    assert bound(tmp_path, 0, now=NOW + 60) == 0
    assert bound(tmp_path, 0, now=NOW + HOUR) > 0


def test_no_limit_and_no_folder(tmp_path: Path) -> None:
    kept = entry(tmp_path, "0a1b", size=40, hours_ago=50)
    assert bound(tmp_path, None, now=NOW) == 0 and kept.exists()
    with kept_within(tmp_path / "not" / "there", 0):
        pass
    assert not (tmp_path / "not").exists()


def test_a_build_cache_of_the_users_is_left_alone(tmp_path: Path) -> None:
    assert "GOCACHE" not in go_settings(tmp_path, {"GOCACHE": str(tmp_path / "mine")})
    assert go_settings(tmp_path, {})["GOCACHE"] == str(tmp_path / "go-build")


def test_everything_can_be_counted_and_removed(tmp_path: Path) -> None:
    environment(tmp_path, "gomod-1", {"a": b"a" * BLOCK})
    entry(tmp_path, "0a1b", size=BLOCK, hours_ago=1)
    use_builds(tmp_path)
    result = tmp_path / "results" / "ab" / "cd.json"
    result.parent.mkdir(parents=True)
    result.write_text("passed")
    (tmp_path / "new-node-x").mkdir()
    usages = clean(tmp_path)
    assert [held.kind for held in usages] == ["environments", "builds", "results"]
    assert all(held.files >= 1 and held.size >= BLOCK for held in usages[:2])
    assert [held.size for held in disk_usage(tmp_path)] == [0, 0, 0]
    assert clean(tmp_path / "none") == tuple(DiskUsage(kind=held.kind, files=0, size=0) for held in usages)


def test_the_command_counts_and_removes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PCLGEN_TOOLCHAINS", str(tmp_path / "moved"))
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    environment(tmp_path / "moved" / "verify", "node-1", {"a": b"a" * BLOCK})

    def environments(*words: str) -> int:
        assert app.main(["cache", *words, "--json"]) == 0
        size: int = json.loads(capsys.readouterr().out)["verify-environments"]["bytes"]
        return size

    assert environments("info", "--cache-dir", str(tmp_path / "other")) == 0
    assert environments("info") == environments("clean") > BLOCK
    assert environments("info") == 0
