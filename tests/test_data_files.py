"""A build copies only the files that a program names beside the generated code."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest

import pclgen
from pclgen.cli import app
from pclgen.diagnostics.model import Diagnostic
from pclgen.source import files as limits

PROGRAM = """\
folder = "policies"
output a {
  value = readFile("./policy.json")
}
output b {
  value = filebase64("${folder}/b.json")
}
output c {
  value = filebase64sha256("${cwd()}/${folder}/c d.json")
}
component part "./part" {}
"""
PART = """\
output d {
  value = readFile("part/d.txt")
}
"""


def program(folder: Path, text: str = PROGRAM, **files: str) -> Path:
    """A program of `text` with files beside it (`__` in a name separates folders)."""
    folder.mkdir(exist_ok=True)
    (folder / "main.pp").write_text(text)
    for name, content in files.items():
        place = folder / name.replace("__", "/").replace("_DOT_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    return folder


def said(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    return [f"{d.code} {d.primary.start_position.line if d.primary else 0}: {d.message}" for d in diagnostics]


def read(text: str) -> str:
    return f'output x {{\n  value = readFile("{text}")\n}}\n'


def data(result: pclgen.GenerateResult) -> list[str]:
    return [str(path) for path in result.data.get("python", {})]


def test_what_is_named_is_copied_and_kept_up_to_date(tmp_path: Path) -> None:
    files = {"policy_DOT_json": "{}", "policies__b_DOT_json": "b", "policies__c d_DOT_json": "c", "part__main_DOT_pp": PART}
    source = program(tmp_path / "web", part__d_DOT_txt="d", other_DOT_txt="not named", **files)
    out = tmp_path / "out"
    assert app.main(["generate", str(source), "--out", f"{out}/{{language}}"]) == 0
    for language in pclgen.LANGUAGES:
        names = {path.relative_to(out / language).as_posix() for path in (out / language).rglob("*")}
        assert {"policy.json", "policies/b.json", "policies/c d.json", "part/d.txt"} <= names
        assert "other.txt" not in names
        assert (out / language / "policies" / "b.json").read_text() == "b"
    (source / "policies" / "b.json").write_text("new")
    (source / "main.pp").write_text(read("policies/b.json"))
    assert app.main(["generate", str(source), "--out", f"{out}/{{language}}"]) == 0
    assert (out / "go" / "policies" / "b.json").read_text() == "new"
    assert not (out / "go" / "policy.json").exists()
    assert app.main(["generate", str(source), "--no-copy-files", "--out", f"{out}/{{language}}"]) == 0
    assert not (out / "go" / "policies").exists()


def test_a_default_of_configuration_names_files(tmp_path: Path) -> None:
    text = """\
config site string {
  default = "./www"
}
config page string {
}
index = "${site}/index.html"
output all {
  value = fileArchive(site)
}
output one {
  value = [readFile(index), readFile("${site}/${page}")]
}
"""
    source = program(tmp_path / "web", text, www__index_DOT_html="x", www__404_DOT_html="y")
    assert data(pclgen.generate(source)) == ["www/404.html", "www/index.html"]
    (tmp_path / "yaml").mkdir()
    (tmp_path / "yaml" / "Pulumi.yaml").write_text(
        "name: web\nruntime: yaml\nconfig:\n  site: {type: string, default: ./www}\n"
        "outputs:\n  all: {fn::fileArchive: '${site}'}\n"
    )
    source = program(tmp_path / "yaml", text="", www__a_DOT_html="a")
    (source / "main.pp").unlink()
    assert data(pclgen.generate(source)) == ["www/a.html"]


def test_the_project_finds_its_files_where_it_runs(tmp_path: Path) -> None:
    source = program(tmp_path / "web", read("./a.txt"), a_DOT_txt="a", Pulumi_DOT_yaml="name: web\nmain: src\n")
    assert data(pclgen.generate(source)) == ["src/a.txt"]


def test_folders_of_archives(tmp_path: Path) -> None:
    text = 'site = fileArchive("./site")\noutput x {\n  value = { a = site, b = fileAsset("./site") }\n}\n'
    source = program(tmp_path / "web", text, site__index_DOT_html="i", site__css__a_DOT_css="a")
    result = pclgen.generate(source)
    assert data(result) == ["site/index.html", "site/css/a.css"]
    assert said(result.diagnostics) == ["PCL1102 3: `./site` is not copied: it is a directory, not a file"]


def test_a_missing_file_is_reported_at_its_place(tmp_path: Path) -> None:
    source = program(tmp_path / "web", read("./a.txt"))
    expected = ["PCL1101 2: `./a.txt`: there is no such file"]
    assert said(pclgen.check(source).diagnostics) == expected
    assert said(pclgen.generate(source).diagnostics) == expected
    assert said(pclgen.check({"main.pp": read("./a.txt")}).diagnostics) == []


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../secret.txt", "it lies outside the directory of the program"),
        ("a/../../secret.txt", "it lies outside the directory of the program"),
        ("link.txt", "a link leads out of the directory of the program"),
        ("through/secret.txt", "a link leads out of the directory of the program"),
        ("folder", "it is a directory, not a file"),
        ("pipe", "`pipe` is no ordinary file"),
        ("requirements.txt", "the project has a file of its own at `requirements.txt`"),
        ("PULUMI.YAML", "the project has a file of its own at `Pulumi.yaml`"),
        (".pclgen.json", "the project has a file of its own at `.pclgen.json`"),
        ("go.mod/x", "the project has a file of its own at `go.mod`"),
        ("json.py", "Python would import it in place of the module `json`"),
        ("pulumi/__init__.py", "Python would import it in place of the module `pulumi`"),
        ("helper.go", "Go would compile it as a part of the program"),
        ("node_modules/x/index.js", "Node would import it in place of an installed package"),
    ],
)
def test_files_that_are_not_copied_are_reported(tmp_path: Path, path: str, reason: str) -> None:
    source = program(tmp_path / "web", read(path))
    (tmp_path / "secret.txt").write_text("s")
    (source / "folder").mkdir()
    os.mkfifo(source / "pipe")
    (source / "link.txt").symlink_to(tmp_path / "secret.txt")
    (source / "through").symlink_to(tmp_path)
    if not path.startswith(("..", "a/", "link", "through", "folder", "pipe")):
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text("mine")
    result = pclgen.generate(source)
    assert said(result.diagnostics) == [f"PCL1102 2: `{path}` is not copied: {reason}"]
    refused = [language for language in pclgen.LANGUAGES if PurePosixPath(path) not in result.data[language]]
    assert refused
    out = tmp_path / "out"
    assert app.main(["generate", str(source), "--out", f"{out}/{{language}}"]) == 0
    assert not any(file.read_bytes() == b"s" for file in out.rglob("*") if file.is_file())
    assert said(pclgen.generate(source, copy_files=False).diagnostics) == []


def test_there_is_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = program(tmp_path / "web", 'x = fileArchive("./s")\n', s__a="1", s__b="2", s__c="3")
    for name in ("COUNT_LIMIT", "SIZE_LIMIT"):
        with monkeypatch.context() as patch:
            patch.setattr(limits, name, 2)
            [message] = said(pclgen.generate(source).diagnostics)
            assert "PCL1102 1: `./s` is not copied: there is more than" in message


def test_paths_of_one_machine_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "abs.txt").write_text("x")
    result = pclgen.generate(program(tmp_path / "web", read(str(tmp_path / "abs.txt"))))
    assert (said(result.diagnostics), data(result)) == ([], [])
