"""`pclgen build` killed at random: its output is complete and correct, the cache is usable, and no process is left over.

Most kills come before a random use of the file system (with a fixed seed), in a build with one process.  The others come
from outside, at a random time, into a build with several processes.  The same has to hold after every kill."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pclgen.cli import app
from pclgen.disk import STAGE, held
from tests.support.corpus import ROOT
from tests.support.waiting import comes_true
from tests.test_build import GOOD, write
from tests.test_killed import killed_at, tree

PROGRAMS = tuple(f"p/{name}" for name in "abcdef")
LANGUAGES = ("python", "typescript", "go")
VERSIONS = ("41", "42", "43")
KILLS = 40
KILLS_FROM_OUTSIDE = 10
_MORE = int(os.environ.get("PCLGEN_KILLS", "1"))
"""The factor for the number of kills, for longer runs."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    write({"pclgen.toml": ""})
    return tmp_path


def sources(version: str, programs: Sequence[str] = PROGRAMS) -> None:
    write({f"{program}/main.pp": GOOD.replace("42", f'"{program} {version}"') for program in programs})


def build(*argv: str) -> int:
    return app.main(["build", "--quiet", *argv])


def right(project: Path) -> dict[str, list[dict[str, str]]]:
    """The output of each program in each version, built without a cache and without earlier output."""
    trees: dict[str, list[dict[str, str]]] = {program: [{}] for program in PROGRAMS}
    for version in VERSIONS:
        sources(version)
        assert build("--no-cache", "--jobs", "1") == 0
        for program in PROGRAMS:
            trees[program].append(tree(project / "build" / program))
    assert all(len({str(state) for state in states}) == len(VERSIONS) + 1 for states in trees.values())
    return trees


def check_whole(project: Path, states: dict[str, list[dict[str, str]]]) -> None:
    """Once pending writes are finished, each program has the complete output of one version, in all languages."""
    for program in PROGRAMS:
        with held([project / "build" / program / language for language in LANGUAGES]):
            pass
        assert tree(project / "build" / program) in states[program], program


def check_usable(project: Path, states: dict[str, list[dict[str, str]]], version: int) -> None:
    """The next build repairs everything, and the build after it finds everything in the cache, which is correct."""
    assert build("--jobs", "1") == 0
    assert [tree(project / "build" / program) for program in PROGRAMS] == [states[program][version + 1] for program in PROGRAMS]
    assert build("--check") == 0
    assert not list((project / "build").rglob(f"{STAGE}*")) and not list((project / "build").rglob("*.tmp"))
    assert build("--jobs", "1", "--out", "again/{path}/{language}") == 0
    assert [tree(project / "again" / program).keys() for program in PROGRAMS] == [
        states[program][version + 1].keys() for program in PROGRAMS
    ]
    for program in PROGRAMS:
        for path, text in tree(project / "again" / program).items():
            assert path.endswith(".pclgen.json") or text == states[program][version + 1][path]


def moments(project: Path) -> int:
    """The number of times that a build of another version uses the file system below the project."""
    low, high = 1, 1 << 14
    while low < high:
        middle = (low + high) // 2
        sources(VERSIONS[middle % 2])
        if killed_at(middle, project, lambda: build("--no-cache", "--jobs", "1")):
            low = middle + 1
        else:
            high = middle
    return low


def test_random_kills(project: Path) -> None:
    chance = random.Random(3)
    states = right(project)
    longest = moments(project)
    died = 0
    for number in range(KILLS * _MORE):
        version = chance.randrange(len(VERSIONS))
        sources(VERSIONS[version], chance.sample(PROGRAMS, chance.randint(1, len(PROGRAMS))))
        died += killed_at(chance.randint(1, longest), project, lambda: build("--jobs", "1"))
        if number % 4 != 3:
            check_whole(project, states)  # some builds are killed again before the output is repaired
        else:
            sources(VERSIONS[version])
            check_usable(project, states, version)
    assert died > KILLS * _MORE // 3


def family(leader: int) -> Iterator[int]:
    """The processes of a session, as the system reports them."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, session, *_ = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(session) == leader and state != "Z":
            yield int(place.name)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_random_kills_from_outside(project: Path) -> None:
    """Kill the process that distributes the work, whose workers must exit by themselves, or all processes at once."""
    chance = random.Random(4)
    states = right(project)
    command = [sys.executable, "-m", "pclgen", "build", "--quiet", "--jobs", "2"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    for number in range(KILLS_FROM_OUTSIDE * _MORE):
        version = chance.randrange(len(VERSIONS))
        sources(VERSIONS[version])
        write({f"q/{other:02}/main.pp": GOOD.replace("42", str(number)) for other in range(20)})  # enough for two workers
        with subprocess.Popen(command, cwd=project, env=environ, start_new_session=True, stderr=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(0.0, 1.5))
            (os.kill if number % 2 else os.killpg)(process.pid, signal.SIGKILL)
        assert comes_true(lambda: not list(family(process.pid))), "a worker outlives the build"  # called now
        check_whole(project, states)
        if number % 5 == 4:
            check_usable(project, states, version)
