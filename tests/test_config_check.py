"""`pclgen config check`: errors in the configuration of a stack, at their position in the YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.cli import app
from pclgen.evaluate.config import check_stack_file
from pclgen.source.text import SourceFile
from tests.support.binding import bind_text, codes_and_positions

PROGRAM = """
config size int {}
config region string { default = "eu" }
config owner "object({ login = string, ages = list(number) })" {
  default = { login = "a", ages = [] }
}
config flag bool { default = true }
config yes string { default = "" }
config token string {
  secret = true
  default = "x"
}
config "aws:profile" string { default = "p" }
"""
BOUND = bind_text(PROGRAM)[0]


def positions_of(text: str) -> list[tuple[str, str]]:
    """The codes and the positions of the diagnostics."""
    return codes_and_positions(tuple(check_stack_file(BOUND, "shop", SourceFile("Pulumi.dev.yaml", text))))


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("shop:size: 3", []),
        ("size: 3", []),
        ('shop:size: "3"', []),
        ("shop:size: 3.5", [("PCL1008", "2:14")]),
        ("shop:size: many", [("PCL1008", "2:14")]),
        ("shop:size: [1]", [("PCL1008", "2:14")]),
        ("shop:size: 1\n  shop:sise: 2", [("PCL1017", "3:3")]),
        ("size: 1\n  sise: 2", [("PCL1017", "3:3")]),
        ("size: 1\n  gcp:sise: 2", []),
        ("size: 1\n  aws:profile: me", []),
        ("size: 1\n  shop:flag: maybe", [("PCL1008", "3:14")]),
        ("size: 1\n  flag: false", []),
        ("size: 1\n  yes: no", []),
        ("size: 1\n  owner: {login: me, ages: [1, 2.5]}", []),
        ("size: 1\n  owner:\n    login: me\n    ages: [x]", [("PCL1008", "4:5")]),
        ("size: 1\n  owner: me", [("PCL1008", "3:10")]),
        ("size: 1\n  token:\n    secure: AAA", []),
        ("size:\n    secure: AAA", []),
        ("region: us", [("PCL1007", "2:3")]),
    ],
)
def test_each_mistake_has_its_place(section: str, expected: list[tuple[str, str]]) -> None:
    assert positions_of(f"config:\n  {section}\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("PCL1007", "1:1")]),
        ("encryptionsalt: x\n", [("PCL1007", "1:1")]),
        ("config: [1\n", [("PCL1018", "2:1")]),
        ("config: 1\n", [("PCL1018", "1:9")]),
        ("config:\n  - a\n", [("PCL1018", "2:3")]),
        ("config: {}\n", [("PCL1007", "1:9")]),
    ],
)
def test_files_that_say_little_or_nothing(text: str, expected: list[tuple[str, str]]) -> None:
    assert positions_of(text) == expected


PIECES = ("config:", "\n", "  ", "shop:", "size", "owner", ": ", "- ", "[", "]", "{", "}", '"', "'", "&a ", "*a", "yes", "0x10", "!!int ", "|", "<<", "3", "\x85", "é", "#", "secure")


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_no_text_is_too_much(text: str) -> None:
    assert all(code in ("PCL1007", "PCL1008", "PCL1017", "PCL1018") for code, _ in positions_of(f"config:\n  {text}\n"))
    assert all(code.startswith("PCL10") for code, _ in positions_of(text))


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("web").mkdir()
    Path("web/main.pp").write_text("config size int {}\n")
    Path("web/Pulumi.yaml").write_text("name: shop\n")
    Path("web/Pulumi.dev.yaml").write_text("config:\n  shop:size: 3\n")
    Path("web/Pulumi.prod.yaml").write_text("config:\n  shop:size: many\n")
    return tmp_path


def test_the_command(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["config", "check", "web/Pulumi.dev.yaml", "--isolated"]) == 0
    assert capsys.readouterr().err == "checked 1 stack: no problems\n"
    assert app.main(["config", "check", "web/Pulumi.dev.yaml", "web/Pulumi.prod.yaml", "--isolated"]) == 1
    stderr = capsys.readouterr().err
    assert "--> web/Pulumi.prod.yaml:2:14" in stderr and "::: web/main.pp:1:8" in stderr and stderr.endswith("1 error\n")
    assert app.main(["config", "check", "web/Pulumi.prod.yaml", "--project", "other", "--isolated"]) == 1
    assert "PCL1007" in capsys.readouterr().err, "keys of another project are not this program's"
    assert app.main(["config", "check", "nowhere/Pulumi.dev.yaml", "--program", "web", "--isolated"]) == 2


def test_errors_of_the_program_come_first(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("web/main.pp").write_text("config size innt {}\n")
    assert app.main(["config", "check", "web/Pulumi.dev.yaml", "--isolated"]) == 1
    assert "PCL0211" in capsys.readouterr().err
