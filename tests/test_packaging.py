"""The contents of a release: the wheel works in a fresh environment, workflows are sound, the repository is complete."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support import toolchains
from tests.support.corpus import ROOT

VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def pythons() -> dict[str, str]:
    """The available interpreters by version: on PATH, or next to the interpreter that runs the tests."""
    interpreters: dict[str, str] = {}
    for version in VERSIONS:
        beside = sorted(Path(sys.base_prefix).parent.glob(f"{version}.*/bin/python{version}"))
        for command in [*map(str, beside), shutil.which(f"python{version}")]:
            if command is not None and subprocess.run([command, "--version"], capture_output=True, check=False).returncode == 0:
                interpreters.setdefault(version, command)
    return interpreters


PYTHONS = pythons()


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PCLGEN"))}
    result = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution as in a release."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    [path] = folder.glob("*.whl")
    assert list(folder.glob("*.tar.gz"))
    return path


def test_the_wheel_contains_what_the_package_reads(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for folder in ("templates/python", "examples/web-service", "examples/schemas", "diagnostics/pages"):
        assert any(name.startswith(f"pclgen/{folder}/") for name in names)
    assert "pclgen/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "scripts/"))]


@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_compiles_an_example_in_an_empty_folder(version: str, wheel: Path, tmp_path: Path) -> None:
    run(PYTHONS[version], "-m", "venv", "venv", cwd=tmp_path)
    commands = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    run(commands / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    run(commands / "pclgen", "init", "shop", "--example", "web-service", cwd=tmp_path)
    run(commands / "pclgen", "build", "--cache-dir", tmp_path / "cache", cwd=tmp_path / "shop")
    built = tmp_path / "shop" / "build" / "web-service"
    for language, name in {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}.items():
        assert (built / language / name).read_text() == (ROOT / "snapshots/examples/web-service" / language / name).read_text()


def test_workflows_are_sound() -> None:
    run(toolchains.actionlint(), cwd=ROOT)


def test_actions_are_pinned_by_digest() -> None:
    files = [*(ROOT / ".github" / "workflows").glob("*.yml"), ROOT / "action.yml"]
    uses = [line for file in files for line in re.findall(r"uses: (.*)", file.read_text(encoding="utf-8"))]
    assert len(uses) > 10
    assert [line for line in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", line)] == []


def test_the_changelog_names_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version is not None and f"## {version[1]}" in text
