"""`build --watch`: driven by an artificial stream of changes, and once by real changes."""

from __future__ import annotations

import itertools
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

import pytest

from pclgen import pipeline
from pclgen.build import run
from pclgen.cli import app
from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE, comes_true
from tests.test_build import BAD, GOOD, configure, main_of, write


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    configure('languages = ["python"]\n')
    write({"a/main.pp": GOOD, "b/main.pp": GOOD})
    return tmp_path


class MadeUp:
    """A watcher that reports `stream` and records the paths it has to watch."""

    def __init__(self, stream: Iterator[set[Path]]) -> None:
        self.stream = stream
        self.beside: frozenset[Path] = frozenset()

    def also(self, folders: Iterable[Path]) -> bool:
        before, self.beside = self.beside, frozenset(folders)
        return not self.beside <= before

    def changes(self) -> Iterator[set[Path]]:
        return self.stream


def test_only_what_changed_is_compiled_and_mistakes_are_waited_out(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiled: list[str] = []
    outputs: list[str] = []
    real = pipeline.generate

    def counted(sources, **settings):  # type: ignore[no-untyped-def]  # forwarded unchanged
        compiled.append(sources.name)
        return real(sources, **settings)

    def messages() -> str:
        text = f"{' '.join(compiled)}: {capsys.readouterr().err}"
        compiled.clear()
        return text

    def changes() -> Iterator[set[Path]]:
        outputs.append(messages())
        for path, text in (
            ("a/main.pp", GOOD.replace("42", "43")), ("a/main.pp", BAD), ("pclgen.toml", "nonsense ="),
            ("pclgen.toml", 'languages = ["python"]\n'), ("a/main.pp", GOOD), ("build/a/python/x", "not ours to look at"),
            (".cache/results-1/x", "nor is the cache, where that lies in the project"),
        ):  # fmt: skip  # a table
            write({path: text})
            yield {project / path}
            outputs.append(messages())

    monkeypatch.setattr(pipeline, "generate", counted)
    monkeypatch.setattr(run, "Watcher", lambda folders: MadeUp(changes()))
    assert app.main(["build", "--watch"]) == 0
    assert outputs[0] == "a b: built 2 programs: 2 generated\n"
    assert outputs[1] == "a: built 2 programs: 1 generated, 1 unchanged\n"
    assert outputs[2].startswith("a: error[PCL0501]") and outputs[2].endswith("1 unchanged, 1 failed\n")
    assert outputs[3].startswith(": error: ") and "not valid TOML" in outputs[3]
    assert outputs[4].startswith(": error[PCL0501]"), "an error that is still there is reported again"
    assert outputs[5] == ": built 2 programs: 1 generated, 1 unchanged\n"
    assert outputs[6] == outputs[7] == ": ", "what a build writes starts none"


class EnoughError(Exception):
    """A build runs after the last round."""


def builds(watcher: run.Watcher, *rounds: Callable[[], Iterable[Path]]) -> bool:
    """Return whether as many builds run as there are `rounds`; each build calls one of them."""
    left = iter(rounds)
    done = threading.Event()

    def build() -> Iterable[Path]:
        now = next(left, None)
        if now is None:
            raise EnoughError
        return now()

    def keep() -> None:
        with pytest.raises(EnoughError):
            run.keep_building(build, watcher, lambda path: False)
        done.set()

    thread = threading.Thread(target=keep, daemon=True)
    thread.start()
    return done.wait(PATIENCE)


def test_what_changes_during_a_build_is_built_afterwards(tmp_path: Path) -> None:
    def changed(name: str) -> Callable[[], Iterable[Path]]:
        def build() -> Iterable[Path]:
            (tmp_path / name).touch()
            return ()

        return build

    assert builds(run.Watcher([tmp_path]), changed("a"), changed("b"), changed("c"))


def test_folders_beside_the_project_are_watched_once_they_are_known(tmp_path: Path) -> None:
    project, part, other = (tmp_path / name for name in ("project", "part", "other"))
    for folder in (project, part, other):
        folder.mkdir()

    def named(*folders: Path, touched: Path | None = None) -> Callable[[], Iterable[Path]]:
        def build() -> Iterable[Path]:
            if touched is not None:
                touched.touch()
            return (*folders, project / "below", tmp_path / "absent")

        return build

    assert builds(
        run.Watcher([project]),
        named(part),  # new: builds again at once
        named(part, touched=part / "x.pp"),
        named(part, other),  # new again
        named(part, other, touched=other / "x.pp"),
        named(other, touched=project / "x.pp"),  # fewer paths: no new build
    )


def test_components_schemas_and_templates_outside_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    write({
        "part/main.pp": "output y { value = 1 }\n",
        "own/python/requirements.txt.jinja": "pulumi\n",
        "schemas/none.json": '{"name": "none", "version": "1.0.0"}',
        "project/pyproject.toml": '[tool.pclgen]\nlanguages = ["python"]\ntemplates = "../own"\nschemas = ["../schemas"]\n',
        "project/a/main.pp": 'component p "../../part" {}\n',
        "project/b/main.pp": 'component p "../../gone" {}\n',
    })  # fmt: skip  # a table
    monkeypatch.chdir(tmp_path / "project")
    watchers: list[MadeUp] = []

    def watcher(folders: Iterable[Path]) -> MadeUp:
        assert [folder.resolve() for folder in folders] == [tmp_path / "project"]
        watchers.append(MadeUp(iter(())))
        return watchers[0]

    monkeypatch.setattr(run, "Watcher", watcher)
    assert app.main(["build", "--watch"]) == 1, "one program names a folder that is not there"
    outside = {str(place.resolve().relative_to(tmp_path)) for place in watchers[0].beside}
    assert outside >= {"part", "own", "own/python", "schemas", "."}


def test_without_the_library(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    del project
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert app.main(["build", "--watch"]) == 2
    assert "pip install 'pclgen[watch]'" in capsys.readouterr().err


_WATCHING = """\
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
from pclgen.cli.app import main
sys.exit(main(["build", "--watch"]))
"""


def test_real_changes(project: Path) -> None:
    """A process that watches builds changes while it runs, and exits on Ctrl-C."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen(stream: IO[str]) -> None:
        for line in stream:
            lines.put(line)

    command = [sys.executable, "-c", _WATCHING]
    with subprocess.Popen(command, cwd=project, env=environ, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        listener = threading.Thread(target=listen, args=(process.stderr,), daemon=True)
        listener.start()
        try:
            assert lines.get(timeout=PATIENCE) == "built 2 programs: 2 generated\n"
            numbers = itertools.count(1000)

            def is_seen() -> bool:
                # The watcher may start after the first change: it sees one of many.
                write({"next": GOOD.replace("42", str(next(numbers)))})
                os.replace("next", "a/main.pp")  # atomic: no reader sees a partial file
                return not lines.empty() or process.poll() is not None

            assert comes_true(is_seen)
            assert lines.get(timeout=PATIENCE) == "built 2 programs: 1 generated, 1 unchanged\n"
            assert "42" not in main_of("a").read_text()
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) in (0, 130)
            listener.join(PATIENCE)
            rest = [lines.get() for _ in range(lines.qsize())]
            assert [line for line in rest if not line.startswith(("built 2 programs: ", "interrupted"))] == []
        finally:
            process.kill()
