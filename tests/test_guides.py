"""The guides work: the tests write their files and run their commands in an empty folder."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.support import pages
from tests.support.corpus import ROOT
from tests.support.files import write_files
from tests.support.pages import pieces
from tests.support.plugin import ARGUMENTS

GUIDE = ROOT / "docs" / "guides" / "template-repository.md"


def files() -> dict[str, str]:
    """The files of the repository, by path."""
    return {named: text for language, text, named in pieces(GUIDE) if language != "sh"}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository before its first snapshots."""
    folder = tmp_path_factory.mktemp("guide")
    write_files(folder, files())
    shutil.copytree(ROOT / "examples" / "schemas", folder / "schemas")  # in place of `pclgen schema add`
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run([*git, "init", "--quiet"], cwd=folder, check=True)
    return folder


def run(folder: Path, command: str) -> tuple[int, str]:
    """A command of the guide, with the tools of this environment."""
    extra = [*ARGUMENTS, "-p", "no:cacheprovider"] if Path(command.split()[0]).name == "pytest" else []
    return pages.run(folder, command, *extra)


def commands() -> list[str]:
    """The commands of the guide that need neither a registry nor another tool."""
    lines = [line for language, text, _ in pieces(GUIDE) if language == "sh" for line in text.splitlines()]
    return [line for line in lines if line.startswith(".venv/bin/pytest")]


def test_the_guide_names_every_file() -> None:
    assert set(files()) == {
        "templates/greeting/main.pp",
        "pclgen.toml",
        "refused/no-prefix/main.pp",
        ".github/workflows/templates.yml",
    }


def test_the_repository_of_the_guide_is_built_and_tested(repository: Path) -> None:
    first, second = commands()
    assert run(repository, second)[0] == 1, "there are no snapshots yet"
    status, output = run(repository, first)
    assert status == 0, output
    kept = {path.relative_to(repository / "__snapshots__").as_posix() for path in (repository / "__snapshots__").rglob("*.*")}
    words = GUIDE.read_text(encoding="utf-8").split("Now `__snapshots__/` contains real files")[1].split("\n\n")[0]
    named = set(re.findall(r"`([\w/-]+\.\w+)`", words))
    assert len(named) == 5 and named <= kept
    status, output = run(repository, second)
    assert status == 0, output
    assert "6 passed" in output
    assert "payments" in (repository / "__snapshots__/templates/greeting/registrations.txt").read_text()
    assert "did you mean `prefix`?" in (repository / "__snapshots__/refused/no-prefix/diagnostics.txt").read_text()
    template = repository / "templates" / "greeting" / "main.pp"
    template.write_text(template.read_text().replace("default = 2", "default = 3"))
    status, output = run(repository, second)
    assert status == 1 and "4 failed" in output
    assert run(repository, first)[0] == 0
    shutil.rmtree(template.parent)
    assert run(repository, second)[0] != 0


def test_the_workflow_runs_what_the_guide_explains(repository: Path) -> None:
    workflow = yaml.safe_load(files()[".github/workflows/templates.yml"])
    steps = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step]
    assert steps == ["pip install 'pclgen[testing]'", "pclgen fmt . --check", "pytest"]
    for path, text in files().items():
        if path.endswith(".pp"):
            (repository / path).parent.mkdir(parents=True, exist_ok=True)
            (repository / path).write_text(text, encoding="utf-8")
    assert run(repository, steps[1])[0] == 0


# -- docs/guides/monorepo.md ---------------------------------------------------------------------------------------------

MONOREPO = ROOT / "docs" / "guides" / "monorepo.md"


@pytest.fixture
def monorepo(tmp_path: Path) -> Path:
    """The repository with many programs."""
    for language, text, named in pieces(MONOREPO):
        if language in ("terraform", "toml"):
            place = tmp_path / named
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "examples" / "schemas", tmp_path / "schemas")
    return tmp_path


def test_the_repository_of_many_programs_is_built(monorepo: Path) -> None:
    """Each command prints the output that the guide shows below it."""
    environment = {"PCLGEN_CACHE_DIR": str(monorepo / ".cache")}
    blocks = [(language, text) for language, text, _ in pieces(MONOREPO) if language in ("sh", "text")][1:]
    shown = dict(zip([text for _, text in blocks], [*blocks[1:], ("", "")], strict=True))
    commands = [text for language, text in blocks if language == "sh"]
    assert len(commands) == 4
    for command in commands:
        status, output = pages.run(monorepo, command, environment=environment)
        language, expected = shown[command]
        assert status == 0, output
        assert language != "text" or output == expected
    layout = next(text for language, text, _ in pieces(MONOREPO) if language == "text")
    named = [line.split()[0] for line in layout.splitlines()]
    assert all((monorepo / path).exists() for path in named)
    assert {path.name for path in (monorepo / "generated/search/index").iterdir()} == {"go"}
    shared = monorepo / "shared" / "label" / "main.pp"
    shared.write_text(shared.read_text(encoding="utf-8").replace("prefix = team", 'prefix = "${team}-x"'), encoding="utf-8")
    status, output = pages.run(monorepo, "pclgen build --check", environment=environment)
    assert status == 1 and "looked at 3 programs: 2 would change, 1 unchanged" in output
