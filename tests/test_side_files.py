"""Files beside programs, output locations and arguments of the library: odd, deep, circular.  Each gets an answer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pclgen
from pclgen.cli import app

PROGRAM = "output x {\n  value = 1\n}\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "main.pp").write_text(PROGRAM)
    return folder


DEEP = 100_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Pulumi.yaml", "name: 2001-99-99\n"),
        ("Pulumi.yaml", "name: !!int abc\n"),
        ("Pulumi.yaml", "name: [" * DEEP),
        ("Pulumi.yaml", "a: &a [x]\nname: *b\n"),
        ("pclgen.toml", "a = " + "[" * DEEP),
        ("pclgen.toml", "schemas = 2001-99-99\n"),
        ("pyproject.toml", "[tool.pclgen]\nschemas = " + "{a=" * DEEP),
        ("schemas/pclgen.lock", "[" * DEEP),
        ("schemas/shop.json", "[" * DEEP),
        ("schemas/shop.yaml", "[" * DEEP),
    ],
)
def test_odd_files_beside_a_program(
    program: Path, tmp_path: Path, name: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = program / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(text)
    (program / "main.pp").write_text(PROGRAM + 'resource r "shop:index:Thing" {}\n')
    status = app.main(["generate", str(program), "--out", str(tmp_path / "out" / "{language}")])
    captured = capsys.readouterr()
    assert status in (0, 1, 2), captured.err
    assert "Traceback" not in captured.err and "pclgen itself failed" not in captured.err


@pytest.mark.parametrize("option", ["--replay", "--config-file"])
@pytest.mark.parametrize("text", ["[" * DEEP, "config:\n  web:a: 2001-99-99\n", "\x00", '{"config": {"web:a": ' + "[" * DEEP])
def test_odd_files_for_a_run(program: Path, option: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (program / "given.yaml").write_text(text)
    status = app.main(["evaluate", str(program), option, str(program / "given.yaml")])
    captured = capsys.readouterr()
    assert status in (0, 1, 2), captured.err
    assert "pclgen itself failed" not in captured.err


def test_a_cycle_of_links_as_output(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert app.main(["generate", str(program), "--out", f"{tmp_path}/a/{{language}}"]) == 2
    assert "pclgen itself failed" not in capsys.readouterr().err


def _without_rights(arguments: list[str | bytes], home: bytes) -> subprocess.CompletedProcess[str]:
    """Run pclgen in a process without superuser rights, so that folders can be closed to it."""
    drop = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []
    environment = {**os.environb, b"HOME": home, b"XDG_CACHE_HOME": b"", b"PCLGEN_CACHE_DIR": b"", b"PULUMI_HOME": b""}
    command = [*drop, sys.executable, "-m", "pclgen", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="the superuser can enter everything")
@pytest.mark.parametrize("home", [b"closed", b"closed/below", b"half", b"no-text-\xff", b"missing"])
def test_a_home_that_cannot_be_used(program: Path, tmp_path: Path, home: bytes) -> None:
    resources = {f"big:index:R{n}": {"description": "x" * 500} for n in range(2_500)}  # large enough to be cached
    (tmp_path / "big.json").write_text(json.dumps({"name": "big", "version": "1.0.0", "resources": resources}))
    (program / "main.pp").write_text('resource r "big:index:R1" {}\n')
    for name, mode in (("closed/below", 0o755), ("closed", 0), ("half", 0o500)):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name).chmod(mode)
    place = os.path.join(os.fsencode(tmp_path), home)
    arguments: list[str | bytes] = [str(program), "--schemas", str(tmp_path / "big.json")]
    try:
        checked = _without_rights(["check", *arguments], place)
        assert (checked.returncode, checked.stderr) == (0, "checked 1 program, 1 file: no problems\n")
        generated = _without_rights(["generate", *arguments, "-l", "go", "--program-only", "--out", place + b"/out"], place)
        assert generated.returncode == (2 if home in (b"closed", b"closed/below", b"half") else 0), generated.stderr
        assert "pclgen itself failed" not in generated.stderr
        barred = _without_rights(["check", str(program), "--schemas", place + b"/schemas"], place)
        assert barred.returncode in (1, 2), barred.stderr
    finally:
        (tmp_path / "closed").chmod(0o755)


@pytest.mark.parametrize("option", ["--replay", "--config-file"])
def test_what_is_no_file_is_not_waited_for(program: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(program / "pipe")
    for place in ("/dev/zero", str(program / "pipe"), str(program)):
        assert app.main(["evaluate", str(program), option, place]) == 2
        assert "pclgen itself failed" not in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/1").is_dir(), reason="no folder in which nothing can be made")
def test_a_folder_that_cannot_be_created_is_an_error(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["generate", str(program), "-l", "go", "--out", "/proc/1/out"]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_a_full_standard_error_changes_no_exit_status(program: Path) -> None:
    for text, status in ((PROGRAM, 0), ("output x {\n  value = nope\n}\n", 1)):
        (program / "main.pp").write_text(text)
        with open("/dev/full", "w") as full:
            done = subprocess.run([sys.executable, "-m", "pclgen", "check", str(program)], stderr=full, check=False)
        assert done.returncode == status


def test_the_library_says_what_it_cannot_take(tmp_path: Path) -> None:
    with pytest.raises(pclgen.LoadError, match="half a character"):
        pclgen.check({"main.pp": "a = \"\ud800\"\n"})
    with pytest.raises(pclgen.LoadError, match="half a character"):
        pclgen.format_text("\ud800")
    with pytest.raises(pclgen.LoadError):
        pclgen.check(str(tmp_path) + "\0")
    with pytest.raises(ValueError, match="there is no language 'cobol'"):
        pclgen.generate({"main.pp": PROGRAM}, languages=["cobol"])
