"""The project file next to a program: its effect on the generated project."""

from __future__ import annotations

from pathlib import Path

import pytest

from pclgen.pipeline import generate
from pclgen.source.load import LoadError, load_program
from pclgen.source.project import ProjectFile, read_project

PROGRAM = 'output "name" {\n  value = "x"\n}\n'


def program(folder: Path, project: str) -> Path:
    (folder / "main.pp").write_text(PROGRAM, encoding="utf-8")
    (folder / "Pulumi.yaml").write_text(project, encoding="utf-8")
    return folder


def test_name_description_and_main_reach_the_project(tmp_path: Path) -> None:
    loaded = load_program(str(program(tmp_path, "name: shop\ndescription: 'Our: shop'\nmain: src/app\nruntime: pcl\n")))
    assert loaded.project == ProjectFile(name="shop", description="Our: shop", main="src/app")
    files = {str(path): text for path, text in generate(loaded, languages=["typescript"]).files["typescript"].items()}
    assert {"Pulumi.yaml", "src/app/index.ts", "src/app/package.json"} <= set(files)
    assert files["Pulumi.yaml"].startswith('name: shop\ndescription: "Our: shop"\nruntime: nodejs\nmain: src/app\n')
    assert '"name": "shop"' in files["src/app/package.json"]


@pytest.mark.parametrize("text", ["", "[]", "name: [1]", "a: b: c", "\0", "main: .", "main: ''"])
def test_what_says_nothing_is_passed_over(tmp_path: Path, text: str) -> None:
    assert read_project(program(tmp_path, text)) == ProjectFile()


@pytest.mark.parametrize("main", ["..", "a/../../b", "/etc", "C:\\\\x", "..\\\\x"])
def test_sources_stay_inside_the_project(tmp_path: Path, main: str) -> None:
    with pytest.raises(LoadError, match="leads out of the project"):
        load_program(str(program(tmp_path, f'main: "{main}"\n')))


def test_a_program_of_one_file_has_no_project_file(tmp_path: Path) -> None:
    assert load_program(str(program(tmp_path, "name: shop\n") / "main.pp")).project == ProjectFile()
