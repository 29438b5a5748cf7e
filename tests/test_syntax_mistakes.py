"""One mistake, one diagnostic, at its place; no text crashes the parser."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.syntax import ast
from pclgen.syntax.parse import decode_source, parse_file
from tests.support.corpus import needs_corpus, program_directories
from tests.support.rules import for_all

MISTAKES = [
    ("a = 1 +\nb = 2\n", "1:8 PCL0113"),
    ("a = 1 +\n  b.c\n", "1:8 PCL0113"),
    ("a = (1 +\n)\n", "1:9 PCL0113"),
    ("a = (b ? 1 :\n)\n", "1:13 PCL0113"),
    ("a = (b ?\n\n : 2)\n", "1:9 PCL0113"),
    ("a = f(1 + # b\n  , 2)\n", "1:10 PCL0113"),
    ("a = [!\n]\n", "1:7 PCL0113"),
    ("a = {\n  b = 1 *\n}\n", "2:10 PCL0113"),
    ('a = "${1 -\n}"\n', "1:11 PCL0113"),
    ('a = "${1 - }"\n', "1:11 PCL0113"),
    ("a b {\n  value = 1 +\n}\n", "2:14 PCL0113"),
    ("a b { value = 1 + }\n", "1:18 PCL0113"),
    ("a =\n  [1]\n", "1:4 PCL0113"),
    ("a =\n", "1:4 PCL0113"),
    ("a = b && c + d *\ne = 1\n", "1:17 PCL0113"),
    ("a = 1 + 2 + + 3\n", "1:13 PCL0113"),
    ("output a { b }\n", "1:14 PCL0125"),
    ("output a { b.c }\n", "1:13 PCL0125"),
    ("a = .5\n", "1:5 PCL0105"),
    ("a = 1\n  + 2\n", "2:3 PCL0115"),
    ('"a" = 1\n', "1:1 PCL0115"),
    ("a: 1\n", "1:2 PCL0125"),
    ("a == 1\n", "1:3 PCL0125"),
    ('a "b"\n', "1:3 PCL0125"),
    ("a {\n  b c\n}\n", "2:5 PCL0125"),
    ('output "b"\n', "1:11 PCL0124"),
    ("output b\n", "1:9 PCL0124"),
    ("a\n", "1:2 PCL0125"),
    ('output "a"\n{\n}\n', "1:11 PCL0124"),
    ('output "a${b}" {\n}\n', "1:8 PCL0121"),
    ("output a { x = 1, y = 2 }\n", "1:17 PCL0124"),
    ("output a { x = 1\n}\n", "1:17 PCL0124"),
    ("output a {\n x = 1 }\n", "2:8 PCL0114"),
    ("output a {\n x = 1\n x = 2\n}\n", "3:2 PCL0127"),
    ("a = [1 2]\n", "1:8 PCL0116"),
    ("a = [1\n2]\n", "2:1 PCL0116"),
    ("a = f(1 2)\n", "1:9 PCL0116"),
    ("a = {b 1}\n", "1:8 PCL0117"),
    ("a = {b = 1 c = 2}\n", "1:12 PCL0116"),
    ("a = {b = 1,, c = 2}\n", "1:12 PCL0126"),
    ("a = {b = 1\n, c = 2}\n", "2:1 PCL0126"),
    ("a = c ? 1\n", "1:10 PCL0119"),
    ("a = (c ? 1)\n", "1:11 PCL0119"),
    ('a = "${b c}"\n', "1:10 PCL0120"),
    ('a = "${b"\n', "1:6 PCL0108"),
    ('a = f("${b")\n', "1:8 PCL0108"),
    ('a = "${b("x"}"\n', "1:9 PCL0108"),
    ('a = ["a", "b]\n', "1:11 PCL0103"),
    ('a = f("b)\n', "1:7 PCL0103"),
    ('resource "a "b:c:D" {\n}\n', "1:19 PCL0103"),
    ("a = [for]\n", "1:9 PCL0118"),
    ("a = [for x in y]\n", "1:16 PCL0118"),
    ("a = [for x in y : k => v]\n", "1:21 PCL0118"),
    ("a = [for x in y : v...]\n", "1:20 PCL0118"),
    ("a = b.0.1\n", "1:7 PCL0122"),
    ("a = b.*.c.*\n", "1:11 PCL0123"),
    ("a = b[\nc = 1\n", "1:6 PCL0108"),
    ("a = f(1\nb = 2\n", "1:6 PCL0108"),
    ("a = {\n  b = 1\nc = 2\n", "1:5 PCL0108"),
    ("resource a b {\n  x = {\n    y = 1\n}\n\noutput c {\n  v = 1\n}\n", "2:7 PCL0108"),
    ("a = (1]\n", "1:7 PCL0109"),
    ("a = 1)\n", "1:6 PCL0109"),
    ("a = f({b = 1)\n", "1:7 PCL0108"),
    ("a { b = f({c = 1) }\n", "1:11 PCL0108"),
    ("a = f({ b = 1, c = 2, 3, 4] })\n", "1:24 PCL0117"),
    ("a = f([{\n  b = c]\n}])\n", "2:8 PCL0109"),
    ("a = f({\n  b = c}\n})\n", "2:8 PCL0109"),
    ("a = {\n  b =\n    c,\n    d\n  ]\n  e = 1\n}\n", "2:6 PCL0113"),
    ('a = {\n  b = invoke\n    "c",\n    {}\n  ).d\n  e = 1\n}\n', "2:13 PCL0113"),
    ("a = {\n  b == {\n    c = 1\n  }\n}\n", "2:5 PCL0117"),
    ('a = "%{ for x in [1, 2 ~}${x}%{ endfor }"\n', "1:18 PCL0108"),
    ('a = "%{ if x }a%{ endfor }"\n', "1:16 PCL0111"),
    ('a = "%{ endif }"\n', "1:6 PCL0111"),
    ('a = "%{ if x }a%{ else }b%{ else }c%{ endif }"\n', "1:26 PCL0111"),
    ('a = "%{ loop }"\n', "1:6 PCL0112"),
    ("a = <<EOT x\nb\nEOT\n", "1:5 PCL0107"),
    ("a = <<EOT\n${b\nEOT\n", "2:1 PCL0108"),
    ("a = <<EOT\n%{ if b }${c%{ endif }\n#d: '${f([1, \"e\nEOT\n", "2:10 PCL0108"),
    ("a = 'x'\n", "1:5 PCL0102"),
    ("a = “x”\n", "1:5 PCL0102"),
    ("a = b & c\n", "1:7 PCL0102"),
    ("a = b ** c\n", "1:7 PCL0102"),
    ("a = 0x1f\n", "1:5 PCL0105"),
    ("a = 1.\n", "1:5 PCL0105"),
    ("a = 1 .b\n", "1:5 PCL0105"),
    ("a = 5px\n", "1:5 PCL0105"),
    ('a = "\\ud800"\n', "1:6 PCL0104"),
    ("a = 1 b = 2 c = 3\n", "1:7 PCL0114"),
    ("a = b c {\n}\n", "1:7 PCL0114"),
    ("a = /* b\n", "1:5 PCL0106"),
    ("a = b\n  + c\n  + d\n", "2:3 PCL0115"),
    ("a = f(b[)][0])\n", "1:9 PCL0109"),
    ("a = [1)\n", "1:7 PCL0109"),
    ("a {\n  b = 1 }\n}\n", "2:9 PCL0109"),
    ("a {\n  b = }c\n}\n", "2:7 PCL0109"),
    ('a = f"b", {\n  c = 1\n})\n', "1:6 PCL0114"),
    ('a "b"\n  c = 1\n}\n', "1:6 PCL0124"),
    ("a {\n  b\n    c = 1\n  }\n}\n", "2:4 PCL0124"),
    ("a =\n  b = 1\n}\n", "1:4 PCL0113"),
    ("a = f(1,\n  b = 1\n})\n", "1:9 PCL0113"),
    ('a {\n  b {\n    "c" = 1\n    "d" = 2\n  }\n}\n', "2:5 PCL0125"),
    ("a = f(b = 1, c = 2)\n", "1:7 PCL0129"),
    ('a = "${b@${c}/${d}"\n', "1:6 PCL0108"),
    ('a = ["x", "${b}]\n', "1:11 PCL0103"),
    ('a = ${b}-${c}"\n', "1:5 PCL0102"),
    ("a = ${b}\n", "1:5 PCL0102"),
    ("a = b[0.c\n", "1:6 PCL0108"),
    ('a "b" "c {\n  d = 1\n}\n', "1:7 PCL0103"),
    ("a = `x`\n", "1:5 PCL0102"),
    ("a = b – c\n", "1:7 PCL0102"),
    ("a = b ))\n", "1:7 PCL0109"),
    ("a = 1 }\n}\n", "1:7 PCL0109"),
    ('a = "\\u12"\n', "1:6 PCL0104"),
    ("a = b and c\n", "1:7 PCL0128"),
    ("a = not b\n", "1:5 PCL0128"),
    ("a = b === c\n", "1:7 PCL0128"),
    ("a = b ?? c\n", "1:7 PCL0128"),
    ("a = b?.c\n", "1:6 PCL0128"),
    ("a = if b then c\n", "1:5 PCL0128"),
    ("a = b = c\n", "1:7 PCL0129"),
    ("a = 1 |> 2\n", "1:7 PCL0102"),
    ('resource 1pet "p:i:T" {\n  a = 1\n}\n', "1:10 PCL0105"),
    ("a = f(b = 1)\n", "1:7 PCL0129"),
    ("a = [b = 1]\n", "1:8 PCL0129"),
    ("a = {\n  b {\n  }\n}\n", "2:5 PCL0117"),
    ("a = {for x in y => x}\n", "1:17 PCL0118"),
    ("output a { b { } }\n", "1:14 PCL0124"),
    ('a = "x "b" y"\n', "1:9 PCL0114"),
    ("a += 1\n", "1:3 PCL0125"),
    ("a = <<EOT\nb\nEOT,\n", "1:5 PCL0107"),
    ("output a {\n  value = <<EOT\n  b\n}\noutput c {\n  value = 1\n}\n", "2:11 PCL0107"),
    ('a = "b\nc"\n', "1:5 PCL0103"),
    ('a = """\nb "c"\n"""\n', "1:7 PCL0103"),
    ("a = [for x in y if x : x]\n", "1:17 PCL0118"),
    ('a = f("b", { c = "${d}-${e} }).g\n', "1:18 PCL0103"),
    ('a = f(["b]).c.d\n', "1:8 PCL0103"),
    ('a = [\n  b:::${c}",\n  "d:::${c}/*",\n]\n', "2:4 PCL0102"),
    ('a = [${b}/x", "${c}"]\n', "1:6 PCL0102"),
    ('a = {\n  "b" = "c", d@e = "f" # a "quote\n}\n', "2:15 PCL0102"),
    ("a = f({\n  b = [\n    c = 1, d = [2] },\n    { c = 3 },\n  ]\n})\n", "2:8 PCL0113"),
    ('a = B ${f("b:${c}")}"\n', "1:7 PCL0102"),
    ('a = [b @, "c \\"d"]\n', "1:8 PCL0102"),
    ("output a {\n  value = # b\n    # c\n    // d\n    e = 1\n  }\n}\n", "2:10 PCL0113"),
    ("a = [\n  1,\n  [2, 3,\n  4,\n]\n", "3:3 PCL0108"),
    ("a = [\n  1,\n  f(2, 3,\n  4,\n]\n", "3:4 PCL0108"),
    ('a = f("b", {\n  c = 1)\n  d = 2\n}).e\n', "2:8 PCL0109"),
]


def mistakes(text: str) -> list[Diagnostic]:
    bag = DiagnosticBag()
    parse_file(SourceFile("main.pp", text), bag)
    return list(bag.sorted())


def places(text: str) -> list[str]:
    lines = []
    for diagnostic in mistakes(text):
        assert diagnostic.primary is not None
        at = diagnostic.primary.start_position
        lines.append(f"{at.line}:{at.column} {diagnostic.code}")
    return lines


@pytest.mark.parametrize(("text", "place"), [case for case in MISTAKES if "/*" not in case[0]])
def test_two_errors_are_reported_once_each(text: str, place: str) -> None:
    line = text.count("\n") + 1
    assert places(text) == [place]
    assert places(f"{text}z = 1 2\n") == [place, f"{line}:7 PCL0114"]


def test_brackets_before_an_unclosed_comment_have_no_diagnostics() -> None:
    assert places("a = [\n  f({\n    b = c/*d\n  })\n]\n") == ["3:10 PCL0106"]


def test_brackets_that_end_in_an_unclosed_heredoc_have_no_diagnostics() -> None:
    assert places("output a {\n  value = <<EOT\n  b\n}\n") == ["2:11 PCL0107"]
    assert places("a = {\n  b = [<<EOT\n  c\n  ]\n}\n") == ["2:8 PCL0107"]
    text = "output a {\n  value = [1\n}\noutput b {\n  value = <<EOT\n  c\n}\n"
    assert places(text) == ["2:11 PCL0108", "5:11 PCL0107"]


def test_an_unclosed_comment() -> None:
    assert places("a = 1\n/* b\nc = )") == ["2:1 PCL0106"]


def test_the_errors_of_one_block_are_reported_one_by_one() -> None:
    text = "resource a b {\n  x = 1;\n  y == 2\n  c {\n    z = [1 2]\n  }\n  w = 1\n}\n"
    assert places(text) == ["2:8 PCL0102", "3:5 PCL0125", "5:12 PCL0116"]


def test_the_errors_of_one_value_are_reported_one_by_one() -> None:
    text = (
        'a = {\n  b = [1 2]\n  c =\n  d = f(1,, 2)\n  e 5\n  f = "${x y}"\n  g = [for x xs : x]\n'
        "  h = { for x in xs : x }\n  i = \"%{ for x }a%{ endfor }${}\"\n  j = '1'\n  k = x[]\n}\nl = 1 2\n"
    )
    assert places(text) == [
        "2:10 PCL0116", "3:6 PCL0113", "4:11 PCL0126", "5:5 PCL0117", "6:12 PCL0120", "7:14 PCL0118",
        "8:25 PCL0118", "9:17 PCL0118", "9:32 PCL0126", "10:7 PCL0102", "11:9 PCL0126", "13:7 PCL0114",
    ]  # fmt: skip  # a table with many short entries a line


@pytest.mark.parametrize(
    "text",
    [
        'a = ["x", y@z.com", "z"]\n',
        'a = ${b}-${c}"\n',
        'a = [${b}/x", "${c}"]\n',
        'a = [\n  b:::${c}",\n  "d"]\n',
        'a = hello-world"\n',
        'a = /etc/x.conf"\n',
        'resource bucket aws:s3:Bucket" {\n}\n',
    ],
)
def test_a_string_without_its_opening_quote_gets_that_help(text: str) -> None:
    (diagnostic,) = mistakes(text)
    assert diagnostic.help is not None
    assert 'opening "' in diagnostic.help


@pytest.mark.parametrize("text", ['a = "x\n', 'a = ["a", "b]\n', "a = b & c\n", "a = $b\n", "a = 1;\n"])
def test_other_errors_do_not_mention_an_opening_quote(text: str) -> None:
    assert [diagnostic for diagnostic in mistakes(text) if diagnostic.help and 'opening "' in diagnostic.help] == []


HELPS = [
    # `=` in loops
    ("a = {for k, v in m : k = v}\n", "1:24-1:25 PCL0129", "write => between the key and the value"),
    ("a = {for k, v in m : k => v = 1}\n", "1:29-1:30 PCL0129", "to compare write =="),
    ("a = [for x in xs : x if x = 1]\n", "1:27-1:28 PCL0129", "to compare write =="),
    ("a = [x = 1]\n", "1:8-1:9 PCL0129", "a list holds values only: for keys and values write { key = value }"),
    # typographic quotes
    ("a = “x”\n", "1:5-1:8 PCL0102", 'use double quotes: "…"'),
    ("a = ‘x’\n", "1:5-1:8 PCL0102", 'use double quotes: "…"'),
    ("a = [‘it's’, 1]\n", "1:6-1:12 PCL0102", 'use double quotes: "…"'),
    ("a = ‘it’s’\n", "1:5-1:11 PCL0102", 'use double quotes: "…"'),
    ("a = «x»\n", "1:5-1:8 PCL0102", 'use double quotes: "…"'),
    ('a = "x”\n', "1:5-1:8 PCL0103", 'this string ends with the typographic quote ”: write "'),
    ('a = f(["x”])\n', "1:8-1:13 PCL0103", 'this string ends with the typographic quote ”: write "'),
    ('a = "x “y” z\n', "1:5-1:13 PCL0103", 'add a closing ", or write \\n for a line break'),
    # other characters
    ("a = 3，4\n", "1:6-1:7 PCL0102", "this is a full-width character: write ,"),
    ("a = ３\n", "1:5-1:6 PCL0102", "this is a full-width character: write 3"),
    ("a = 1；\n", "1:6-1:7 PCL0102", "remove it: lines need no separator"),
    ("a =\u30001\n", "1:4-1:5 PCL0102", "use a plain space"),
    ("a = 1\u200b\n", "1:6-1:7 PCL0102", "remove this invisible character"),
    ("a = 1²\n", "1:5-1:7 PCL0105", 'write "1²" for a string; names begin with a letter'),
    ("a = 。\n", "1:5-1:6 PCL0102", None),
]


@pytest.mark.parametrize(("text", "place", "help_text"), HELPS)
def test_the_help_for_a_mistake(text: str, place: str, help_text: str | None) -> None:
    (diagnostic,) = mistakes(text)
    span = diagnostic.primary
    assert span is not None
    start, end = span.start_position, span.end_position
    assert f"{start.line}:{start.column}-{end.line}:{end.column} {diagnostic.code}" == place
    assert (diagnostic.help and str(diagnostic.help)) == help_text


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("a =\n  [1]\n", True),
        ("a = 1 +\n  b\n", True),
        ("o {\n  a =\n    b.c\n}\n", True),
        ("a =\n", False),
        ("a = 1 +\nb = 2\n", False),
        ("o {\n  a =\n}\n", False),
        ("a = {\n  b =\n}\n", False),
        ("a = {\n  b =\n  c = 1\n}\n", False),
    ],
)
def test_a_missing_value_mentions_brackets_if_the_next_line_has_it(text: str, goes_on: bool) -> None:
    (diagnostic,) = mistakes(text)
    assert diagnostic.code == "PCL0113"
    assert ["use ( )" in note.message for note in diagnostic.notes] == [True] * goes_on


def test_what_is_around_a_mistake_is_in_the_tree() -> None:
    (item,) = parse_file(SourceFile("main.pp", "a = [1, 2 3, f(4)]\n"), DiagnosticBag()).body.items
    assert isinstance(item, ast.Attribute)
    assert isinstance(item.value, ast.TupleExpr)
    assert [type(e.value) for e in item.value.elements] == [ast.NumberLit, ast.Missing, ast.Call]


def test_an_unclosed_bracket_tells_where_that_was_noticed() -> None:
    (diagnostic,) = mistakes('a = [\n  1\n\noutput "x" {\n}\n')
    assert [str(note.span) for note in diagnostic.notes] == ["main.pp:4:1"]
    (diagnostic,) = mistakes("output x {\n  value = f(1\n}\n")
    assert [str(note.span) for note in diagnostic.notes] == ["main.pp:3:1"]


def test_a_byte_that_is_not_utf8_is_reported_once() -> None:
    bag = DiagnosticBag()
    parse_file(decode_source("main.pp", b"\xef\xbb\xbfa = \xff1\n", bag), bag)
    (diagnostic,) = bag
    assert (diagnostic.code, str(diagnostic.primary)) == ("PCL0101", "main.pp:1:5")
    assert "0xFF at byte 7" in diagnostic.message
    assert [d.code for d in mistakes("a = \ufffd1\n")] == ["PCL0102"]


def test_what_can_be_read_is_in_the_tree() -> None:
    bag = DiagnosticBag()
    body = parse_file(SourceFile("main.pp", "a = 1 2\nb = 3\nc {\n  d = [\n  e = 1\n}\n"), bag).body
    a, b, c = body.items
    assert isinstance(a, ast.Attribute)
    assert isinstance(a.value, ast.Missing)
    assert isinstance(b, ast.Attribute)
    assert isinstance(b.value, ast.NumberLit)
    assert isinstance(c, ast.Block)


DEEP = [
    "(" * 5000,
    "-" * 5000 + "1",
    "x ? 1 : " * 5000 + "2",
    "x ? f(1, 2) : " * 5000 + "2",
    "a" + "[0]" * 5000,
    "[" * 101 + "]" * 101,
    "!(" * 80 + "1" + ")" * 80,
    "1\n" + "a {\n" * 400 + "}\n" * 400,
]


@pytest.mark.parametrize("text", DEEP, ids=range(len(DEEP)))
def test_depth_is_bounded(text: str) -> None:
    assert [d.code for d in mistakes(f"a = {text}\n")] == ["PCL0110"]


def test_many_negative_numbers_are_not_deep() -> None:
    assert mistakes(f"a = {' + '.join(['-1'] * 400)}\nb = [{', '.join(['x ? 1 : 2'] * 1000)}]\n") == []


@needs_corpus
@for_all("folder", program_directories("bad"), names=lambda folder: folder.name)
def test_bad_programs(folder: Path) -> None:
    place, _ = (folder / "expect.txt").read_text().split(" ", 1)
    bag = DiagnosticBag()
    parse_file(decode_source("main.pp", (folder / "main.pp").read_bytes(), bag), bag)
    positions = [d.primary.start_position for d in bag if d.primary is not None]
    if int(folder.name[:2]) >= 25:
        assert not positions
        return
    assert [f"{at.line}:{at.column}" for at in positions] == [place]


PIECES = st.sampled_from(
    [
        "a", "b ", "=", " = ", "1", "1.", '"', "${", "%{", "~}", "}", "{", "[", "]", "(", ")", ",", ".", "*", "...", "?",
        ":", "\n", "\r\n", "\n  ", " ", "\t", "#c", "/*", "*/", "<<E\n", "<<-E\n", "\nE\n", "for ", " in ", " if ",
        "%{ if ", "%{ else }", "%{ endif }", "%{ for ", "%{ endfor }", "-", "!", "=>", "::", "&&", "&", "'", "\\", "$",
        "é", "\0", "resource r t {\n", "}\n",
    ]
)  # fmt: skip  # a table with many short entries a line


@settings(deadline=None, max_examples=400)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    for diagnostic in mistakes(text):
        assert diagnostic.primary is not None
        assert 0 <= diagnostic.primary.start <= diagnostic.primary.end <= len(text)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    bag = DiagnosticBag()
    parse_file(decode_source("main.pp", data, bag), bag)
