"""Builds on a real Dask cluster: the same bytes as a serial build, even if a worker dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import distributed
import pytest

from pclgen import docs, render_diagnostics
from pclgen.build.cluster import Cluster, SubprocessCallError, call, connected
from pclgen.build.model import BuildContext, Status
from pclgen.build.run import BuildRequest, build
from pclgen.choices import Building
from pclgen.cli.app import main
from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE

PROGRAMS = 30
TEXT = """
resource "pet" "random:index/randomPet:RandomPet" {{
  length = {number}
}}

output name {{
  value = "${{pet.id}}-{number}"
}}
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers with two threads each: tasks that run at the same time must not interfere."""
    local: Any = distributed.LocalCluster
    with local(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=":0") as dask_cluster:
        yield dask_cluster


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pclgen.build.cluster._PATIENCE", f"{PATIENCE}s")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs, a tenth of which have errors."""
    monkeypatch.chdir(tmp_path)
    for number in range(PROGRAMS):
        place = tmp_path / "p" / f"{number:02}"
        place.mkdir(parents=True)
        place.joinpath("main.pp").write_text("output {" if number % 10 == 9 else TEXT.format(number=number))
    (tmp_path / "schemas").symlink_to(ROOT / "examples" / "schemas")
    return tmp_path


def files_below(folder: str) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and path.name != ".pclgen.json"  # contains the folder's name
    }


def test_the_bytes_are_those_of_a_serial_build(
    cluster: Any, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = []
    for name, options in (("one", ["--jobs", "1"]), ("two", ["--scheduler", cluster.scheduler_address])):
        assert main(["build", "--no-cache", "--out", f"{name}/{{path}}/{{language}}", *options]) == 1
        outputs.append(capsys.readouterr())
    assert outputs[0] == outputs[1]
    assert outputs[0].err.endswith(f"built {PROGRAMS} programs: 27 generated, 3 failed\n")
    assert files_below("one") == files_below("two") and len(files_below("one")) > 250


def guides(folder: Path) -> None:
    """Twenty Markdown files of three snippets, some with errors."""
    for number in range(20):
        program = "output {\n" if number % 10 == 9 else TEXT.format(number=number).strip() + "\n"
        text = "".join(f"# {part}\n\n```pcl\n{program}```\n\n" for part in range(3))
        folder.mkdir(exist_ok=True)
        folder.joinpath(f"{number:02}.md").write_text(text)


def test_docs_over_a_cluster(cluster: Any, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for name, options in (("one", ["--jobs", "1"]), ("two", ["--scheduler", cluster.scheduler_address])):
        guides(project / name)
        assert main(["docs", "build", name, "--keep-going", "--no-cache", *options]) == 1
        outputs.append(capsys.readouterr().err.replace(f"{name}/", ""))
        assert main(["docs", "check", name, *options]) == 1
        outputs[-1] += capsys.readouterr().err.replace(f"{name}/", "")
    assert outputs[0] == outputs[1]
    assert "60 snippets in 20 files: 18 changed" in outputs[0]
    assert files_below("one") == files_below("two")


def test_docs_over_any_executor(project: Path) -> None:
    guides(project / "docs")
    alone = docs.build(["docs"], schemas=["schemas"])
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        together = docs.build(["docs"], schemas=["schemas"], jobs=2, executor=pool)
        diagnostics = docs.check(["docs"], schemas=["schemas"], jobs=2, executor=pool)
    assert render_diagnostics(diagnostics) == render_diagnostics(docs.check(["docs"], schemas=["schemas"]))
    assert together.files == alone.files and len(alone.files) == 20
    assert render_diagnostics(together.diagnostics) == render_diagnostics(alone.diagnostics) != ""


def test_a_worker_that_is_killed_loses_nothing(cluster: Any, project: Path) -> None:
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if not killed:
            busy = [worker for worker, tasks in client.processing().items() if tasks]
            killed.append(client.run(os.getpid, workers=busy[:1])[busy[0]])
            os.kill(killed[0], signal.SIGKILL)

    connect: Any = distributed.Client
    with connect(cluster.scheduler_address, set_as_default=False) as client, connected(cluster.scheduler_address) as pool:
        request = BuildRequest(context=BuildContext(root=Path()), building=Building(programs=("p/*",)), jobs=pool.workers)
        summary = build(request, executor=pool, progress=kill)
        assert killed and killed[0] not in client.run(os.getpid).values()
    # Files that the dead worker wrote before are not written again.
    assert summary.count(Status.GENERATED) + summary.count(Status.UNCHANGED) == 27 and not summary.is_broken
    assert build(BuildRequest(context=BuildContext(root=Path()), building=Building(programs=("p/*",)), jobs=1)).count(Status.UNCHANGED) == 27


def test_where_there_is_no_scheduler(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pclgen.build.cluster._PATIENCE", "100ms")
    assert main(["build", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "no Dask scheduler answers at `tcp://127.0.0.1:1`" in capsys.readouterr().err
    assert main(["build", "--scheduler", "nonsense://x"]) == 2
    assert "no Dask scheduler answers at `nonsense://x`" in capsys.readouterr().err


def test_a_cluster_without_workers(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    local: Any = distributed.LocalCluster
    with local(n_workers=0, processes=True, dashboard_address=":0") as empty:
        assert main(["build", "--scheduler", empty.scheduler_address]) == 2
    assert "has no workers" in capsys.readouterr().err


def test_workers_with_another_pclgen(
    cluster: Any, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pclgen.build.cluster.VERSION", "99.0.0")
    assert main(["build", "--scheduler", cluster.scheduler_address]) == 2
    assert "and this is 99.0.0" in capsys.readouterr().err


def test_without_dask_it_says_what_to_install(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["build", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "pip install 'pclgen[dask]'" in capsys.readouterr().err


class TestApart:
    """Calls that a worker runs."""

    def test_it_runs_in_the_directory_and_prints_are_no_answer(self, tmp_path: Path) -> None:
        assert call(str(tmp_path), os.getcwd) == str(tmp_path)
        assert call(str(tmp_path), subprocess.call, ["echo", "noise"]) == 0

    def test_a_worker_without_the_files(self, tmp_path: Path) -> None:
        with pytest.raises(SubprocessCallError, match="the worker has no directory"):
            call(str(tmp_path / "nowhere"), os.getcwd)

    def test_what_ends_without_an_answer(self, tmp_path: Path) -> None:
        with pytest.raises(SubprocessCallError, match="the process ended with 7"):
            call(str(tmp_path), os._exit, 7)
        with pytest.raises(SubprocessCallError, match="ZeroDivisionError"):
            call(str(tmp_path), divmod, 1, 0)


def test_an_executor_of_ours_takes_what_executors_take() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool, Cluster(pool, 1) as executor:
        assert executor.submit(divmod, 7, 2).result() == (3, 1)
