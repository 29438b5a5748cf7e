"""Languages in parallel: the same results as in sequence, and no process remains.

A test runner may have threads, and pclgen does not fork a process with threads, so each case runs in a separate process.
"""

from __future__ import annotations

import inspect
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pclgen import forks, pipeline
from pclgen.cli.app import main
from pclgen.emit.overlay import read_overlay
from pclgen.forks import side_by_side
from pclgen.languages import TARGETS
from pclgen.reads import recording
from pclgen.schema.index import ReadOnlyFile
from pclgen.source.load import load_program
from tests.benchmarks import synthetic
from tests.support.corpus import ROOT
from tests.support.files import write_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


def alone(case: Callable[..., object], *arguments: object) -> Any:
    """Run a function of this module in a separate process, which must leave no child; return its result from JSON."""
    call = f"print(json.dumps({case.__name__}(*json.loads(sys.argv[1]))))"
    code = f"import json, sys\nfrom tests.test_forks import *\n{call}\nnone_left()"
    command = [sys.executable, "-W", "error", "-c", code, json.dumps(arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


def none_left() -> None:
    with suppress(ChildProcessError):
        raise AssertionError(f"child {os.waitpid(-1, os.WNOHANG)} is left")


def count_forks() -> list[int]:
    """Record the processes forked from now on."""
    forked: list[int] = []
    fork = os.fork

    def counted() -> int:
        forked.append(fork())
        return forked[-1]

    os.fork = counted
    return forked


def numbered(count: int, jobs: int) -> tuple[Sequence[int], int, bool]:
    def work(number: int) -> tuple[int, int]:
        return number, os.getpid()

    results = side_by_side([partial(work, number) for number in range(count)], jobs)
    own = not results or results[-1][1] == os.getpid()
    return [number for number, _ in results], len({process for _, process in results}), own


@pytest.mark.parametrize(("count", "jobs"), [(0, 4), (1, 4), (2, 2), (3, 1), (3, 2), (3, 3), (3, 9), (5, 3)])
def test_results_come_in_order_from_as_many_processes(count: int, jobs: int) -> None:
    assert alone(numbered, count, jobs) == [list(range(count)), min(count, jobs), True]


def failing(wrong: Sequence[int], jobs: int) -> str:
    def work(number: int) -> int:
        if number in wrong:
            raise LookupError(f"{number}", lambda: "nothing that could be sent")
        return number

    try:
        side_by_side([partial(work, number) for number in range(4)], jobs)
    except LookupError as error:
        return str(error.args[0])
    return ""


@pytest.mark.parametrize("wrong", [[0], [1], [3], [0, 3], [1, 2, 3]])
@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_the_first_failure_is_raised(wrong: Sequence[int], jobs: int) -> None:
    assert alone(failing, wrong, jobs) == str(wrong[0])


def dying(how: str) -> Sequence[object]:
    parent = os.getpid()

    def work(number: int) -> object:
        if number != 1 or os.getpid() == parent:
            return number
        match how:
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "left":
                os._exit(0)
            case "interrupted":
                raise KeyboardInterrupt
            case "lost":
                return lambda: number
        return number

    return side_by_side([partial(work, number) for number in range(3)], 2)


@pytest.mark.parametrize("how", ["killed", "left", "interrupted", "lost"])
def test_work_of_a_process_that_gives_no_results_is_done_here(how: str) -> None:
    assert alone(dying, how) == [0, 1, 2]


def refused() -> Sequence[int]:
    def fork() -> NoReturn:
        raise BlockingIOError("no more processes")

    os.fork = fork
    return side_by_side([partial(int, number) for number in range(3)], 3)


def test_without_another_process_all_is_done_here() -> None:
    assert alone(refused) == [0, 1, 2]


def stopped() -> str:
    def work() -> None:
        if os.getpid() != parent:
            signal.pause()
        raise KeyboardInterrupt

    parent = os.getpid()
    try:
        side_by_side([work, work, work], 3)
    except KeyboardInterrupt:
        return "interrupted"
    return ""


def test_an_interrupt_ends_the_processes() -> None:
    assert alone(stopped) == "interrupted"


def sharing() -> Sequence[bool]:
    shared, other = [1], [1]
    results = side_by_side([lambda: [shared, other, "x" * 5_000_000]] * 2, 2, [shared])
    return [results[0][0] is shared, results[0][1] is other, results[0] == results[1]]


def test_shared_objects_come_back_as_they_are() -> None:
    assert alone(sharing) == [True, False, True]


def threaded() -> Sequence[int]:
    forked = count_forks()
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    side_by_side([os.getpid] * 3, 3)
    end.set()
    thread.join()
    first = len(forked)
    with recording():
        generated(str(ROOT / "examples" / "web-service"), 3, large=0)
    return [first, len(forked)]


def test_nothing_is_forked_beside_threads_or_where_reading_is_recorded() -> None:
    assert alone(threaded) == [0, 0]


def reading(path: str) -> Sequence[object]:
    file = ReadOnlyFile(Path(path))
    file.execute("SELECT * FROM number").fetchall()

    def opened() -> int:
        file.execute("SELECT * FROM number").fetchall()
        links = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
        return sum(os.path.exists(link) and os.path.samefile(link, path) for link in links)

    return side_by_side([opened, opened], 2)


def test_a_forked_process_opens_files_of_schemas_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "numbers.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE number (value INTEGER)")
    theirs, own = alone(reading, str(path))
    assert theirs == own + 1


def generated(program: str, jobs: int, *, large: int, templates: str = "") -> Any:
    """The result of a compilation to every language, as plain values; for sources, only the number of distinct objects."""
    pipeline.LARGE = large
    result = pipeline.generate(
        load_program(program),
        languages=TARGETS,
        schemas=[ROOT / "examples" / "schemas"],
        overlay=read_overlay(Path(templates)) if templates else None,
        keep_going=True,
        source_maps=True,
        jobs=jobs,
    )
    spans = [entry.primary for entry in result.diagnostics if entry.primary is not None]
    maps = {
        language: {str(path): entry.to_json(with_sources=True) for path, entry in source_maps.items()}
        for language, source_maps in result.source_maps.items()
    }
    mapped = [
        mapping.origin.span
        for source_maps in result.source_maps.values()
        for entry in source_maps.values()
        for mapping in entry.mappings
    ]
    return {
        "files": {language: {str(path): text for path, text in files.items()} for language, files in result.files.items()},
        "diagnostics": [repr(entry) for entry in result.diagnostics],
        "maps": maps,
        "sources": [len({id(span.file) for span in spans}), len({id(span.file) for span in mapped})],
    }


def both(program: str, templates: str) -> Sequence[object]:
    forked = count_forks()
    answers: list[object] = []
    for jobs in (1, 2, len(TARGETS)):
        answers.append(generated(program, jobs, large=0, templates=templates))
        answers.append(len(forked))
    return answers


CYCLE = {
    "main.pp": 'component one "./pair" { peer = two.url }\ncomponent two "./pair" { peer = one.url }\n',
    "pair/main.pp": """config peer string {}
resource base "random:index/randomPet:RandomPet" {}
resource late "random:index/randomPet:RandomPet" { prefix = peer }
component inner "../site" {
  options { dependsOn = [late] }
}
output url { value = base.id == "x" ? "none" : base.id }
""",
    "site/main.pp": 'resource thing "random:index/randomPet:RandomPet" {}\n',
}
"""A program that Go and Pulumi YAML cannot express."""


def _assert_same(answer: Sequence[Any]) -> Any:
    in_turn, none, two, single, all_, more = answer
    assert (none, single, more) == (0, 1, len(TARGETS))
    assert two == in_turn
    assert all_ == in_turn
    return in_turn


@pytest.mark.parametrize("name", ["web-service", "house-style/infra"])
def test_side_by_side_gives_the_same_bytes(name: str) -> None:
    result = _assert_same(alone(both, str(ROOT / "examples" / name), ""))
    assert result["files"].keys() >= {"python", "typescript", "go"}
    assert result["maps"]["python"]


def test_side_by_side_gives_the_same_diagnostics(tmp_path: Path) -> None:
    write_files(tmp_path, CYCLE)
    templates = tmp_path / "templates" / "typescript" / "statements"
    templates.mkdir(parents=True)
    (templates / "return.jinja").write_text("{{ nothing.at.all }}", encoding="utf-8")
    (templates / "construct.jinja").write_text("{{ nothing.at.all }}", encoding="utf-8")
    result = _assert_same(alone(both, str(tmp_path), str(tmp_path / "templates")))
    assert list(result["files"]) == ["python"]
    assert {text.partition(",")[0].rpartition("code=")[2] for text in result["diagnostics"]} == {"'PCL0901'", "'PCL1401'"}
    assert len(result["diagnostics"]) > 2


def broken() -> str:
    def render(prepared: object, language: str, *rest: object, **more: object) -> Any:
        if language in ("typescript", "go"):
            raise pipeline.BrokenTreeError(language)
        return {}

    pipeline.render = render
    try:
        generated(str(ROOT / "examples" / "web-service"), len(TARGETS), large=0)
    except pipeline.BrokenTreeError as error:
        return str(error)
    return ""


def test_a_mistake_of_ours_is_raised_as_it_is_in_turn() -> None:
    assert alone(broken) == "typescript"


def forked_by(folder: str, count: int, options: Sequence[str]) -> int:
    forks.cores.__globals__["os"].sched_getaffinity = lambda pid: {0, 1}
    schemas = synthetic.write_schema(Path(folder))
    program = synthetic.write_program(Path(folder), "program", synthetic.resources(count))
    forked = count_forks()
    arguments = [str(program), "--schemas", str(schemas), "--isolated", "--quiet", "--out", f"{folder}/out/{{language}}"]
    assert main(["generate", *arguments, *options]) == 0
    return len(forked)


@pytest.mark.parametrize(
    ("count", "options", "processes"),
    [
        (5, [], 0),
        (5, ["--jobs", "3"], 0),
        (100, [], 2),
        (100, ["-j", "2"], 1),
        (100, ["--jobs", "1"], 0),
        (100, ["--language", "go"], 0),
        (100, ["--language", "go,python"], 1),
    ],
)
def test_only_a_large_program_in_several_languages_is_worth_processes(
    count: int, options: Sequence[str], processes: int, tmp_path: Path
) -> None:
    assert alone(forked_by, str(tmp_path), count, options) == processes


def test_there_is_one_process_at_least(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "program", "--jobs", "0"]) == 2
    assert "`--jobs 0`: there must be one at least" in capsys.readouterr().err


def test_only_who_asks_for_processes_gets_them() -> None:
    """Servers and build workers do not fork: their cores have other work."""
    for function in (pipeline.generate, pipeline.generate_checked):
        assert inspect.signature(function).parameters["jobs"].default == 1
