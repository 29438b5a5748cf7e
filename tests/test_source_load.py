"""Finding and reading programs, and the errors when that is impossible."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from pclgen import check
from pclgen.source.load import LoadError, find_own_files, load_program, read_directory


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, data: bytes = b"x = 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_a_directory_is_its_files_in_order(place: Path) -> None:
    for name in ("b.pp", "a.pp", "c.txt", "A.PP", "sub/d.pp", ".pp"):
        write(place / "web" / name)
    (place / "web" / "folder.pp").mkdir()
    program = load_program("web")
    assert (program.name, program.root) == ("web", Path("web"))
    assert [file.name for file in program.files] == ["web/.pp", "web/a.pp", "web/b.pp"]


def test_here_is_named_after_the_directory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "web" / "main.pp")
    monkeypatch.chdir(place / "web")
    program = load_program(".")
    assert (program.name, [file.name for file in program.files]) == ("web", ["main.pp"])


def test_one_file(place: Path) -> None:
    write(place / "web" / "main.pp", b"\xff")
    program = load_program("web/main.pp")
    assert (program.name, program.root, program.files[0].data) == ("main", Path("web"), b"\xff")


def test_standard_input() -> None:
    program = load_program("-", stdin=io.BytesIO(b"x = 1"))
    assert (program.name, program.files[0].name, program.files[0].data) == ("stdin", "<stdin>", b"x = 1")


def refusal(path: str) -> tuple[str, str | None]:
    with pytest.raises(LoadError) as caught:
        load_program(path)
    return str(caught.value), caught.value.hint


def test_refusals(place: Path) -> None:
    write(place / "Web" / "main.pp")
    write(place / "notes.txt")
    os.symlink("gone.pp", place / "dangling.pp")
    os.symlink("loop.pp", place / "loop.pp")
    os.mkfifo(place / "pipe.pp")
    (place / "empty").mkdir()
    assert refusal("nowhere")[0] == "there is no file or directory `nowhere`"
    assert refusal("Web/main")[1] == "did you mean `Web/main.pp`?"
    assert refusal("notes.txt")[0] == "`notes.txt` is not a .pp file"
    assert refusal("dangling.pp")[0] == "`dangling.pp` is a link to something that does not exist"
    assert refusal("loop.pp")[0].startswith("cannot read `loop.pp`: too many levels")
    assert refusal("pipe.pp")[0] == "`pipe.pp` is not a regular file"
    assert refusal("empty")[0] == "there are no .pp files directly inside `empty`"
    write(place / "outer" / "Web" / "main.pp")
    assert refusal("outer")[1] == "there are some in a directory below it: did you mean `outer/Web`?"
    assert refusal("notes.txt/main.pp")[0].startswith("cannot read `notes.txt/main.pp`: not a directory")
    assert refusal("a\0b.pp")[0].startswith("cannot read")
    assert refusal("x" * 300 + ".pp")[0].endswith("file name too long")


def test_a_bad_file_in_a_directory_is_named(place: Path) -> None:
    write(place / "web" / "main.pp")
    os.symlink("gone", place / "web" / "other.pp")
    assert refusal("web")[0] == "`web/other.pp` is a link to something that does not exist"


def test_read_directory_of_nothing(place: Path) -> None:
    (place / "empty").mkdir()
    assert read_directory(place / "empty") == ()
    with pytest.raises(LoadError):
        read_directory(place / "gone")


def test_own_files_are_searched_but_not_everywhere(place: Path) -> None:
    for name in ("b.pp", "a/z.pp", "a/b/c.pp", ".git/x.pp", "node_modules/p/x.pp", "a/readme.md", "dir.pp/in.pp"):
        write(place / name)
    os.symlink(place, place / "a" / "up")
    assert [path.as_posix() for path in find_own_files(".")] == ["b.pp", "a/z.pp", "a/b/c.pp", "dir.pp/in.pp"]
    assert list(find_own_files("b.pp")) == [Path("b.pp")]
    with pytest.raises(LoadError):
        list(find_own_files("a/readme.md"))


def test_one_file_of_a_program_knows_what_was_not_read(tmp_path: Path) -> None:
    for name, text in {"main.pp": "a = queue.arn + nope\n", "queue.pp": "queue = { arn = 1 }\nb = [1 2]\n", "x.txt": ""}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder.pp").mkdir()
    diagnostics = check(tmp_path / "main.pp").diagnostics
    folder = tmp_path.as_posix()
    where = f"`{folder}/queue.pp` declares it, and was not read: name the directory `{folder}` to read all of its files"
    assert [(d.code, d.help) for d in diagnostics] == [("PCL0501", where), ("PCL0501", None)]
    assert load_program(str(tmp_path / "main.pp")).unread == (tmp_path / "queue.pp",)
    assert load_program(str(tmp_path)).unread == ()
