"""`pclgen plugin`: hosts in Pulumi's folder, and a host that serves in the foreground."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pclgen.cli.app import main
from pclgen.protocol.rpc import CallFailed
from pclgen.version import VERSION
from tests.support.corpus import ROOT
from tests.support.hosting import SERVICE, rpc
from tests.support.waiting import PATIENCE


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PULUMI_HOME", str(tmp_path))
    return tmp_path / "plugins"


def test_hosts_are_installed_and_run_and_go_again(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = home / "language-pclgen-go-v9.0.0"
    foreign.mkdir(parents=True)
    assert main(["plugin", "install"]) == 0
    names = sorted(path.name for path in home.iterdir() if path != foreign)
    assert names == [f"language-pclgen-{runtime}-v{VERSION}" for runtime in ("go", "nodejs", "python")]
    program = home / f"language-pclgen-go-v{VERSION}" / "pulumi-language-pclgen-go"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([program, "127.0.0.1:1"], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        ask_for_go(int(process.stdout.readline()))
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0
    assert main(["plugin", "install", "go"]) == 0
    assert main(["plugin", "uninstall"]) == 0
    assert list(home.iterdir()) == [foreign]  # files of others are not touched
    capsys.readouterr()
    assert main(["plugin", "uninstall", "typescript"]) == 0
    assert "pclgen is not installed in" in capsys.readouterr().err


def test_one_serves_in_the_foreground() -> None:
    command = [sys.executable, "-m", "pclgen", "plugin", "serve", "go"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        setting = next(match for line in lines if (match := re.search(r"PULUMI_DEBUG_LANGUAGES=go:(\d+) ", line)))
        ask_for_go(int(setting[1]))
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0


def ask_for_go(port: int) -> None:
    with rpc().connect(f"127.0.0.1:{port}") as connection:
        request = rpc().message("pulumirpc.GenerateProgramRequest", source={"main.pp": ""})
        answer: Any = connection.call(f"{SERVICE}/GenerateProgram", request, timeout=PATIENCE)
    assert not isinstance(answer, CallFailed) and list(answer.source) == ["main.go"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["serve"], "serves one language"), (["serve", "python", "go"], "serves one language"), (["install", "cobol"], "no language `cobol`")],
)
def test_wrong_use(arguments: list[str], words: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugin", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not home.exists()
