"""pclgen writes only where a trusted user chose, whatever links and names a repository has.

It writes no file that two programs would write.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pclgen.cli import app
from pclgen.emit.write import start_of
from pclgen.source.load import without_suffix
from pclgen.source.text import difference

PROGRAM: Final = "output x {\n  value = 1\n}\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two programs, beside a folder of another owner."""
    for folder in ("repository/.git", "repository/a", "repository/b", "else"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("a", "b"):
        (tmp_path / f"repository/{name}/main.pp").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path / "repository")
    return tmp_path / "repository"


def untouched(repository: Path) -> bool:
    return [*(repository.parent / "else").rglob("*")] == []


LINKS: Final = ("build", "build/a", "build/a/python")
"""Output folders that the repository has as links."""


@pytest.mark.parametrize("command", ["build", "generate a", "build --diff", "generate a --check"])
@pytest.mark.parametrize("link", LINKS)
def test_no_link_of_a_repository_leads_out(
    repository: Path, capfd: pytest.CaptureFixture[str], command: str, link: str
) -> None:
    Path(link).parent.mkdir(parents=True, exist_ok=True)
    Path(link).symlink_to(repository.parent / "else")
    assert app.main([*command.split(), "--no-cache"] if command.startswith("build") else command.split()) == 2
    assert "a link leads out" in capfd.readouterr().err
    assert untouched(repository)


@pytest.mark.parametrize("link", LINKS)
def test_what_is_typed_is_trusted_as_far_as_it_is_written_out(
    repository: Path, capfd: pytest.CaptureFixture[str], link: str
) -> None:
    Path(link).parent.mkdir(parents=True, exist_ok=True)
    Path(link).symlink_to(repository.parent / "else")
    for command in ("build", "generate"):
        status = app.main([command, "a", "--out", "build/{program}/{language}"])
        assert (status, untouched(repository)) == ((0, False) if link == "build" else (2, True)), capfd.readouterr().err
    assert app.main(["generate", "a", "--allow-outside"]) == 0
    assert app.main(["generate", "a", "-l", "go", "--out", "../mine/{language}/../x"]) == 0
    assert Path("../mine/x/main.go").exists()
    assert not untouched(repository)


def test_a_configuration_writes_in_its_repository(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("infra").mkdir()
    Path("a").rename("infra/a")
    for output, status in (("../made/{path}", 0), ("../../else/{path}", 2), ("x/../../../else/{path}", 2)):
        Path("infra/pclgen.toml").write_text(f'output = "{output}/{{language}}"\nprograms = ["*"]\n')
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir("infra")
            assert app.main(["build"]) == status, output
    assert Path("made/a/go/main.go").exists() and untouched(repository)
    assert "lies outside of" in capfd.readouterr().err


def test_what_is_gone_is_removed_in_the_repository_only(repository: Path) -> None:
    assert app.main(["build", "--out", "../else/{path}/{language}"]) == 0
    Path("pclgen.toml").write_text('programs = ["none/*"]\n')
    Path("build").symlink_to(repository.parent / "else")
    assert app.main(["build"]) == 2
    assert Path("../else/a/go/main.go").exists()


@pytest.mark.parametrize("command", ["build", "generate a b"])
def test_two_folders_that_are_one_by_a_link(repository: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    Path("build/a").mkdir(parents=True)
    Path("build/b").symlink_to("a")
    assert app.main(command.split()) == 2
    assert "would both be written" in capfd.readouterr().err
    assert [*Path("build/a").iterdir()] == []


@pytest.mark.parametrize("name", ["...pp", "..pp", "....pp"])
def test_no_name_of_a_program_leads_up(repository: Path, name: str) -> None:
    Path("s").mkdir()
    Path(f"s/{name}").write_text(PROGRAM)
    Path("pclgen.toml").write_text('programs = ["s/*.pp"]\n')
    for placeholder in ("path", "program"):
        for command in ("build", f"generate s/{name}"):
            out = f"out/{command[:1]}/{placeholder}"
            assert app.main([*command.split(), "-l", "go", "--out", f"{out}/{{{placeholder}}}/x"]) == 0
            way = "s/program" if placeholder == "path" else "program"
            assert [*Path(out).rglob("main.go")] == [Path(out, way, "x", "main.go")]


def test_fmt_changes_no_file_of_others(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = repository.parent / "else" / "x.pp"
    other.write_text("a=1\n")
    Path("a/x.pp").symlink_to(other)
    assert app.main(["fmt", "."]) == 2
    assert "leads out of the repository" in capfd.readouterr().err and other.read_text() == "a=1\n"
    assert app.main(["fmt", "a/x.pp"]) == 0
    assert other.read_text() == "a = 1\n"


def test_schemas_are_added_in_the_repository(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (repository.parent / "shop.json").write_text('{"name": "shop", "version": "1.0.0"}')
    Path("schemas").symlink_to(repository.parent / "else")
    for command in (["add", "shop", "--from", "../shop.json"], ["remove", "shop"]):
        assert app.main(["schema", *command]) == 1
        assert "a link leads out of the repository" in capfd.readouterr().err and untouched(repository)


def test_beginnings_of_patterns() -> None:
    starts = {pattern: start_of(pattern) for pattern in ("{path}", "a/{path}", "a/b-{path}", "a/b", "/a/{x}/b")}
    assert starts == {"{path}": "", "a/{path}": "a", "a/b-{path}": "a", "a/b": "a/b", "/a/{x}/b": "/a"}
    assert [without_suffix(path) for path in ("a", "a.pp", "a/...pp", "..pp", "a.pp.pp")] == [
        "a", "a", "a/program", "program", "a.pp",
    ]  # fmt: skip  # a list


def test_lines_of_a_difference_end_where_those_of_files_end() -> None:
    ends = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
    rows = [*difference(f"a{ends}b\nc", f"a{ends}\nc", ("x\n+y", "z"))]
    assert rows == ["--- x\\x0a+y", "+++ z", "@@ -1,2 +1,2 @@", f"-a{ends}b", f"+a{ends}", " c", "\\ No newline at end of file"]
    assert [*difference(None, "a\n", ("x", "y"))] == ["--- /dev/null", "+++ y", "@@ -0,0 +1 @@", "+a"]
