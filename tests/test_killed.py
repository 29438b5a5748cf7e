"""Kills at any moment and concurrent writers: a folder has one complete state, the next run succeeds, no temporary files.

The place where a process dies is counted, not timed: it kills itself before its nth use of the file system, for every n.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath

import pytest

from pclgen.build.model import Summary
from pclgen.build.report import depfile_of, manifest_of, write_manifest
from pclgen.cli import app
from pclgen.disk import STAGE, LockedError, held, locked, read_journal
from pclgen.emit.write import MANIFEST, Output, WriteError, write_file, write_outputs
from pclgen.host.languages import HOST_LANGUAGES, install, uninstall
from pclgen.schema.discovery import read_lock
from pclgen.schema.fetch import add, expected, fetch

WATCHED = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "shutil.rmtree"})
"""Audit events that the interpreter raises before it uses the file system."""

OLD = {"main": "old", "same": "same", "gone/deep/file": "old"}
NEW = {"main": "new", "same": "same", "added/file": "new"}


def outputs(folder: Path, files: Mapping[str, str]) -> list[Output]:
    """Outputs with the same files for two folders, as for two languages."""
    return [Output(folder=folder / name, files={PurePosixPath(path): f"{name} {text}" for path, text in files.items()})
            for name in ("python", "go")]  # fmt: skip  # one expression


def tree(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def is_complete(folder: Path, files: Mapping[str, str]) -> bool:
    """Whether the folder has exactly `files` and their manifests."""
    contents = tree(folder)
    expected = {f"{name}/{path}": f"{name} {text}" for name in ("python", "go") for path, text in files.items()}
    return {path: text for path, text in contents.items() if not path.endswith(MANIFEST) and STAGE not in path} == expected


def killed_at(number: int, folder: Path, act: Callable[[], object]) -> bool:
    """Run `act` in a process that dies before use `number` of files below `folder`; return whether it died."""
    child = os.fork()
    if child == 0:
        left = number

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event in WATCHED and str(arguments[0]).startswith(str(folder)):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        act()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or status == 0
    return os.WIFSIGNALED(status)


def each_death(make: Callable[[], Path], act: Callable[[Path], object], after: Callable[[Path], None]) -> int:
    """Kill `act` at every moment, each time in a new folder, and check with `after`; return the number of moments."""
    number = 0
    while True:
        number += 1
        folder = make()
        died = killed_at(number, folder, lambda: act(folder))  # noqa: B023  # called before the next turn
        after(folder)
        if not died:
            return number - 1


def folders(tmp_path: Path, before: Callable[[Path], object]) -> Callable[[], Path]:
    count = 0

    def make() -> Path:
        nonlocal count
        count += 1
        folder = tmp_path / str(count)
        folder.mkdir()
        before(folder)
        return folder

    return make


@pytest.mark.parametrize(
    ("first", "next_files"),
    [({}, NEW), (OLD, NEW), (OLD, {"other": "other"})],
    ids=["new-again", "replaced-again", "replaced-other"],
)
def test_generate(tmp_path: Path, first: Mapping[str, str], next_files: Mapping[str, str]) -> None:
    def before(folder: Path) -> None:
        if first:
            write_outputs(outputs(folder, first))

    def after(folder: Path) -> None:
        both = [output.folder for output in outputs(folder, {})]
        with held(both[1:]):  # either folder repairs both, once the update is committed
            pass
        assert is_complete(folder, first) or is_complete(folder, NEW)
        write_outputs(outputs(folder, next_files))
        assert is_complete(folder, next_files)
        assert not list(folder.rglob(f"{STAGE}*")) and not list(folder.rglob("*.tmp"))

    moments = each_death(folders(tmp_path, before), update, after)
    assert moments > 20


def update(folder: Path) -> None:
    write_outputs(outputs(folder, NEW))


def just_decided(tmp_path: Path) -> int:
    """The moment right after an update is committed, when most of its work remains."""
    number = 0
    while True:
        number += 1
        folder = tmp_path / f"probe{number}"
        write_outputs(outputs(folder, OLD))
        assert killed_at(number, folder, lambda: update(folder))  # noqa: B023  # called before the next turn
        journal = read_journal(folder / "python")
        if journal is not None and journal.is_marked:
            return number


@pytest.mark.parametrize("later", [0, 6])
def test_a_run_that_puts_right_may_itself_be_killed(tmp_path: Path, later: int) -> None:
    """Kill an update once it is committed, or after it moved the first files; then kill its repair at every moment."""
    moment = just_decided(tmp_path) + later

    def before(folder: Path) -> None:
        write_outputs(outputs(folder, OLD))
        assert killed_at(moment, folder, lambda: update(folder))

    def after(folder: Path) -> None:
        write_outputs(outputs(folder, {"other": "other"}))
        assert is_complete(folder, {"other": "other"})
        assert not list(folder.rglob(f"{STAGE}*"))

    def put_right(folder: Path) -> None:
        with held([folder / "go"]):
            pass

    assert each_death(folders(tmp_path, before), put_right, after) > 10


def test_a_failure_that_is_killed_while_it_puts_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def full(source: Path, target: Path) -> None:
        if target.parent.name == "added":
            raise OSError(28, "No space left on device", str(target))
        real(source, target)

    def act(folder: Path) -> None:
        monkeypatch.setattr("pclgen.disk.os.replace", full)
        with pytest.raises(WriteError):
            write_outputs(outputs(folder, NEW))

    def after(folder: Path) -> None:
        with held([folder / "python"]):
            pass
        assert is_complete(folder, OLD) or is_complete(folder, NEW)  # new if the update was committed before it failed
        monkeypatch.undo()
        write_outputs(outputs(folder, OLD))
        assert not list(folder.rglob(f"{STAGE}*"))

    each_death(folders(tmp_path, lambda folder: write_outputs(outputs(folder, OLD))), act, after)


def test_fmt(tmp_path: Path) -> None:
    def before(folder: Path) -> None:
        (folder / "main.pp").write_text("old")

    def after(folder: Path) -> None:
        write_file(folder / "main.pp", b"last")
        assert tree(folder) == {"main.pp": "last"}

    assert each_death(folders(tmp_path, before), lambda folder: write_file(folder / "main.pp", b"new"), after) > 5


@pytest.mark.parametrize("before", [None, "old"])
def test_manifests_of_a_build(tmp_path: Path, before: str | None) -> None:
    summary = Summary(results=(), removed=(), unmatched=())

    def make(folder: Path) -> None:
        if before is not None:
            (folder / "m.json").write_text(before)
            (folder / "m.d").write_text(before)

    def put(folder: Path) -> None:
        write_manifest(summary, folder / "m.json", folder / "m.d", ())

    def after(folder: Path) -> None:
        with held([folder]):
            pass
        assert set(tree(folder).values()) <= {before, manifest_of(summary), depfile_of(summary, folder / "m.json", folder, ())}
        put(folder)
        assert sorted(path.name for path in folder.iterdir()) == ["m.d", "m.json"]

    assert each_death(folders(tmp_path, make), put, after) > 8


def test_hosts_of_the_cli(tmp_path: Path) -> None:
    languages = [HOST_LANGUAGES["go"]]

    def after(folder: Path) -> None:
        programs = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".tmp")]
        assert all(path.stat().st_mode & 0o777 == 0o755 and path.read_text().endswith('"$@"\n') for path in programs)
        paths = install(folder, languages)
        assert [path for path in folder.rglob("*") if path.is_file()] == paths
        uninstall(folder, languages)
        assert list(folder.iterdir()) == []

    assert each_death(folders(tmp_path, lambda _: None), lambda folder: install(folder, languages), after) > 3


def test_schema_add(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.json").write_text(f'{{"name": "shop", "version": "1.0.0", "description": "{number}"}}')

    def put(folder: Path, number: int) -> None:
        add(folder, fetch(str(tmp_path / f"{number}.json"), expected("shop")))

    def after(folder: Path) -> None:
        [entry] = read_lock(folder)
        assert expected("shop", entry.sha256)
        data = (folder / entry.file).read_bytes()
        assert fetch(str(folder / entry.file), expected("shop", entry.sha256)).data == data
        put(folder, 2)
        assert sorted(tree(folder)) == ["pclgen.lock", "shop-1.0.0.json"]

    (tmp_path / "runs").mkdir()
    assert each_death(folders(tmp_path / "runs", lambda folder: put(folder, 1)), lambda folder: put(folder, 2), after) > 8


def test_what_somebody_edits_meanwhile_is_theirs(tmp_path: Path) -> None:
    moment = just_decided(tmp_path / "probes")
    write_outputs(outputs(tmp_path, OLD))
    assert killed_at(moment, tmp_path, lambda: update(tmp_path))
    (tmp_path / "python" / "main").write_text("mine")
    with pytest.raises(WriteError, match="edited since"):
        write_outputs(outputs(tmp_path, NEW))
    assert (tmp_path / "python" / "main").read_text() == "mine"


def test_strangers_cannot_use_a_journal(tmp_path: Path) -> None:
    """An untrusted journal in a folder causes no writes elsewhere and blocks no command."""
    out = tmp_path / "python"
    out.mkdir()
    (out / f"{STAGE}.0.new").write_text("evil")
    (tmp_path / "precious").write_text("x")
    moves = '[["../precious", null, "0"]]'
    (out / STAGE).write_text(
        '{"version": 2, "transaction": "t", "coordinator": ".", "participants": ["../.."], "moves": ' + moves + "}\ndecided\n"
    )
    with pytest.raises(WriteError, match="will not write"):
        write_outputs(outputs(tmp_path, NEW))
    assert (tmp_path / "precious").read_text() == "x"
    for odd in ("", "[]", "{", '{"version": 3}', "[" * 100_000, "\n", '{"version": 2}\ndecided\n'):
        (out / STAGE).write_text(odd)
        write_outputs(outputs(tmp_path, NEW), force=True)
        assert not (out / STAGE).exists()
    (out / STAGE).symlink_to(tmp_path)
    write_outputs(outputs(tmp_path, OLD))
    (out / f"{STAGE}.0.new").symlink_to(tmp_path / "precious")
    write_outputs(outputs(tmp_path, NEW))
    assert (tmp_path / "precious").read_text() == "x"
    (out / STAGE).mkdir()
    write_outputs(outputs(tmp_path, OLD))
    os.mkfifo(out / STAGE)
    write_outputs(outputs(tmp_path, NEW))


def test_little_is_freed(tmp_path: Path) -> None:
    """A first run removes one of its own files per folder, and no folder.

    File systems do not reuse freed entries at once, and skip all of them for each new file.
    """

    def run() -> int:
        freed: list[str] = []

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            if event in {"os.remove", "shutil.rmtree"} and os.path.lexists(str(arguments[0])):
                freed.append(Path(str(arguments[0])).relative_to(tmp_path).as_posix())

        sys.addaudithook(watch)
        write_outputs(outputs(tmp_path, NEW))
        return 0 if freed == [f"go/{STAGE}", f"python/{STAGE}"] else 1

    assert os.waitpid(spawn(run), 0)[1] == 0


def test_one_at_a_time(tmp_path: Path) -> None:
    with locked(tmp_path / "a" / "b"), pytest.raises(LockedError), locked(tmp_path / "a" / "b", patience=0.0):
        pass
    assert list(tmp_path.iterdir()) == []


def spawn(act: Callable[[], int]) -> int:
    child = os.fork()
    if child == 0:
        status = 70
        try:
            status = act()
        finally:
            os._exit(status)
    return child


@pytest.mark.parametrize("round_number", range(20))
def test_eight_writers_at_once(tmp_path: Path, round_number: int) -> None:
    """Each writer succeeds, and the final files all come from the same writer."""
    programs = [{f"file{index % (number + 2)}": str(number) * 2000 for index in range(12)} for number in range(8)]

    def write(number: int) -> int:
        write_outputs(outputs(tmp_path, programs[number]))
        return 0

    children = [spawn(lambda number=number: write(number)) for number in range(8)]  # type: ignore[misc]  # its own number
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    assert any(is_complete(tmp_path, program) for program in programs), round_number
    assert not list(tmp_path.rglob(f"{STAGE}*"))


def killed_from_outside(act: Callable[[Path], int], inputs: Sequence[Path], results: Callable[[], dict[str, str]], seed: int) -> None:
    """Kill a command over either input 200 times from outside: the next run always gives one of its complete results."""
    chance = random.Random(seed)
    complete: list[dict[str, str]] = []
    for path in inputs:
        assert act(path) == 0
        complete.append(results())
    assert complete[0] != complete[1]
    for number in range(200):
        child = spawn(lambda: act(inputs[number % 2]))  # noqa: B023  # it runs at once
        time.sleep(chance.uniform(0.0, 0.04))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if number % 10 == 9:
            assert act(inputs[chance.randrange(2)]) == 0
            assert results() in complete


def test_random_kills_from_outside(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    programs = [tmp_path / name for name in ("one", "two")]
    for number, program in enumerate(programs):
        program.mkdir()
        (program / "main.pp").write_text(f"output o{number} {{\n  value = {number}\n}}\n" * 1)
    command = ["--out", str(tmp_path / "out" / "{language}")]
    killed_from_outside(
        lambda program: app.main(["generate", str(program), *command]), programs, lambda: tree(tmp_path / "out"), 1
    )
    capfd.readouterr()


def test_random_kills_of_schema_add_from_outside(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The same for schemas: a file and its lock."""
    files = [tmp_path / f"{number}.json" for number in range(2)]
    for number, file in enumerate(files):
        file.write_text(json.dumps({"name": "shop", "version": "1.0.0", "description": str(number) * 100_000}))

    def put(file: Path) -> int:
        return app.main(["schema", "add", "shop", "--from", str(file), "--project", str(tmp_path)])

    killed_from_outside(put, files, lambda: tree(tmp_path / "schemas"), 2)
    capfd.readouterr()
