"""Coverage of docs: the counts, the regressions that a baseline allows, the page; and the library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pclgen import docs
from pclgen.cli import app
from pclgen.docs import covered
from pclgen.docs.covered import Coverage, Row, baseline_of, regressions
from pclgen.source.load import LoadError

GOOD = "```pcl\noutput answer {\n  value = 42\n}\n```\n"
BAD = "```pcl\noutput a {\n  value = upper(1, 2)\n}\n```\n"


def coverage(*levels: dict[str, str], label: str = "a.md:1") -> Coverage:
    rows = [
        Row(label=label, package="", language=language, source="x", output="y", levels=own, messages=("why",))
        for language, own in zip(("python", "go"), levels, strict=False)
    ]
    return Coverage(level="compiled", rows=tuple(rows))


PASSED = {"converted": "passed", "formatted": "passed", "compiled": "passed"}
BROKEN = {"converted": "passed", "formatted": "passed", "compiled": "failed"}
UNKNOWN = {"converted": "passed", "formatted": "passed", "compiled": "not verified"}


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (PASSED, PASSED, []),
        (PASSED, UNKNOWN, []),
        (BROKEN, BROKEN, []),
        (BROKEN, PASSED, []),
        (BROKEN, {"converted": "failed"}, ["a.md:1, python: it was formatted, and is not converted now: why"]),
        (PASSED, BROKEN, ["a.md:1, python: it was compiled, and is not compiled now: why"]),
    ],
)
def test_only_regressions_are_reported(before: dict[str, str], now: dict[str, str], expected: list[str]) -> None:
    assert regressions(coverage(now), baseline_of(coverage(before))) == expected


def test_snippets_that_are_new_may_fail() -> None:
    assert regressions(coverage(BROKEN, label="b.md:1"), baseline_of(coverage(PASSED))) == []


def snippets(*sources: tuple[str, dict[str, str]]) -> Coverage:
    """The coverage of a document with these snippets, in Python."""
    rows = [
        Row(label=f"a.md:{at}", package="", language="python", source=source, levels=levels)
        for at, (source, levels) in enumerate(sources, 1)
    ]
    return Coverage(level="compiled", rows=tuple(rows))


def test_a_snippet_is_known_by_its_text_wherever_it_moves() -> None:
    before = baseline_of(snippets(("a", PASSED), ("b", BROKEN), ("c", PASSED)))
    assert regressions(snippets(("new", BROKEN), ("a", PASSED), ("b", BROKEN), ("c", PASSED)), before) == []
    assert regressions(snippets(("b", BROKEN), ("c", PASSED)), before) == []
    moved = snippets(("new", BROKEN), ("a", PASSED), ("b", BROKEN), ("c", BROKEN))
    assert [message.partition(",")[0] for message in regressions(moved, before)] == ["a.md:4"]
    edited = snippets(("A", BROKEN), ("b", BROKEN), ("c", PASSED))
    assert [message.partition(",")[0] for message in regressions(edited, before)] == ["a.md:1"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"snippets": {"a": 1}}', '{"snippets": {"a": {"source": "", "go": "far"}}}'])
def test_what_is_no_baseline(text: str) -> None:
    with pytest.raises(LoadError, match="the baseline cannot be read"):
        regressions(coverage(PASSED), text)


def test_the_table_counts_each_level() -> None:
    lines = covered.to_text(coverage(PASSED, BROKEN)).splitlines()
    assert [line.split() for line in lines[1:]] == [
        ["(Markdown)", "python", "1", "1", "(100.0", "%)", "1", "(100.0", "%)", "1", "(100.0", "%)"],
        ["(Markdown)", "go", "1", "1", "(100.0", "%)", "1", "(100.0", "%)", "0", "(0.0", "%)"],
        ["all", "2", "2", "(100.0", "%)", "2", "(100.0", "%)", "1", "(50.0", "%)"],
    ]


def test_no_text_of_a_snippet_is_markup_of_the_page() -> None:
    row = Row(
        label="<b>&.md:1", package="<i>", language="go", source="<script>\x1b[2J", output="</pre>",
        levels={"converted": "failed"}, messages=("<img src=x>",),
    )  # fmt: skip  # a table
    page = covered.to_html(Coverage(level="converted", rows=(row,)))
    assert not any(text in page for text in ("<script>", "\x1b", "</pre></pre>", "<img", "<b>&.md", "<i>"))
    assert "&lt;script&gt;\\x1b[2J" in page


def test_a_page_and_json_of_what_is_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(GOOD + "\n" + BAD + "\n" + BAD.replace("pcl", "pcl skip"))
    words = ["docs", "coverage", "a.md", "--level", "converted", "--no-cache", "--jobs", "1"]
    assert app.main([*words, "--output-format", "json", "--html", "page.html"]) == 1
    rows = json.loads(capsys.readouterr().out)["rows"]
    statuses = {(row["snippet"], row["language"]): row["levels"]["converted"] for row in rows}
    assert {key for key, status in statuses.items() if status == "passed"} >= {("a.md:1", "python"), ("a.md:1", "go")}
    assert {status for (label, _), status in statuses.items() if label == "a.md:2"} == {"failed"}
    assert "value = upper(1, 2)" in Path("page.html").read_text()
    assert app.main([*words, "--baseline", "b.json"]) == 2
    assert app.main([*words, "--baseline", "b.json", "--update-baseline"]) == 0
    assert app.main([*words, "--baseline", "b.json"]) == 0
    Path("a.md").write_text(GOOD.replace("42", "upper(42, 1)") + "\n" + BAD)
    assert app.main([*words, "--baseline", "b.json"]) == 1
    assert app.main([*words, "--update-baseline"]) == 2


def test_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.md"
    path.write_text(GOOD)
    assert {diagnostic.code for diagnostic in docs.check([path])} == {"PCL1306"}
    built = docs.build([path], languages=["python"])
    assert built.diagnostics == () and path.read_text() == GOOD
    assert 'pulumi.export("answer", 42)' in built.files[path]
    assert docs.build_text(GOOD, languages=["python"]).text == built.files[path]
    broken = docs.build_text("{{% example %}}\n" + GOOD)
    assert broken.text == "{{% example %}}\n" + GOOD and broken.diagnostics[0].code == "PCL1301"
    (row,) = docs.coverage([path], level="formatted", languages=["python"]).rows
    assert dict(row.levels) == {"converted": "passed", "formatted": "passed"}
    with pytest.raises(ValueError, match="there is no level"):
        docs.coverage([path], level="far")
