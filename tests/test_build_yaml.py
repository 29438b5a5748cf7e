"""`pclgen build` and every other command that searches for programs also find programs in Pulumi YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from pclgen.cli import app
from tests.support.files import write_files

YAML = "name: shop\nruntime: yaml\noutputs:\n  answer: 42\n"
PCL = "output answer {\n  value = 42\n}\n"
OTHER = "name: other\nruntime: python\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    texts = {
        "shop/Pulumi.yaml": YAML,
        "deep/main/Main.yaml": YAML,
        "both/main.pp": PCL,
        "both/Pulumi.yaml": YAML,
        "python/Pulumi.yaml": OTHER,
        "stacks/net.yaml": YAML,
        ".hidden/Pulumi.yaml": YAML,
    }
    write_files(Path(), texts)
    return tmp_path


def configure(text: str) -> None:
    Path("pclgen.toml").write_text(f'languages = ["python"]\n{text}')


def built(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    capsys.readouterr()
    app.main(["build", *argv])
    return capsys.readouterr().err


def mains() -> list[str]:
    return sorted(path.parent.parent.as_posix() for path in Path("build").rglob("__main__.py"))


def test_a_folder_with_nothing_else_is_a_program(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure("")
    assert built(capsys) == "built 3 programs: 3 generated\n"
    assert mains() == ["build/both", "build/deep/main", "build/shop"]
    assert 'pulumi.export("answer", 42)' in Path("build/shop/python/__main__.py").read_text()
    assert built(capsys) == "built 3 programs: 3 unchanged\n"
    Path("shop/Pulumi.yaml").write_text(YAML.replace("42", "43"))
    assert built(capsys) == "built 3 programs: 1 generated, 2 unchanged\n"
    Path("shop/main.pp").write_text(PCL)
    assert "1 generated, 2 unchanged" in built(capsys), "what is PCL goes before what is YAML"
    assert 'pulumi.export("answer", 42)' in Path("build/shop/python/__main__.py").read_text()


@pytest.mark.parametrize(
    ("pattern", "programs"),
    [
        ("shop", ["build/shop"]),
        ("shop/Pulumi.yaml", ["build/shop"]),
        ("stacks/net.yaml", ["build/stacks/net"]),
        ("deep/**", ["build/deep/main"]),
        ("**/Pulumi.yaml", []),
    ],
)
def test_patterns_name_it(project: Path, capsys: pytest.CaptureFixture[str], pattern: str, programs: list[str]) -> None:
    configure(f'programs = ["{pattern}", "both"]\n')
    built(capsys)
    assert mains() == ["build/both", *programs]


def test_one_that_is_gone_takes_its_files_along(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure("")
    built(capsys)
    Path("shop/Pulumi.yaml").write_text(OTHER)
    assert built(capsys) == "built 2 programs: 2 unchanged, 1 folder removed\n"


def test_a_mistake_has_its_place_and_spoils_no_other(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure("")
    Path("shop/Pulumi.yaml").write_text(YAML.replace("42", "${nowhere.at.all}"))
    output = built(capsys)
    assert "--> shop/Pulumi.yaml:4:13" in output
    assert "built 3 programs: 2 generated, 1 failed" in output


def test_check_and_generate_find_the_same(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["check", "."]) == 0
    assert "checked 3 programs" in capsys.readouterr().err
    assert app.main(["generate", ".", "-l", "go", "-o", "out/{program}"]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["both", "main", "shop"]


def test_json_goes_before_yaml(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The order is that of Pulumi's own host: Main.json, Main.yaml, Pulumi.yaml."""
    configure("")
    Path("shop/Main.json").write_text('{"outputs": {"answer": 44}}\n')
    Path("python/Main.json").write_text('{"scripts": {"resources": "x"}}\n')
    output = built(capsys)
    assert "PCL1212" in output and "`shop/Main.json` contains the program" in output
    assert output.endswith("built 3 programs: 3 generated\n")
    assert 'pulumi.export("answer", 44)' in Path("build/shop/python/__main__.py").read_text()
    assert "name: shop" in Path("build/shop/python/Pulumi.yaml").read_text()
    assert app.main(["check", "shop/Main.json"]) == 0
    configure('programs = ["deep/main/Main.yaml", "shop/Main.json"]\n')
    assert "built 2 programs" in built(capsys)
    Path("shop/Main.json").write_text('{"outputs": {"answer": "${nothing.at.all}"}}\n')
    capsys.readouterr()
    assert app.main(["check", "shop"]) == 1
    assert "shop/Main.json:1:27" in capsys.readouterr().err
    Path("other.json").write_text('{"outputs": {"answer": 44}}\n')
    assert app.main(["check", "other.json"]) == 2
    assert "`other.json` is not a .pp file" in capsys.readouterr().err
