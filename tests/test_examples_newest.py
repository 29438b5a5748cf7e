"""Examples with the Kubernetes SDK that `pip install pulumi-kubernetes` installs today, as in the README's first command.

No expected text here depends on the version: the examples have no diagnostics under check, and their generated code
type-checks against the newest published SDKs.  (The registry of Go modules does not tell which version is the newest.)"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import pclgen
from pclgen.cli.app import main
from pclgen.schema.load import SchemaStore
from pclgen.schema.recovery.source import InstalledSource
from tests.support import compilers, toolchains
from tests.support.corpus import ROOT
from tests.support.generated import Generated, generate, installed_programs
from tests.support.toolchains import Sdks

PROGRAMS = {name: path for name, path in installed_programs().items() if name.startswith("kubernetes-")}


@pytest.fixture(scope="module")
def packages() -> Path:
    """The folder into which pip installed the packages."""
    [folder] = (toolchains.python(Sdks.NEWEST).home / "venv").glob("lib/python*/site-packages")
    return folder


@pytest.fixture(scope="module")
def generated(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(PROGRAMS, tmp_path_factory.mktemp("newest"), schemas=[InstalledSource([packages])])


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_to_say(name: str, packages: Path) -> None:
    result = pclgen.check(PROGRAMS[name], store=SchemaStore([InstalledSource([packages])]))
    assert pclgen.render_diagnostics(result.diagnostics) == ""


def test_all_generate(generated: Generated) -> None:
    assert generated.refused == {}
    assert all(set(folders) == set(PROGRAMS) for folders in generated.folders.values())


def test_types_of_python(generated: Generated) -> None:
    messages = compilers.check_ty(generated.folders["python"], sdks=Sdks.NEWEST)
    assert not any(messages.values()), messages


def test_types_of_typescript(generated: Generated) -> None:
    messages = compilers.check_typescript(generated.folders["typescript"], sdks=Sdks.NEWEST)
    assert not any(messages.values()), messages


def test_the_first_command_of_the_readme(packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last part, unchanged, in the environment that its first parts create."""
    [line] = re.findall(r"^python3 -m venv \.venv && (.*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    installs, generates = map(shlex.split, line.split(" && "))
    assert installs == [".venv/bin/pip", "install", "--quiet", ".", "pulumi-kubernetes"]
    assert generates[0] == ".venv/bin/pclgen"
    monkeypatch.setenv("VIRTUAL_ENV", str(packages.parents[2]))
    monkeypatch.setenv("PCLGEN_SOURCES", "files,sdk")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    assert main(generates[1:]) == 0
    [name] = {Path(word).name for word in generates if word.startswith("examples/")}
    folders = {language: tmp_path / "build" / name / language for language in ("python", "typescript", "go")}
    assert (folders["python"] / "__main__.py").is_file()
    assert (folders["go"] / "go.mod").is_file()
    messages = compilers.check_ty({name: folders["python"]}, sdks=Sdks.NEWEST)
    assert not any(messages.values()), messages
    messages = compilers.check_typescript({name: folders["typescript"]}, sdks=Sdks.NEWEST)
    assert not any(messages.values()), messages
