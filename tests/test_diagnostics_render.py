"""Text rendering: frames, marks, trimming, unusual characters."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.diagnostics.cells import Row, display_width, layout_row, visible
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.diagnostics.render import render_text, summary_line
from pclgen.source.text import SourceFile, Span
from pclgen.testing.snapshots import FileSnapshots
from tests.support.counting import calls_of

SOURCE = """\
resource bucket "aws:s3:Bucket" {
  name = "assets"
  versioned = "yes"
  tags = {
    a = 1
    b = 2
    c = 3
    d = 4
    e = 5
    f = 6
  }
}
"""
MAIN = SourceFile("web/main.pp", SOURCE)
OTHER = SourceFile("web/config.pp", 'config versions "map(string)" {\n}\n')
LONG = SourceFile("main.pp", "x = [" + ", ".join(f'"item {n}"' for n in range(60)) + "]\n")
FAR = SourceFile("main.pp", "config name {}\n" + "\n" * 30 + "y = nam\n")
ODD = SourceFile("main.pp", '\tx = "日本語 e\u0301" + bad\n\tz = "\x1b[31m\u202e\x00"\r\n')


def spot(file: SourceFile, text: str) -> Span:
    start = file.text.index(text)
    return file.span(start, start + len(text))


def error(primary: Span | None, **fields: object) -> Diagnostic:
    settings = {"message": "expected true or false, found text", "label": "this is text", **fields}
    return Diagnostic(code="PCL0405", severity=Severity.ERROR, primary=primary, **settings)  # type: ignore[arg-type]  # test data


BLOCK = MAIN.span(SOURCE.index("tags"), SOURCE.index("  }\n") + 3)
RESOURCE = MAIN.span(0, len(SOURCE))

CASES: dict[str, Diagnostic] = {
    "simple": error(spot(MAIN, '"yes"'), help="write `true`"),
    "notes": error(
        spot(MAIN, '"yes"'),
        notes=(
            Note(message="in this resource", span=spot(MAIN, "bucket")),
            Note(message="the type is declared here", span=spot(OTHER, '"map(string)"')),
            Note(message="the schema of aws says so\nin version 7.0.0"),
        ),
        help="write `true`\nor `false`",
    ),
    "tall": error(BLOCK, label="this object"),
    "tall_note": error(spot(MAIN, "b = 2"), notes=(Note(message="in this object", span=BLOCK),)),
    "nested_tall": error(BLOCK, notes=(Note(message="in this resource", span=RESOURCE),)),
    "same_line": error(spot(MAIN, '"assets"'), notes=(Note(message="this property", span=spot(MAIN, "name")),)),
    "same_place": error(spot(MAIN, "name"), notes=(Note(message="said again", span=spot(MAIN, "name")),)),
    "point": error(MAIN.span(len(SOURCE), len(SOURCE)), label="expected `}`"),
    "line_end": error(spot(MAIN, "{\n"), label="opened here"),
    "long_line": error(spot(LONG, '"item 30"')),
    "long_span": error(spot(LONG, LONG.text.strip())),
    "far": error(spot(FAR, "nam\n"), notes=(Note(message="there is this one", span=spot(FAR, "name")),)),
    "wide": error(spot(ODD, "bad"), notes=(Note(message="before it", span=spot(ODD, '"日本語 e\u0301"')),)),
    "control": error(spot(ODD, "\x1b[31m\u202e\x00"), message="bad \x1b[31m\nmessage", label="\x07"),
    "long_note": error(
        spot(MAIN, "name"), notes=(Note(message="the options are " + ", ".join(f"option{n}" for n in range(30))),)
    ),
    "no_place": error(None, help="try again", notes=(Note(message="the disk is full"),)),
    "warning": Diagnostic(
        code="PCL0901", severity=Severity.WARNING, message="`acl` is deprecated", primary=spot(MAIN, "name")
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_frames(case: str, pcl_snapshots: FileSnapshots) -> None:
    shown = render_text([CASES[case]], width=100)
    pcl_snapshots.folder(
        f"render/{case}", {"plain.txt": shown, "color.txt": render_text([CASES[case]], color=True, width=100)}
    )


def test_no_snapshot_without_a_case(pcl_snapshots: FileSnapshots) -> None:
    pcl_snapshots.only("render", CASES)


@pytest.mark.parametrize("case", CASES)
def test_color_changes_nothing_else(case: str) -> None:
    colored = render_text([CASES[case]], color=True)
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == render_text([CASES[case]])


def test_nothing_to_say() -> None:
    assert render_text([]) == ""


def test_summary_counts_by_severity() -> None:
    diagnostics = [CASES["simple"], CASES["warning"], CASES["tall"]]
    assert summary_line(diagnostics) == "2 errors, 1 warning"
    assert summary_line([CASES["warning"]]) == "1 warning"
    assert render_text(diagnostics).endswith("\n2 errors, 1 warning\n")


@dataclass(frozen=True)
class Caret:
    """The columns of the carets under the source line, in terminal columns."""

    source: str
    carets: str


def carets_of(file: SourceFile, span: Span, width: int = 120) -> Caret:
    lines = render_text([error(span, label="")], width=width).splitlines()
    row = next(i for i, line in enumerate(lines) if re.match(r"\d+ \| ", line))
    return Caret(lines[row], lines[row + 1])


def column_of(text: str, index: int) -> int:
    return display_width(text[:index])


def test_carets_stand_under_wide_text() -> None:
    shown = carets_of(ODD, spot(ODD, "bad"))
    assert column_of(shown.source, shown.source.index("bad")) == shown.carets.index("^")
    assert shown.carets.count("^") == 3


def row_of(line: str, *, width: int, focus: tuple[int, int]) -> Row:
    return layout_row(SourceFile("main.pp", line).span(0, len(line)), width=width, focus=focus)


def test_tabs_and_wide_characters_take_their_columns() -> None:
    assert row_of("\tab", width=80, focus=(0, 1)).text == "    ab"
    assert row_of("a\tb", width=80, focus=(0, 1)).column(2) == 4
    row = row_of("日e\u0301x", width=80, focus=(0, 1))
    assert [row.column(n) for n in range(5)] == [0, 2, 3, 3, 4]


@given(st.text(alphabet=st.characters(blacklist_characters="\n\r"), max_size=900), st.data())
def test_any_line_is_shown_safely_and_in_its_room(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, min(len(line), start + 5)))
    row = row_of(line, width=60, focus=(start, end))
    assert display_width(row.text) <= 60
    assert visible(row.text) == row.text
    columns = [row.column(n) for n in range(len(line) + 1)]
    assert columns == sorted(columns)
    assert 0 <= row.column(start) <= row.column(end) <= display_width(row.text)


@given(st.text(max_size=200), st.data())
def test_any_span_of_any_text_can_be_shown(text: str, data: st.DataObject) -> None:
    file = SourceFile("main.pp", text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    other = data.draw(st.integers(0, len(text)))
    shown = render_text([error(file.span(start, end), notes=(Note(message="n", span=file.span(other, len(text))),))])
    assert not any(char < " " or "\x7f" <= char < "\xa0" for char in shown.replace("\n", ""))
    assert shown.startswith("error[PCL0405]: ")
    assert "^" in shown


def test_a_megabyte_on_one_line_is_quick() -> None:
    file = SourceFile("main.pp", "x = [" + "1, " * 300_000 + "]")
    shown = carets_of(file, file.span(450_000, 450_001), width=100)
    assert len(shown.source) <= 100


def test_marks_in_a_long_line_cost_what_they_cost_in_a_short_one() -> None:
    file = SourceFile("main.pp", "x = [" + "e\u0301, " * 100_000 + "]")
    shown = carets_of(file, file.span(200_000, 200_001), width=100)
    assert display_width(shown.source) <= 100
    assert calls_of(lambda: carets_of(file, file.span(200_000, 200_001), width=100)) < 10_000
