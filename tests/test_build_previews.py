"""`build --check` and `build --diff` report exactly the changes of a build, for all programs of the corpora and examples.

The programs of each corpus are built three times: from nothing, after a change in each program (and the deletion of
another), and without a change.  Before each build both commands run, and git applies the diff to a copy of the output."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pclgen.cli import app
from tests.support.conformance import programs
from tests.support.corpus import needs_corpus, program_directories
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs

Sources = Callable[[], Iterator[tuple[str, Path, tuple[Path, ...]]]]
MORE = '\noutput anotherOne {\n  value = "more"\n}\n'


def examples() -> Iterator[tuple[str, Path, tuple[Path, ...]]]:
    for name, path in example_programs().items():
        yield name, path, (EXAMPLE_SCHEMAS,)


def field() -> Iterator[tuple[str, Path, tuple[Path, ...]]]:
    for path in program_directories("field"):
        yield path.name, path, (REAL_SCHEMAS, EXAMPLE_SCHEMAS)


def bad() -> Iterator[tuple[str, Path, tuple[Path, ...]]]:
    for path in program_directories("bad"):
        yield path.name, path, (REAL_SCHEMAS, EXAMPLE_SCHEMAS)


def conformance() -> Iterator[tuple[str, Path, tuple[Path, ...]]]:
    for name, program in programs():
        yield name, program.folder, program.schemas


@pytest.mark.parametrize(
    ("sources", "least"),
    [
        pytest.param(examples, 3, id="examples"),
        pytest.param(field, 30, id="field", marks=needs_corpus),
        pytest.param(bad, 0, id="bad", marks=needs_corpus),
        pytest.param(conformance, 100, id="conformance and codegen", marks=needs_corpus),
    ],
)
def test_they_agree_with_a_build(
    sources: Sources, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    names = list(_copied(sources, tmp_path / "programs"))
    Path("pclgen.toml").write_text('programs = ["programs"]\n')
    first = _agrees(tmp_path, capsys)
    assert len(first) >= least
    for name in names:
        paths = sorted(Path("programs", name).glob("*.pp"))
        paths[0].write_bytes(paths[0].read_bytes() + MORE.encode())
    if len(names) > 1:
        shutil.rmtree(Path("programs", names[-1]))
    second = _agrees(tmp_path, capsys)
    assert len(second) >= min(least, 1)
    assert _agrees(tmp_path, capsys) == set(), "nothing is left to do"


def _copied(sources: Sources, top: Path) -> Iterator[str]:
    """The names of the programs, each with its own configuration of schema paths."""
    for name, path, schemas in sources():
        place = top / name
        shutil.copytree(path, place)
        if any(place.glob("*.pp")):
            quoted = ", ".join(f'"{schema}"' for schema in schemas if schema.exists())
            (place / "pclgen.toml").write_text(f"schemas = [{quoted}]\n")
            yield name


def _agrees(top: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Preview a build, then build; return the changed files."""
    before = _contents(top / "build")
    status, listed = _asked("--check", capsys)
    other_status, shown = _asked("--diff", capsys)
    assert _contents(top / "build") == before, "asking changes nothing"
    _apply(top, shown)
    built, _ = _asked("--quiet", capsys)
    after = _contents(top / "build")
    assert _contents(top / "copy" / "build") == after
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    folders = tuple(line for line in listed if line.endswith("/"))
    reported = {line.removeprefix("build/") for line in listed if not line.endswith("/")}
    assert reported == {path for path in changed if not f"build/{path}".startswith(folders)}
    assert status == other_status == int(bool(changed) or bool(built)), "1 where a build fails, or would do something"
    return changed


def _asked(option: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    capsys.readouterr()
    status = app.main(["build", option])
    return status, capsys.readouterr().out.splitlines(keepends=option == "--diff")


def _apply(top: Path, diff: list[str]) -> None:
    """Apply `diff` to a copy of the current files."""
    copy = top / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    if (top / "build").exists():
        shutil.copytree(top / "build", copy / "build")
    folders = [line.strip() for line in diff if line.endswith("/\n") and line.startswith("build/")]
    for folder in folders:
        shutil.rmtree(copy / folder)
    text = "".join(line for line in diff if line.strip() not in folders)
    if text:
        done = subprocess.run(
            ["git", "apply", "-p0", "--whitespace=nowarn", "-"],
            input=text.encode(),
            cwd=copy,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()


def _contents(top: Path) -> dict[str, bytes]:
    """The files below `top`, without the lists of files that pclgen wrote."""
    files = {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}
    return {path: data for path, data in files.items() if not path.endswith("/.pclgen.json")}
