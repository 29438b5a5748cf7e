"""The files that a program may name: those of its own repository, unless the command line allows more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pclgen
from pclgen.diagnostics.render import render_text
from pclgen.source.load import LoadError, load_program

COMPONENT = "output out {\n  value = 1\n}\n"


def program(folder: Path, source: str) -> Path:
    """A program with a component from `source`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.pp").write_text(f'component c "{source}" {{\n}}\n')
    return folder


def component(folder: Path) -> Path:
    """A directory with a component."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.pp").write_text(COMPONENT)
    return folder


def diagnostics_of(folder: Path, *, allow_outside: bool = False) -> str:
    """The diagnostics of a program."""
    return render_text(pclgen.check(folder, allow_outside=allow_outside).diagnostics, color=False)


@pytest.mark.parametrize("mark", [".git", "pclgen.toml"])
def test_components_may_lie_anywhere_in_the_repository(tmp_path: Path, mark: str) -> None:
    component(tmp_path / "modules" / "web")
    path = program(tmp_path / "stacks" / "prod", "../../modules/web")
    (tmp_path / mark).mkdir() if mark == ".git" else (tmp_path / mark).write_text("")
    assert diagnostics_of(path) == ""


def test_components_lie_nowhere_else(tmp_path: Path) -> None:
    outside = component(tmp_path / "secret")
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "link").symlink_to(outside)
    for source in ("../../secret", str(outside), "../link", "../../nothing", "/etc", "../link/../link"):
        path = program(repository / "web", source)
        text = diagnostics_of(path)
        assert "PCL0705" in text and "lies outside of the repository" in text and "--allow-outside" in text, text
        assert "value" not in text
    assert diagnostics_of(program(repository / "web", "../../secret"), allow_outside=True) == ""


def test_without_a_repository_the_program_is_the_fence(tmp_path: Path) -> None:
    component(tmp_path / "other")
    component(tmp_path / "web" / "inner")
    assert "outside" in diagnostics_of(program(tmp_path / "web", "../other"))
    assert diagnostics_of(program(tmp_path / "web", "./inner")) == ""


def test_what_a_link_leads_to_is_never_quoted(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("root:$6$hash\n")
    folder = component(tmp_path / "web")
    (folder / "extra.pp").symlink_to(tmp_path / "secret")
    with pytest.raises(LoadError, match="leads out of the repository") as caught:
        load_program(str(folder))
    assert "secret" not in f"{caught.value}{caught.value.hint}"
    inner = component(tmp_path / "app" / "inner")
    (inner / "extra.pp").symlink_to(tmp_path / "secret")
    text = diagnostics_of(program(tmp_path / "app", "./inner"))
    assert "leads out of the repository" in text and "hash" not in text and "secret" not in text


def test_links_inside_are_followed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    component(tmp_path / "modules")
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "main.pp").symlink_to(tmp_path / "modules" / "main.pp")
    assert diagnostics_of(folder) == ""


@pytest.mark.parametrize("name", ["...pp", "..pp", "....pp"])
def test_the_name_of_a_program_leads_nowhere(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / name).write_text("a = 1\n")
    assert load_program(str(folder / name)).name == "program"


@pytest.mark.parametrize(
    "main", ["Pulumi.yaml", "pulumi.YAML/x", ".pclgen.json", "a/.pclgen.json", ".git/hooks", "a\nb", "a\x1bb"]
)
def test_main_is_no_other_file_of_the_project(tmp_path: Path, main: str) -> None:
    folder = component(tmp_path)
    (folder / "Pulumi.yaml").write_text(json.dumps({"name": "x", "main": main}))
    with pytest.raises(LoadError, match="main") as caught:
        load_program(str(folder))
    assert str(caught.value).isprintable()


def test_evaluation_reads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hunter2")
    for name in (str(tmp_path / "secret.txt"), "../secret.txt", "link.txt"):
        web = tmp_path / "web"
        web.mkdir(exist_ok=True)
        if not (web / "link.txt").exists():
            (web / "link.txt").symlink_to(tmp_path / "secret.txt")
        (web / "main.pp").write_text(f'output x {{\n  value = readFile("{name}")\n}}\n')
        result = pclgen.evaluate_program(web)
        text = render_text(result.diagnostics, color=False)
        assert "PCL1012" in text and "lies outside of the repository" in text and "hunter2" not in text, text
        assert not pclgen.evaluate_program(web, allow_outside=True).diagnostics
    (tmp_path / ".git").mkdir()
    assert not pclgen.evaluate_program(tmp_path / "web").diagnostics
