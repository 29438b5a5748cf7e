"""`pclgen verify`: levels, missing tools, cached results, reports, exit statuses, workers."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from pclgen.cli import verify as command
from pclgen.cli.console import Console, UsageError
from pclgen.disk import locked
from pclgen.verify import environments as places
from pclgen.verify import results as results_of
from pclgen.verify.environments import (
    GoEnvironment,
    InstallError,
    Packages,
    Share,
    go_environment,
    go_packages,
    group,
    node_packages,
    python_packages,
    shared,
)
from pclgen.verify.processes import STALLED, TIMED_OUT, Job, Patience, Worker, run_program, run_watched
from pclgen.verify.results import Results, key_of
from pclgen.verify.subjects import make_keys
from tests.support.corpus import ROOT
from tests.support.toolchains import go_build_cache
from tests.support.verified import environments
from tests.support.waiting import PATIENCE

PROGRAM = ROOT / "examples" / "random-password"
SCHEMAS = ["--schemas", str(ROOT / "examples" / "schemas")]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A separate cache of results and environments."""
    environments()
    monkeypatch.setenv("GOCACHE", go_build_cache())
    monkeypatch.setenv("PCLGEN_TOOLCHAINS", str(tmp_path / "tools"))
    yield tmp_path / "tools"


def pinned_environments() -> list[str]:
    """The pinned environments as command-line options."""
    tools = environments()
    return ["--python", str(tools.python), "--node-modules", str(tools.node_modules), "--go-module", str(tools.go_module)]


def run(*arguments: str) -> tuple[int, str, str]:
    """Run pclgen; return the status, standard output and standard error."""
    console = Console(out=io.StringIO(), err=io.StringIO())
    status = command.run([*arguments, "--quiet", *SCHEMAS], console)
    assert isinstance(console.out, io.StringIO) and isinstance(console.err, io.StringIO)
    return status, console.out.getvalue(), console.err.getvalue()


def test_all_levels_of_one_program() -> None:
    status, out, err = run(str(PROGRAM), *pinned_environments())
    assert (status, err) == (0, "")
    assert out == "examples/random-password  python ok  typescript ok  go ok\n\nverified 1 program: checks 9 passed\n"


def test_as_json_and_once_more_from_the_cache(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(str(PROGRAM), *pinned_environments(), "--languages", "python", "--output-format", "json")
    again = run(str(PROGRAM), *pinned_environments(), "--languages", "python", "--output-format", "json")
    assert first == again
    data = json.loads(first[1])
    assert data["summary"] == {"passed": 3, "failed": 0, "not_verified": 0, "not_generated": 0}
    assert [verdict["level"] for verdict in data["programs"][0]["verdicts"]] == ["format", "compile", "run"]
    monkeypatch.chdir(PROGRAM.parent)
    assert run(PROGRAM.name, *pinned_environments(), "--languages", "python")[0] == 0
    kept = sorted((own_cache / "verify" / "results").rglob("*.json"))
    assert len(kept) == 4, "format, compile, and two runs, however the program is named"


def test_what_is_missing_is_named_and_never_passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    status, out, _ = run(str(PROGRAM), "--level", "format", "--languages", "go,typescript")
    assert status == 0
    assert "examples/random-password  typescript not verified (format)  go not verified (format)\n" in out
    assert "go, format (1 program): Go is not installed: there is no `go` on the PATH; install it" in out
    assert "typescript, format (1 program): Node is not installed: there is no `node` on the PATH; install it" in out
    assert out.endswith("checks 0 passed, 2 not verified\n")
    assert run(str(PROGRAM), "--level", "format", "--languages", "go", "--require")[0] == 1


def test_layout_asks_no_registry_for_names_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, dict[str, str]]] = []

    def kept(kind: str, needs: Mapping[str, str], install: object, option: str) -> Path:
        asked.append((kind, dict(needs)))
        raise InstallError("not here")

    monkeypatch.setattr(places, "_cached", kept)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    _, out, _ = run(str(PROGRAM), "--level", "format")
    assert "python ok" in out
    assert asked == [("node", {}), ("gomod", {})]


def test_a_program_with_errors_is_not_verified(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text("output x {\n  value = nope\n}\n")
    status, out, err = run(str(tmp_path), *pinned_environments())
    assert status == 1
    assert "not generated: it has 1 error\n\nverified 0 of 1 program: checks 0 passed\n" in out
    assert "PCL0" in err and "main.pp" in err


def test_each_step_is_logged() -> None:
    console = Console(out=io.StringIO(), err=io.StringIO())
    assert command.run([str(PROGRAM), "--level", "format", *pinned_environments(), *SCHEMAS], console) == 0
    assert isinstance(console.err, io.StringIO)
    assert console.err.getvalue().splitlines() == [
        "generating 1 program ...",
        *(f"{language}: preparing ..." for language in ("typescript", "python", "go")),
        *(f"{language}: format, 1 program ..." for language in ("python", "typescript", "go")),
    ]


class Refusing(BaseHTTPRequestHandler):
    """A registry that refuses every request."""

    def do_GET(self) -> None:
        """Answer 403 to everything."""
        self.send_error(403)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it
        """Print nothing."""


@pytest.fixture(params=["refuses connections", "refuses requests"])
def registry(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an unusable registry."""
    server = HTTPServer(("127.0.0.1", 0), Refusing)
    address = f"http://127.0.0.1:{server.server_port}"
    if request.param == "refuses connections":
        server.server_close()
        yield address
        return
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield address
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_registry_that_refuses_is_no_failure(
    registry: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in {
        "PIP_INDEX_URL": f"{registry}/simple",
        "PIP_RETRIES": "0",
        "PIP_NO_CACHE_DIR": "1",
        "npm_config_registry": f"{registry}/",
        "npm_config_fetch_retries": "0",
        "npm_config_cache": str(tmp_path / "npm"),
        "GOPROXY": registry,
        "GOMODCACHE": str(tmp_path / "modules"),
    }.items():
        monkeypatch.setenv(name, value)
    status, out, _ = run(str(PROGRAM), "--level", "compile", "--output-format", "json")
    report = json.loads(out)
    assert (status, report["summary"]["failed"], report["summary"]["not_verified"]) == (0, 0, 6)
    reasons = {reason for verdict in report["programs"][0]["verdicts"] for reason in verdict["messages"]}
    assert len(reasons) == 3
    assert all(reason.startswith("the packages cannot be installed: ") for reason in reasons), reasons
    assert run(str(PROGRAM), "--level", "compile", "--languages", "go", "--require")[0] == 1


def test_a_program_that_fails_when_it_runs(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text('config "domain" "string" {}\n\noutput x {\n  value = domain\n}\n')
    status, out, err = run(str(tmp_path), *pinned_environments(), "--languages", "python")
    assert status == 1
    assert "config variable `domain` has no value" in err
    assert "update: the evaluator fails: config variable `domain` has no value" in out
    assert run(str(tmp_path), *pinned_environments(), "--languages", "python", "--config", "domain=a.example")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--jobs", "0"], "`--jobs 0`: there must be one at least"),
        (["--jobs", "many"], "`--jobs many`: expected a whole number"),
        (["--timeout", "0"], "`--timeout 0`: it must be greater than 0"),
        (["--python", __file__], "it cannot be run"),
        ([""], "an argument is empty"),
        (["--config", "domain"], "expected KEY=VALUE after --config, found `domain`"),
        (["--python", "/nowhere/python"], "`--python /nowhere/python`: there is no such file"),
        (["--node-modules", "/nowhere"], "`--node-modules /nowhere`: there is no such folder"),
        (["--go-module", "/nowhere"], "`--go-module /nowhere`: there is no go.mod in it"),
        (["--languages", "cobol"], "unknown language `cobol`"),
        (["--levle", "run"], "unexpected argument `--levle`"),
    ],
)
def test_wrong_use(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        run(str(PROGRAM), *arguments)


def test_what_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "go.mod").touch()
    read = Path.read_bytes

    def locked(path: Path) -> bytes:
        if path.name == "go.mod":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", locked)
    with pytest.raises(UsageError, match=r"go\.mod` cannot be read: Permission denied"):
        run(str(PROGRAM), "--go-module", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(UsageError, match="it cannot be read: permission denied"):
        run(str(PROGRAM), "--schemas", str(tmp_path))


# -- environments --------------------------------------------------------------------------------------------------------


def test_what_generated_project_files_ask_for() -> None:
    from pathlib import PurePosixPath

    requirements = {PurePosixPath("requirements.txt"): "pulumi-github==6.15.0\npulumi>=3.0.0,<4.0.0\n"}
    assert python_packages(requirements) == {"pulumi-github": "==6.15.0", "pulumi": ">=3.0.0,<4.0.0"}
    package = {PurePosixPath("package.json"): '{"dependencies": {"a": "1"}, "devDependencies": {"typescript": "^5"}}'}
    assert node_packages(package) == {"typescript": "^5", "a": "1"}
    module = "module x\n\ngo 1.26\n\nrequire (\n\tgithub.com/a/b/v2 v2.1.0\n\tgithub.com/c/d v0.1.0\n)\n"
    assert go_packages({PurePosixPath("go.mod"): module}) == {
        "go": "1.26",
        "github.com/a/b/v2": "v2.1.0",
        "github.com/c/d": "v0.1.0",
    }


def test_programs_share_environments_unless_versions_differ() -> None:
    needs = {"a": {"x": "1"}, "b": {"x": "2", "y": "1"}, "c": {"x": "1", "y": "1"}}
    assert group(needs) == [(["a", "c"], {"x": "1", "y": "1"}), (["b"], {"x": "2", "y": "1"})]


def test_what_a_killed_process_had_begun_is_removed(own_cache: Path) -> None:
    root = own_cache / "verify"
    dead, living = root / "new-python-dead", root / "new-node-living"
    for folder in (dead, living):
        folder.mkdir(parents=True)
        (folder / "half").write_text("x")
    with locked(living):
        tools = go_environment({"go": "1.22"}, None)
    assert isinstance(tools, GoEnvironment)
    assert [path.name for path in root.glob("new-*")] == [living.name]


def test_an_environment_is_made_once_and_serves_smaller_needs(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "_run", lambda *_, **__: None)
    first = places.go_environment({"go": "1.26.6", "example.com/a": "v1.0.0", "example.com/b": "v1.0.0"}, None)
    second = places.go_environment({"example.com/a": "v1.0.0"}, None)
    assert first == second
    assert len(list((own_cache / "verify").glob("gomod-*"))) == 1


def test_programs_are_tried_apart_when_packages_cannot_be_installed_together() -> None:
    tried: list[list[str]] = []

    def make(needs: Packages) -> str:
        tried.append(sorted(needs))
        if "no-such" in needs:
            raise InstallError("there is no package no-such-thing, no-such==1")
        if {"a", "b"} <= set(needs):
            raise InstallError("they quarrel")
        return "+".join(sorted(needs))

    needs = {"one": {"a": "1"}, "two": {"b": "1"}, "three": {"no-such": "1", "a": "1"}, "four": {"c": "1"}}
    results = {key: share.environment for share in shared(needs, make) for key in share.keys}
    assert str(results.pop("three")) == "there is no package no-such-thing, no-such==1"
    assert set(results) == {"one", "two", "four"} and all(isinstance(result, str) for result in results.values())
    assert len(tried) <= 2 * len(needs) - 1


@pytest.mark.parametrize("how", [{"everywhere": True}, {"out_of_reach": True}])
def test_what_would_fail_each_time_is_tried_once(how: dict[str, bool]) -> None:
    tried: list[Packages] = []

    def make(needs: Packages) -> str:
        tried.append(needs)
        raise InstallError("no", **how)

    shares: list[Share[str]] = shared({str(number): {f"p{number}": "1"} for number in range(50)}, make)
    [share] = shares
    assert len(tried) == 1 and len(share.keys) == 50


def test_an_environment_that_cannot_be_made_says_why() -> None:
    with pytest.raises(InstallError, match=r"^the packages cannot be installed: ERROR: "):
        places.python_environment({"pclgen-no-such-package": "==1"}, None)


# -- parts ---------------------------------------------------------------------------------------------------------------


def test_keys_are_fit_for_folders_and_packages() -> None:
    assert make_keys(["web", "Web", "10-a b", "ünï", "go_test"]) == ["p_web_", "p_web_2_", "p_10_a_b_", "p_n_", "p_go_test_"]


def test_results_by_content(tmp_path: Path) -> None:
    results = Results(tmp_path)
    assert key_of("a", "b") != key_of("ab") != key_of("a", "", "b")
    results.put(key_of("a"), "one")
    assert (results.get(key_of("a")), results.get(key_of("b"))) == ("one", None)
    nothing = Results(None)
    nothing.put(key_of("a"), "one")
    assert nothing.get(key_of("a")) is None


def test_results_depend_on_what_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(results_of.__file__).parents[1]
    copy = shutil.copytree(package / "verify", tmp_path / "pclgen" / "verify")
    monkeypatch.setattr(results_of, "__file__", str(copy / "results.py"))
    worker = copy / "workers" / "node_worker.cjs"
    keys = []
    for text in (worker.read_text(encoding="utf-8"), "// changed\n"):
        worker.write_text(text, encoding="utf-8")
        results_of._identity.cache_clear()
        keys.append(key_of("a"))
    monkeypatch.undo()
    results_of._identity.cache_clear()
    assert keys[0] != keys[1]


def job(folder: Path) -> Job:
    return Job(
        folder=folder,
        log=folder / "log",
        monitor="127.0.0.1:1",
        project="p",
        stack="s",
        organization="o",
        preview=False,
        config={},
        secret_keys=[],
    )


def test_a_worker_that_hangs_is_stopped_and_started_again(tmp_path: Path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    if (p := __import__('pathlib').Path(json.loads(line)['folder']) / 'hang').exists():\n"
        "        p.unlink(); time.sleep(3600)\n"
        "    print('{\"status\": 0}', flush=True)\n"
    )
    (tmp_path / "hang").touch()
    with Worker([sys.executable, script], environment=os.environ) as worker:
        assert worker.run(job(tmp_path), Patience(timeout=1)).status == TIMED_OUT
        assert worker.run(job(tmp_path), Patience(timeout=PATIENCE)).status == 0


def test_a_worker_that_dies_is_a_failure(tmp_path: Path) -> None:
    with Worker([sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(7)"], environment=os.environ) as worker:
        assert worker.run(job(tmp_path), Patience(timeout=PATIENCE)).status == 7


def test_a_program_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    slow = [sys.executable, "-c", "print('on it', flush=True); import time; time.sleep(3600)"]
    for timeout in (1, 30, 300):  # a busy machine may not reach the first line earlier
        ended = run_program(slow, folder=tmp_path, environment=os.environ, timeout=timeout)
        if ended.printed:
            break
    assert (ended.status, ended.printed) == (TIMED_OUT, "on it\n")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell what a process computes")
def test_a_program_that_makes_no_progress_is_stopped(tmp_path: Path) -> None:
    sleep = "import time; time.sleep(3600)"
    scripts = {
        "sleeps": (sleep, STALLED),
        "its child sleeps": (f"import subprocess, sys; subprocess.run([sys.executable, '-c', {sleep!r}])", STALLED),
        "computes": ("import time\nwhile time.process_time() < 3: pass", 0),
        "its child computes": (
            "import subprocess, sys; subprocess.run([sys.executable, '-c',"
            " 'import time\\nwhile time.process_time() < 3: pass'])",
            0,
        ),
    }
    statuses = {}
    for name, (script, _) in scripts.items():
        patience = Patience(timeout=PATIENCE, idle=1)
        command = [sys.executable, "-c", script]
        statuses[name] = run_watched(command, folder=tmp_path, environment=os.environ, patience=patience).status
    assert statuses == {name: status for name, (_, status) in scripts.items()}


def test_a_program_that_is_answered_makes_progress(tmp_path: Path) -> None:
    patience = Patience(timeout=1, idle=0.5, progress=object)
    slow = [sys.executable, "-c", "import time; time.sleep(3600)"]
    assert run_watched(slow, folder=tmp_path, environment=os.environ, patience=patience).status == TIMED_OUT
