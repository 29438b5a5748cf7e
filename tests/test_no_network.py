"""Every command without a network and without tools on PATH reports one problem with a next step."""

from __future__ import annotations

import io
import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pclgen.cli import app
from tests.support.files import write_files
from tests.support.generated import EXAMPLE_SCHEMAS

QUOTED_SCHEMAS = shlex.quote(str(EXAMPLE_SCHEMAS))
CLOSED = "http://127.0.0.1:9"
"""An address without a listener."""
PET = 'resource pet "{}" {{\n  length = 2\n}}\n'
FILES = {
    "app/main.pp": PET.format("nothinglike:index:Pet"),
    "known/main.pp": PET.format("random:index/randomPet:RandomPet"),
    "docs/page.md": f"# Pets\n\n<!-- pcl -->\n```pcl\n{PET.format('nothinglike:index:Pet')}```\n",
    "web/main.pp": 'component net "network//vpc" {\n}\n',
    "pclgen.toml": f'indexes = ["{CLOSED}/packages"]\nprograms = ["web"]\n\n[dependencies]\nnetwork = "^1.0.6"\n',
}

UNKNOWN = "run `pclgen schema add nothinglike --from FILE` to get the schema"
UNREACHED = "check the address, the network and the proxy"
UNLOCKED = "run `pclgen deps install`"
STEPS = {
    "check app": UNKNOWN,
    "generate app": UNKNOWN,
    "evaluate app": UNKNOWN,
    "graph app": UNKNOWN,
    "verify app": UNKNOWN,
    "pack app": UNKNOWN,
    "config schema app": UNKNOWN,
    "config check app/Pulumi.dev.yaml": UNKNOWN,
    "docs build docs": UNKNOWN,
    "docs check docs": UNKNOWN,
    "docs coverage docs": UNKNOWN,
    "schema show nothinglike": UNKNOWN,
    "schema add nothinglike": UNKNOWN,
    f"schema add nothinglike --from {CLOSED}/schema.json": UNREACHED,
    "check web": UNLOCKED,
    "build": UNLOCKED,
    "deps list": UNLOCKED,
    "deps install": UNREACHED,
    "deps update": UNREACHED,
    "deps add storage": UNREACHED,
}
"""The next step that each command names."""

ALONE = {"init", "fmt", "functions", "explain", "completion", "cache", "templates", "plugin", "lsp"}
"""Commands that read only the files they get; `plugin` and `lsp` answer with the diagnostics of `check`."""
ELSEWHERE = {"view", "serve"}
"""Commands with other kinds of answers; each has a test below."""


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No network, no tools, all sources of schemas."""
    write_files(tmp_path, FILES)
    (tmp_path / "app" / "Pulumi.dev.yaml").write_text("config:\n  app:size: 2\n", encoding="utf-8")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "GOPROXY"):
        monkeypatch.setenv(name, CLOSED)
    monkeypatch.setenv("npm_config_registry", f"{CLOSED}/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.setenv("PIP_INDEX_URL", f"{CLOSED}/simple")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PULUMI_HOME", str(tmp_path / "home" / ".pulumi"))
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("PCLGEN_SOURCES")
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], command: str) -> tuple[int, str, str]:
    status = app.main(shlex.split(command))
    answer = capsys.readouterr()
    assert "Traceback" not in answer.err
    return status, answer.out, answer.err


def test_every_command_is_here() -> None:
    assert {command.split()[0] for command in STEPS} | ALONE | ELSEWHERE == set(app.COMMANDS)


@pytest.mark.parametrize("command", STEPS)
def test_the_answer_names_the_next_step(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, command)
    assert status == 1, err
    assert len([line for line in err.splitlines() if line.startswith(("error: ", "error["))]) == 1, err
    assert f"= help: {STEPS[command]}" in err


def test_a_page_names_the_command_that_says_more(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "view app --html page.html")
    assert (status, out) == (1, "") and "`pclgen check app` prints them" in err
    assert UNKNOWN in Path("page.html").read_text(encoding="utf-8")


def test_requests_are_answered(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"path": "app"}\n')))
    status, out, err = run(capsys, "serve")
    answer = json.loads(out)
    assert (status, err, answer["ok"], answer["problem"]) == (0, "", False, None)
    assert [diagnostic["help"] for diagnostic in answer["diagnostics"]] == [UNKNOWN]


def not_verified(out: str) -> list[str]:
    return out.partition("not verified:\n")[2].partition("\n\n")[0].splitlines()


def test_nothing_is_verified_without_tools(capsys: pytest.CaptureFixture[str]) -> None:
    command = f"verify known --schemas {QUOTED_SCHEMAS} --languages python,typescript,go"
    status, out, err = run(capsys, command)
    assert (status, [line for line in err.splitlines() if "error" in line]) == (0, [])
    python, typescript, go = not_verified(out)
    assert python.endswith("; check the network and the proxy, or pass `--python`") and "refused" in python
    for line, tool in ((typescript, "node"), (go, "go")):
        assert f"there is no `{tool}` on the PATH; install it, or choose other `--languages`" in line
    assert run(capsys, f"{command} --require")[0] == 1


def test_nothing_is_verified_without_registries(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tools: Sequence[str], tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    for tool in tools:
        (tmp_path / "bin" / Path(tool).name).symlink_to(tool)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "modules"))
    _, out, _ = run(capsys, f"verify known --schemas {QUOTED_SCHEMAS} --languages typescript,go --level compile")
    typescript, go = not_verified(out)
    assert typescript.endswith("; check the network and the proxy, or pass `--node-modules`")
    assert go.endswith("; check the network and the proxy, or pass `--go-module`")


@pytest.fixture(scope="module")
def tools() -> list[str]:
    """The tools of the machine, before a test hides them."""
    paths = [shutil.which(name) for name in ("node", "npm", "go", "env", "sh")]
    if None in paths:
        pytest.skip("needs Node and Go")
    return [path for path in paths if path is not None]
