"""Integrations with other tools: shell completion, pre-commit hooks, the GitHub Action."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml

from pclgen.cli import app, completion
from pclgen.cli.app import COMMANDS, main
from pclgen.cli.console import Console
from tests.support import borrowed
from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE


@cache
def script(shell: str) -> str:
    out = io.StringIO()
    assert completion.run([shell], Console(out=out, err=io.StringIO())) == 0
    return out.getvalue()


def completed(folder: Path, line: str) -> list[str]:
    """The completions of bash at the end of a line."""
    words = line.split(" ")
    quoted = " ".join(shlex.quote(word) for word in words)
    asked = f'COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _shtab_pclgen; printf "%s\\n" "${{COMPREPLY[@]}}"'
    ran = subprocess.run(
        ["bash", "--norc", "-c", f"{script('bash')}\n{asked}"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    return sorted(ran.stdout.split("\n")[:-1])


COMPLETIONS = [
    ("pclgen ev", ["evaluate"]),
    ("pclgen schema ", ["add", "check", "list", "path", "remove", "show"]),
    ("pclgen generate --langu", ["--language"]),
    ("pclgen generate web --language p", ["python"]),
    ("pclgen generate web -l t", ["typescript"]),
    ("pclgen check --output-format ", ["github", "json", "sarif", "text"]),
    ("pclgen schema list --js", ["--json"]),
    ("pclgen completion ", sorted(completion.SHELLS)),
]
"""The beginnings of lines, and their completions in every shell."""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        *COMPLETIONS,
        ("pclgen verify --level ", ["compile", "format", "run"]),
        ("pclgen explain PCL010", ["PCL0101", "PCL0102", "PCL0103"]),
        ("pclgen check w", ["web", "with space"]),
        ("pclgen check --schemas w", ["web", "with space"]),
        ("pclgen generate --out x", [""]),
    ],
)
def test_bash_completes(tmp_path: Path, line: str, offered: list[str]) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "with space").mkdir()
    completions = completed(tmp_path, line)
    if line.endswith("PCL010"):
        assert set(offered) <= set(completions)
    else:
        assert completions == offered


def test_bash_offers_all_commands(tmp_path: Path) -> None:
    assert set(completed(tmp_path, "pclgen ")) >= set(COMMANDS)
    assert set(completed(tmp_path, "pclgen --")) == {"--help", "--version"}


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        *COMPLETIONS,
        ("pclgen check w", ["web/", "wish.pp"]),
        ("pclgen generate --out w", []),
    ],
)
def test_fish_completes(tmp_path: Path, line: str, offered: list[str]) -> None:
    fish = borrowed.shell("fish")
    if fish is None:
        pytest.skip("fish is not on this machine, and it has no Debian packages")
    (tmp_path / "web").mkdir()
    (tmp_path / "wish.pp").touch()
    (tmp_path / "python.toml").touch()
    ran = subprocess.run(
        [fish.binary, "--no-config", "-c", f"{script('fish')}\ncomplete -C {shlex.quote(line)}"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **fish.environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr
    assert sorted(row.split("\t")[0] for row in ran.stdout.splitlines()) == offered


def test_every_option_of_every_command_is_offered(capsys: pytest.CaptureFixture[str]) -> None:
    """The bash script's line for a command has every option of the command's help."""
    commands = [[name, *below] for name in COMMANDS for below in ([[sub] for sub in app.command(name)[1]] or [[]])]
    for command in commands:
        assert main([*command, "--help"]) == 0
        options = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE))
        line = re.search(rf"^_shtab_pclgen_{'_'.join(command)}_option_strings=.*$", script("bash"), re.MULTILINE)
        assert line is not None and options and options <= set(re.findall(r"--[\w-]+", line[0])), command


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_the_shell_reads_its_script(shell: str, tmp_path: Path) -> None:
    (tmp_path / "script").write_text(script(shell))
    interpreter = borrowed.shell(shell) if shell in ("bash", "zsh", "fish") else None
    if interpreter is not None:
        environ = {**os.environ, **interpreter.environment}
        subprocess.run([interpreter.binary, "-n", str(tmp_path / "script")], env=environ, check=True)
    assert all(command in script(shell) for command in COMMANDS)


def test_hooks_name_commands_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["pclgen-fmt", "pclgen-check", "pclgen-build"]
    for hook in hooks:
        program, command, *options = hook["entry"].split()
        assert program == "pclgen" and hook["language"] == "python"
        assert main([command, "--help"]) == 0
        shown = capsys.readouterr().out
        assert all(option in shown for option in options)


def test_hooks_do_what_they_say(tmp_path: Path) -> None:
    """Real pre-commit installs a copy of this repository like a release and runs all hooks on a commit."""
    release, project = tmp_path / "release", tmp_path / "project"
    ours = ("pclgen", "templates", "examples", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
    release.mkdir()
    for name in ours:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, release / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, release / name)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHON"))}
    environ |= {"PRE_COMMIT_HOME": str(tmp_path / "kept"), "PCLGEN_CACHE_DIR": str(tmp_path / "cache"), "PCLGEN_SOURCES": "files"}

    def git(folder: Path, *argv: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        command = ("git", *who, "-C", str(folder), *argv)
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout.strip()

    git(tmp_path, "init", "--quiet", "release")
    git(release, "add", "--all", "--force", ".")
    git(release, "commit", "--quiet", "--message", "a release")
    hooks = [{"id": name} for name in ("pclgen-fmt", "pclgen-check", "pclgen-build")]
    config = {"repos": [{"repo": str(release), "rev": git(release, "rev-parse", "HEAD"), "hooks": hooks}]}
    (project / "web").mkdir(parents=True)
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (project / "pclgen.toml").write_text('programs = ["web"]\nlanguages = ["go"]\n')
    (project / "web" / "main.pp").write_text("output x {\nvalue = 1\n}\n")
    git(tmp_path, "init", "--quiet", "project")

    def hooked() -> list[str]:
        git(project, "add", "--all")
        command = [sys.executable, "-m", "pre_commit", "run", "--color", "never"]
        ran = subprocess.run(command, cwd=project, env=environ, capture_output=True, text=True, check=False, timeout=PATIENCE)
        results = re.findall(r"^(pclgen \w+)\.+(?:\(.*\))?(\w+)$", ran.stdout, re.MULTILINE)
        assert [name for name, _ in results] == ["pclgen fmt", "pclgen check", "pclgen build"], ran.stdout + ran.stderr
        assert (ran.returncode != 0) == any(status == "Failed" for _, status in results)
        return [status for _, status in results]

    assert hooked() == ["Failed", "Passed", "Failed"], "it is laid out, it is right, and there is nothing made of it"
    assert (project / "web" / "main.pp").read_text() == "output x {\n  value = 1\n}\n"
    subprocess.run([sys.executable, "-m", "pclgen", "build", "--quiet"], cwd=project, env={**environ, "PYTHONPATH": str(ROOT)}, check=True)
    assert hooked() == ["Passed", "Passed", "Passed"]
    (project / "web" / "main.pp").write_text("output x {\n  value = nope\n}\n")
    assert hooked() == ["Passed", "Failed", "Failed"]


@pytest.mark.parametrize(("command", "status"), [(None, 1), ("check web --quiet", 0), ("check 'web' $(touch made)", 2), ("build --check; touch made", 2)])
def test_the_action_runs_its_command(tmp_path: Path, command: str | None, status: int) -> None:
    """The last step runs its script in bash and treats the command as words, never as a script."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    step = action["runs"]["steps"][-1]
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "pclgen").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pclgen "$@"\n')
    (bin_folder / "pclgen").chmod(0o755)
    project = tmp_path / "project"
    (project / "web").mkdir(parents=True)
    (project / "web" / "main.pp").write_text("output x {\n  value = 1\n}\n")
    (project / "pclgen.toml").write_text('programs = ["web"]\nlanguages = ["go"]\n')
    value = command if command is not None else action["inputs"]["command"]["default"]
    assert step["env"] == {"PCLGEN_COMMAND": "${{ inputs.command }}"} and step["shell"] == "bash"
    environ = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "PCLGEN_COMMAND": value}
    environ["PCLGEN_CACHE_DIR"] = str(tmp_path / "cache")
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    ran = subprocess.run(script, cwd=project, env=environ, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ran.returncode == status, ran.stdout + ran.stderr
    assert not (project / "made").exists()
    if command is None:
        assert "build/web/go/main.go is not up to date" in ran.stderr


def test_the_action_runs_a_command_that_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    steps = action["runs"]["steps"]
    assert all("shell" in step or "uses" in step for step in steps)
    assert not any("${{" in step.get("run", "") for step in steps), "inputs come as variables, never as script"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pclgen.toml").write_text('programs = ["web"]\n')
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "main.pp").write_text("output x {\n  value = nope\n}\n")
    assert main(action["inputs"]["command"]["default"].split()) == 1
