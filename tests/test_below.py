"""`generate` and `check` for all programs below a folder, and the files that `generate` would write."""

from __future__ import annotations

from pathlib import Path

import pytest

from pclgen.cli import app
from tests.support.commands import Ran
from tests.test_build import BAD, GOOD, configure, contents, write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    configure("")
    use = 'component c "../../part" {\n}\n'
    write({"infra/a/app/main.pp": use, "infra/b/app/main.pp": GOOD, "infra/part/main.pp": "output y { value = 1 }\n"})
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> Ran:
    capsys.readouterr()
    status = app.main([*argv])
    captured = capsys.readouterr()
    return Ran(status, captured.out, captured.err)


def test_check_finds_programs_below_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del folder
    assert run(capsys, "check", "infra") == Ran(0, "", "checked 2 programs, 2 files: no problems\n")
    write({"infra/deep/er/main.pp": BAD})
    ran = run(capsys, "check", ".", "--quiet")
    assert ran.status == 1 and "infra/deep/er/main.pp:2:11" in ran.err
    assert run(capsys, "check", "infra/part").err == "checked 1 program, 1 file: no problems\n"
    Path("empty").mkdir()
    error = run(capsys, "check", "empty").err
    assert "there are no .pp files directly inside `empty`" in error and "a folder with `.pp` files" in error


@pytest.mark.parametrize("name", ["random-4.21.1.json", "schema.json"])
def test_a_folder_of_package_schemas_is_for_another_command(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del folder
    write({f"schemas/{name}": "{}"})
    assert "`pclgen docs coverage schemas`" in run(capsys, "check", "schemas").err
    assert "`pclgen docs coverage schemas`" in run(capsys, "generate", "schemas").err
    write({"pclgen.toml": 'programs = ["schemas"]\noutput = "out/{program}/{language}"\n'})
    assert "`pclgen docs coverage schemas`" in run(capsys, "build").err


def test_generate_finds_programs_below_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del folder
    ran = run(capsys, "generate", "infra", "-l", "go")
    assert ran.status == 2 and "two programs are named app" in ran.err and "build/{path}/{language}" in ran.err
    assert run(capsys, "generate", "infra", "-l", "go", "--out", "out/{path}/{language}").status == 0
    assert sorted(path for path in contents("out") if path.endswith("main.go")) == [
        "out/infra/a/app/go/main.go", "out/infra/b/app/go/main.go",
    ]  # fmt: skip  # a table
    write({f"many/{n:02}/main.pp": GOOD for n in range(15)})
    assert run(capsys, "generate", "many", "-l", "go").err == "wrote 15 folders: 60 files, 15 folders changed\n"
    assert run(capsys, "generate", "many", "-l", "go").err == "wrote 15 folders: 60 files, 0 folders changed\n"


@pytest.mark.parametrize("option", ["--check", "--diff", "--dry-run"])
def test_what_would_be_written(folder: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    del folder
    command = ("generate", "infra/b/app", "-l", "go")
    first = run(capsys, *command, option)
    assert first.status == (0 if option == "--dry-run" else 1) and not Path("build").exists()
    assert run(capsys, *command).status == 0
    assert run(capsys, *command, option) == Ran(0, "", "")
    write({"infra/b/app/main.pp": GOOD.replace("42", "43")})
    before = contents()
    ran = run(capsys, *command, option)
    assert ran.status == (0 if option == "--dry-run" else 1) and contents() == before
    if option == "--diff":
        assert ran.out.startswith("--- build/app/go/main.go\n+++ build/app/go/main.go\n") and "43" in ran.out
    else:
        assert ran.out == "build/app/go/main.go\n"
    Path("build/app/go/main.go").write_text("mine")
    assert run(capsys, *command, option).status == 2


def test_the_way_from_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    del folder
    monkeypatch.chdir("infra/a")
    assert run(capsys, "generate", "../b/app", "app/main.pp", "-l", "go", "--out", "out/{path}").status == 0
    assert sorted(path for path in contents("out") if path.endswith("/main.go")) == ["out/app/main.go", "out/app/main/main.go"]
