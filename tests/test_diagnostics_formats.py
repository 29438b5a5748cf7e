"""Diagnostics for programs: JSON, GitHub workflow commands, SARIF."""

from __future__ import annotations

import json
from pathlib import Path

from pclgen.diagnostics.formats import OUTPUT_FORMATS, render
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.source.text import SourceFile

FILE = SourceFile("my web/äpfel.pp", 'é = "日本"\nx = {\n}\n')
ERROR = Diagnostic(
    code="PCL0101",
    severity=Severity.ERROR,
    message="50% of `x`: wrong, isn't it\x1b[31m?",
    primary=FILE.span(4, 8),
    label="only in the text form",
    notes=(Note(message="declared here", span=FILE.span(0, 1)), Note(message="no place")),
    help="line one\nline two",
)
WARNING = Diagnostic(code="PCL0102", severity=Severity.WARNING, message="tall", primary=FILE.span(13, 16))
PLACELESS = Diagnostic(code="PCL0103", severity=Severity.INFO, message="nowhere", primary=None)
ALL = (ERROR, WARNING, PLACELESS)


def test_json_has_exactly_the_documented_shape() -> None:
    document = json.loads(render(ALL, "json"))
    assert list(document) == ["format_version", "diagnostics"]
    assert document["format_version"] == 1
    first, _, last = document["diagnostics"]
    assert first == {
        "code": "PCL0101",
        "severity": "error",
        "message": "50% of `x`: wrong, isn't it\x1b[31m?",
        "file": "my web/äpfel.pp",
        "start": {"line": 1, "column": 5, "offset": 4},
        "end": {"line": 1, "column": 9, "offset": 8},
        "notes": [
            {
                "message": "declared here",
                "file": "my web/äpfel.pp",
                "start": {"line": 1, "column": 1, "offset": 0},
                "end": {"line": 1, "column": 2, "offset": 1},
            },
            {"message": "no place", "file": None, "start": None, "end": None},
        ],
        "help": "line one\nline two",
    }
    assert (last["file"], last["start"], last["end"], last["notes"], last["help"]) == (None, None, None, [], None)


def test_json_of_nothing_is_a_document() -> None:
    assert json.loads(render([], "json")) == {"format_version": 1, "diagnostics": []}


def test_github_commands_are_escaped() -> None:
    first, second, third = render(ALL, "github").splitlines()
    assert first == (
        "::error file=my web/äpfel.pp,line=1,col=5,endLine=1,endColumn=9,title=PCL0101::"
        "50%25 of `x`: wrong, isn't it\\x1b[31m?%0Anote: declared here (my web/äpfel.pp:1:1)%0Anote: no place"
        "%0Ahelp: line one%0Aline two"
    )
    assert second == "::warning file=my web/äpfel.pp,line=2,endLine=3,title=PCL0102::tall"
    assert third == "::notice title=PCL0103::nowhere"


def test_github_escapes_file_names() -> None:
    odd = SourceFile("a,b:c%.pp", "x")
    [line] = render(
        [Diagnostic(code="PCL0101", severity=Severity.ERROR, message="m", primary=odd.span(0, 1))], "github"
    ).splitlines()
    assert line.startswith("::error file=a%2Cb%3Ac%25.pp,line=1,")


def test_sarif_is_complete() -> None:
    log = json.loads(render(ALL, "sarif"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    [run] = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["PCL0101", "PCL0102", "PCL0103"]
    first, second, third = run["results"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [r["ruleId"] for r in run["results"]]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    location = first["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "my%20web/%C3%A4pfel.pp"
    assert location["region"] == {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 9}
    assert first["relatedLocations"][0]["message"]["text"] == "declared here"
    assert first["message"]["text"].endswith("no place\nline one\nline two")
    assert "relatedLocations" not in second
    assert third["locations"] == []


def test_sarif_of_absolute_and_standard_input(tmp_path: Path) -> None:
    for name, uri in ((f"{tmp_path}/a b.pp", f"{tmp_path.as_uri()}/a%20b.pp"), ("<stdin>", "%3Cstdin%3E")):
        file = SourceFile(name, "x")
        text = render([Diagnostic(code="PCL0101", severity=Severity.ERROR, message="m", primary=file.span(0, 1))], "sarif")
        location = json.loads(text)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        assert location["artifactLocation"]["uri"] == uri


def test_undecodable_file_names_break_no_format() -> None:
    file = SourceFile("a\udcff.pp", "x\n")
    odd = Diagnostic(code="PCL0101", severity=Severity.ERROR, message="m", primary=file.span(0, 1))
    for output_format in OUTPUT_FORMATS:
        render([odd], output_format).encode("utf-8")
