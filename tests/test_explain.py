"""Every diagnostic code has a page, every page a code, and every example of a page is correct."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pclgen.cli import app
from pclgen.diagnostics.codes import Example, Page, PageError, all_codes, find_code, page, parse_page, similar_code
from tests.support.corpus import ROOT
from tests.support.rules import assert_followed, for_all

CODE = re.compile(r"PCL\d{4}")
CODES = [entry.code for entry in all_codes()]

PAGE = """\
# PCL0999: an example of a page

First sentence. Second
sentence with `code`.

```pcl wrong
x = \\x20
```

```pcl right file=a.pp
x = 1
```

```pcl file=web/b.pp
y = 1
```

More words.

```schema
{"name": "p"}
```
"""


def used_codes() -> dict[str, str]:
    """Every code that is a string in the sources, with a position."""
    return {
        node.value: f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted(ROOT.joinpath("pclgen").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value)
    }


def explained(code: str) -> Page:
    explanation = page(code)
    assert explanation is not None
    return explanation


def test_every_code_has_a_page() -> None:
    assert {code: place for code, place in used_codes().items() if code not in CODES} == {}


def test_every_page_is_about_a_code_in_use() -> None:
    assert sorted(set(CODES) - set(used_codes())) == []


def misshapen(explanation: Page) -> Iterator[str]:
    """The errors in the structure of a page."""
    if explanation.title.endswith("."):
        yield "no full stop after a title"
    first = explanation.title.split()[0]
    if not (first[:1].islower() or not first.isalpha() or first.isupper()):
        yield "titles are in lower case"
    if not 1 <= len(re.findall(r"[^.!?]+[.!?](?:\s|$)", explanation.prose)) <= 8:
        yield "one to eight sentences"
    if not all(json.loads(schema)["name"] for schema in explanation.schemas):
        yield "a schema without a name"


def test_pages_follow_the_form() -> None:
    assert_followed("pages have one form", (f"{code}: {fault}" for code in CODES for fault in misshapen(explained(code))))


@for_all("code", CODES)
def test_the_wrong_example_gives_the_code(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    explanation = explained(code)
    put_on_path(explanation, tmp_path / "bin", monkeypatch)
    diagnostics = run_example(explanation, explanation.wrong, tmp_path, capsys)
    assert [item["code"] for item in diagnostics if item["code"] != code] == [], diagnostics
    assert diagnostics, f"the wrong example of {code} is not wrong"


@for_all("code", CODES)
def test_the_right_example_is_right(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    explanation = explained(code)
    put_on_path(explanation, tmp_path / "bin", monkeypatch)
    assert run_example(explanation, explanation.right, tmp_path, capsys) == []


def put_on_path(explanation: Page, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the programs of a page into a directory on `PATH`."""
    if not explanation.programs:
        return
    directory.mkdir()
    for name, text in explanation.programs:
        (directory / name).write_text(text)
        (directory / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(directory), prepend=os.pathsep)
    monkeypatch.setenv("PCLGEN_SOURCES", "files,plugin")


def run_example(
    explanation: Page, example: Example, place: Path, capsys: pytest.CaptureFixture[str]
) -> list[dict[str, object]]:
    """The diagnostics of an example, run through the command line as a user would."""
    program, schemas = place / "program", place / "schemas"
    schemas.mkdir()
    for name, content in example.files:
        program.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        program.joinpath(name).write_bytes(content)
    for text in explanation.schemas:
        name = json.loads(text)["name"]
        (schemas / f"{name}.json").write_text(text)
    command = ["generate", "--out", f"{place}/out/{{language}}"] if example.generate else ["check"]
    if (program / "templates").is_dir():
        command += ["--templates", str(program / "templates")]
    if example.evaluate:
        command = ["evaluate", *(["--preview"] if example.preview else []), *explanation.options]
        if explanation.replay is not None:
            place.joinpath("replay.json").write_text(explanation.replay)
            command += ["--replay", str(place / "replay.json")]
    settings = ["--schemas", str(schemas), *(["--lenient"] if example.lenient else [])]
    if example.docs:
        command = ["docs", example.docs]
    if example.config:
        command, program = ["config", "check"], program / "Pulumi.dev.yaml"
    if (program / "program.mupack.json").exists():
        program /= "program.mupack.json"
    if example.deps:
        command, settings = ["deps", "update", "--project"], []
    elif explanation.code != "PCL1603" and any(b"[dependencies]" in content for _, content in example.files):
        assert app.main(["deps", "install", "--quiet", "--project", str(program)]) in (0, 1)
        capsys.readouterr()
    if example.fmt:
        command, settings = ["fmt", "--check"], []
    status = app.main([*command, str(program), "--output-format", "json", *settings])
    captured = capsys.readouterr()
    assert status in (0, 1), captured.err
    printed = captured.err if example.evaluate else captured.out  # runs are printed on standard output
    diagnostics: list[dict[str, object]] = json.loads(printed)["diagnostics"]
    return diagnostics


def test_a_page_is_read_into_its_parts() -> None:
    explanation = parse_page(PAGE, code="PCL0999")
    assert (explanation.title, explanation.prose) == (
        "an example of a page",
        "First sentence. Second\nsentence with `code`.",
    )
    assert explanation.wrong == Example(
        files=(("main.pp", b"x = \\x20\n"), ("web/b.pp", b"y = 1\n")), lenient=False, generate=False
    )
    assert explanation.right.files == (("a.pp", b"x = 1\n"), ("web/b.pp", b"y = 1\n"))
    assert explanation.schemas == ('{"name": "p"}\n',)


def test_words_after_a_fence_steer_the_example() -> None:
    explanation = parse_page(PAGE.replace("pcl wrong", "pcl wrong bytes lenient generate"), code="PCL0999")
    assert explanation.wrong.files[0] == ("main.pp", b"x =  \n")
    assert (explanation.wrong.lenient, explanation.wrong.generate, explanation.right.lenient) == (True, True, False)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("# PCL0999:", "# PCL0998:", "first line"),
        ("First sentence. Second\nsentence with `code`.\n", "", "no explanation"),
        ("pcl wrong", "pcl", "no example opened by '```pcl wrong'"),
        ("pcl right", "pcl rihgt", "unknown word 'rihgt'"),
    ],
)
def test_bad_pages_are_refused(old: str, new: str, complaint: str) -> None:
    with pytest.raises(PageError, match=complaint):
        parse_page(PAGE.replace(old, new), code="PCL0999")


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A registry of two pages."""
    (tmp_path / "PCL0101.md").write_text(PAGE.replace("0999", "0101"))
    (tmp_path / "PCL0912.md").write_text(PAGE.replace("0999", "0912").replace("an example of a page", "another"))
    monkeypatch.setattr("pclgen.diagnostics.codes.PAGES", tmp_path)
    all_codes.cache_clear()
    yield
    all_codes.cache_clear()


@pytest.mark.usefixtures("pages")
class TestExplain:
    @pytest.mark.parametrize("spelling", ["PCL0101", "pcl101", "0101", "101", " Pcl-0101"])
    def test_spellings(self, spelling: str) -> None:
        assert find_code(spelling) == "PCL0101"

    @pytest.mark.parametrize("spelling", ["PCL0102", "x", "", "PCL01011"])
    def test_unknown(self, spelling: str) -> None:
        assert find_code(spelling) is None

    def test_list(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert app.main(["explain"]) == 0
        assert capsys.readouterr().out == "PCL0101  an example of a page\nPCL0912  another\n"

    def test_page(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert app.main(["explain", "pcl101"]) == 0
        assert capsys.readouterr().out == (
            "PCL0101: an example of a page\n\nFirst sentence. Second sentence with `code`.\n\nWrong:\n\n    x = \\x20\n"
            "\nRight (a.pp):\n\n    x = 1\n\nWith the file (web/b.pp):\n\n    y = 1\n\nMore words.\n"
            '\nWith the package schema:\n\n    {"name": "p"}\n'
        )

    @pytest.mark.parametrize(("typed", "meant"), [("PCL0110", "PCL0101"), ("anoter", "PCL0912"), ("911", "PCL0912")])
    def test_did_you_mean(self, capsys: pytest.CaptureFixture[str], typed: str, meant: str) -> None:
        assert similar_code(typed) == meant
        assert app.main(["explain", typed]) == 2
        assert f"did you mean `{meant}`?" in capsys.readouterr().err


def test_tables_are_printed_in_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["explain", "PCL0203"]) == 0
    lines = capsys.readouterr().out.splitlines()
    [row] = [line for line in lines if "`var.region`" in line]
    assert row.index("`region`") == next(line for line in lines if "Terraform   " in line).index("PCL")
    assert not any("|" in line for line in lines)
