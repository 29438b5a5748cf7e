"""Templates are compiled once per machine, and again when they change."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import jinja2
import pytest

from pclgen.emit import environment

Render = Callable[[], str]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the compiled templates."""
    names: list[str] = []
    compile_template = jinja2.Environment.compile

    def noted(self: jinja2.Environment, source: str, name: str, filename: str) -> object:
        names.append(name)
        return compile_template(self, source, name, filename)

    monkeypatch.setattr(jinja2.Environment, "compile", noted)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return names


@pytest.fixture
def render(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Render:
    """Render `a.jinja` as in a new process."""
    monkeypatch.setattr(environment, "TEMPLATE_FOLDERS", (tmp_path / "nowhere", tmp_path))
    (tmp_path / "a.jinja").write_text("{% for x in 'ab' %}{{ x }}{% endfor %}")
    return lambda: environment.environment.__wrapped__().get_template("a.jinja").render()


def test_a_template_is_compiled_once(render: Render, compiled: list[str]) -> None:
    assert [render(), render(), render()] == ["ab"] * 3
    assert compiled == ["a.jinja"]


def test_a_template_that_changes_is_compiled_again(render: Render, compiled: list[str], tmp_path: Path) -> None:
    assert render() == "ab"
    (tmp_path / "a.jinja").write_text("{% for x in 'ba' %}{{ x }}{% endfor %}")
    assert render() == "ba"
    assert compiled == ["a.jinja", "a.jinja"]


def test_options_of_templates_are_part_of_the_name(
    render: Render, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert render() == "ab"
    monkeypatch.setitem(environment._MANNER, "trim_blocks", False)
    assert render() == "ab"
    assert compiled == ["a.jinja", "a.jinja"]


def test_nothing_is_written_where_python_writes_no_bytecode(
    render: Render, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [render(), render()] == ["ab", "ab"]
    assert compiled == ["a.jinja", "a.jinja"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.jinja"]


def test_a_folder_that_cannot_be_written_costs_only_time(
    render: Render, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert [render(), render()] == ["ab", "ab"]
    assert compiled == ["a.jinja", "a.jinja"]
