"""The build cache of `pclgen verify` does not grow without bound, and a build that goes on loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

from pclgen.verify.gocache import bound, go_settings

NOW = 2_000_000_000.0
HOUR = 3600.0


def entry(folder: Path, name: str, *, size: int, hours_ago: float) -> Path:
    """A file as Go keeps it."""
    path = folder / "go-build" / name[:2] / f"{name}-d"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    os.utime(path, (NOW - hours_ago * HOUR,) * 2)
    return path


def test_what_was_not_used_for_the_longest_time_goes(tmp_path: Path) -> None:
    settings = go_settings(tmp_path, {})
    oldest = entry(tmp_path, "0a1b", size=40, hours_ago=50)
    older = entry(tmp_path, "ff00", size=40, hours_ago=9)
    kept = [entry(tmp_path, "0a1c", size=40, hours_ago=8), entry(tmp_path, "3300", size=40, hours_ago=0.5)]
    readme = tmp_path / "go-build" / "README"
    readme.write_text("Go's own\n")
    assert bound(settings, now=NOW, limit=100) == 80
    assert not oldest.exists() and not older.exists()
    assert all(path.exists() for path in [*kept, readme])


def test_what_a_build_may_need_now_stays(tmp_path: Path) -> None:
    settings = go_settings(tmp_path, {})
    used = [entry(tmp_path, f"{number:02x}00", size=40, hours_ago=number / 10) for number in range(19)]
    assert bound(settings, now=NOW, limit=100) == 0
    assert all(path.exists() for path in used)


def test_it_is_not_looked_at_for_every_build(tmp_path: Path) -> None:
    settings = go_settings(tmp_path, {})
    assert bound(settings, now=NOW, limit=0) == 0
    entry(tmp_path, "0a1b", size=40, hours_ago=50)
    assert bound(settings, now=NOW + 60, limit=0) == 0
    assert bound(settings, now=NOW + HOUR, limit=0) == 40


def test_a_cache_of_the_users_is_left_alone(tmp_path: Path) -> None:
    settings = go_settings(tmp_path, {"GOCACHE": str(tmp_path / "go-build")})
    theirs = entry(tmp_path, "0a1b", size=40, hours_ago=50)
    assert "GOCACHE" not in settings
    assert bound(settings, now=NOW, limit=0) == 0
    assert theirs.exists()


def test_a_cache_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "go-build").write_text("a file, not a directory")
    assert bound(go_settings(tmp_path, {}), now=NOW, limit=0) == 0
