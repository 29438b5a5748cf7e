"""The layout of files: its result for common cases; it changes nothing but layout."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile, Span
from pclgen.syntax.format import format_source
from pclgen.syntax.parse import parse_file
from tests.support.corpus import ROOT, needs_corpus, pp_files
from tests.support.counting import calls_of
from tests.test_syntax_parse import EXPRESSIONS, NAMES


def layout(text: str) -> str:
    bag = DiagnosticBag()
    result = format_source(SourceFile("main.pp", text), bag)
    assert result is not None, [d.message for d in bag]
    return result


def essence(node: object) -> object:
    """A tree with its comments, without places and blank lines."""
    if isinstance(node, tuple):
        return [essence(part) for part in node]
    if isinstance(node, Struct):
        parts = {name: getattr(node, name) for name in node.__struct_fields__ if name not in ("gap_before", "source")}
        shown = {name: essence(part) for name, part in parts.items() if not isinstance(part, Span)}
        return (type(node).__name__, shown)
    return node


def tree(text: str) -> object:
    bag = DiagnosticBag()
    file = parse_file(SourceFile("main.pp", text), bag)
    assert [d.message for d in bag] == []
    return essence(file.body)


def check(text: str) -> None:
    result = layout(text)
    assert tree(result) == tree(text)
    assert layout(result) == result


CASES = {
    "equal-signs": ("a=1\nbcd  = [ 1,2 ]\n", "a   = 1\nbcd = [1, 2]\n"),
    "blank-lines": ("\n\na = 1\n\n\n\nb = 2", "a = 1\n\nb = 2\n"),
    "end-of-block": ("r a{\nx=1\n\n}\n", "r a {\n  x = 1\n}\n"),
    "runs": (
        "r a {\n\n  x=1\n  longer = {\n  y = 2\n  }\n  z = 3\n  zzz=4\n}",
        "r a {\n  x = 1\n  longer = {\n    y = 2\n  }\n  z   = 3\n  zzz = 4\n}\n",
    ),
    "hugging": ("a = f( [ {\nb=1\n} ] )", "a = f([{\n  b = 1\n}])\n"),
    "steps": ("a = -b.c [0] . d\n", "a = -b.c[0].d\n"),
    "splats": ("a = b.* .c + ( d[ * ].e )\n", "a = b.*.c + (d[*].e)\n"),
    "minus": ("a = x?1:- 2\nb = 2*-3- - 4\n", "a = x ? 1 : -2\nb = 2 * -3 - -4\n"),
    "objects": ("a = {b:1,c = x?{}:{ },}\n", "a = { b: 1, c = x ? {} : {} }\n"),
    "lists": ("a = [ ]\nb = [ 1,[2 ,],]\n", "a = []\nb = [1, [2]]\n"),
    "for": ("a = {for k,v in m:k=>v... if !v}\n", "a = { for k, v in m : k => v... if !v }\n"),
    "comments": ("a = 1#c\n#d\n  bb=2 /* e */\n", "a = 1 #c\n#d\nbb = 2 /* e */\n"),
    "heredoc": ("a = <<E\n  x${ y }\n  E\nbcd = 1\n", "a = <<E\n  x${ y }\n  E\nbcd = 1\n"),
    "template": ('a = "${ b }"\n', 'a = "${ b }"\n'),
    "parentheses": ("a = (\n1 +\n2\n)\n", "a = (\n  1 +\n  2\n)\n"),
    "crlf": ("a = [1,\r\n2]\r\nbc = 2\r\n", "a = [\r\n  1,\r\n  2,\r\n]\r\nbc = 2\r\n"),
    "nothing": ("", ""),
    "one-comment": ("# only\n", "# only\n"),
    # Elements on lines of their own.
    "broken-object": (
        'k = {a=1,bcd = "x"\n   c = [1,\n 2,3]\n  }\n',
        'k = {\n  a   = 1\n  bcd = "x"\n  c = [\n    1,\n    2,\n    3,\n  ]\n}\n',
    ),
    "broken-by-an-element": (
        "a = [{\nb = 1\n}, {\nb = 2\n}]\n",
        "a = [\n  {\n    b = 1\n  },\n  {\n    b = 2\n  },\n]\n",
    ),
    "object-around-something-broken": ("a = { b = [1,\n2] }\n", "a = {\n  b = [\n    1,\n    2,\n  ]\n}\n"),
    "leading-commas": ("a = [1 # one\n, 2\n # three\n, 3]\n", "a = [\n  1, # one\n  2,\n  # three\n  3,\n]\n"),
    "commas-in-objects": ("a = {\nb = 1, # b\nc = 2,\n}\n", "a = {\n  b = 1 # b\n  c = 2\n}\n"),
    "comments-before-elements": (
        "a = [ /* x */ 1, /* y */ 2, /* z */\n 3 /* w */]\n",
        "a = [\n  /* x */ 1,\n  /* y */ 2, /* z */\n  3, /* w */\n]\n",
    ),
    "comments-of-brackets": (
        "a = [ # a\n\n  1\n\n  # end\n\n]\nr { # r\n\n  x = 1\n}\n",
        "a = [ # a\n  1,\n\n  # end\n]\n\nr { # r\n  x = 1\n}\n",
    ),
    "blank-lines-between-elements": ("a = [1,\n\n\n2]\n", "a = [\n  1,\n\n  2,\n]\n"),
    "empty-over-lines": ("a = [\n]\nb = {\n\n}\nc = {\n# d\n}\n", "a = []\nb = {}\nc = {\n  # d\n}\n"),
    "call": ("a = f(1,\n[2], b...\n)\nc = f(1,\n 2)\n", "a = f(\n  1,\n  [2],\n  b...\n)\nc = f(\n  1,\n  2,\n)\n"),
    "call-around-object": ('a = invoke("f", {\nb=1\n})\n', 'a = invoke("f", {\n  b = 1\n})\n'),
    "loop": ("a = [for b in c :\nb.d]\n", "a = [\n  for b in c :\n  b.d\n]\n"),
    "loop-around-object": ("a = {for b in c : b => {\nd=1\n}}\n", "a = { for b in c : b => {\n  d = 1\n} }\n"),
    "continued-element": ("a = [1 +\n2, 3]\n", "a = [\n  1 +\n    2,\n  3,\n]\n"),
    "heredocs-in-a-list": (
        "a = [<<E\nx\nE\n,\n<<E\ny\nE\n,]\nb = [<<E\nE\n]\n",
        "a = [\n  <<E\nx\nE\n  ,\n  <<E\ny\nE\n]\nb = [<<E\nE\n]\n",
    ),
    "heredoc-in-a-call": ("a = f(<<E\nx\nE\n)\n", "a = f(<<E\nx\nE\n)\n"),
    "brackets-behind-one-that-closes": (
        "a = f(((b +\nc) + [1,\n2]),\nd)\ne = ((b +\nc) + [\n1])\n",
        "a = f(\n  ((b +\n    c) + [\n      1,\n      2,\n  ]),\n  d,\n)\ne = ((b +\n  c) + [\n    1,\n])\n",
    ),
    "late-comment": ("a = f(1,\n/* c */ 2)\n", "a = f(1,\n  /* c */ 2)\n"),
    "block-on-one-line": ('r a "b" {x=1}\nq {}\n', 'r a "b" { x = 1 }\n\nq {}\n'),
    "block-with-a-long-value": ("r { x = [1,\n2] }\n", "r {\n  x = [\n    1,\n    2,\n  ]\n}\n"),
    # Blank lines around top-level blocks.
    "around-blocks": ("a = 1\nr {\n}\nb = 2\nc = 3\n", "a = 1\n\nr {\n}\n\nb = 2\nc = 3\n"),
    "comments-on-top-of-blocks": (
        "# file\n\n# r\nr {\n}\n# s\n# s\ns {\n} // s\n# end",
        "# file\n\n# r\nr {\n}\n\n# s\n# s\ns {\n} // s\n\n# end\n",
    ),
    "first-block": ("# a\nr {\n}\n", "# a\nr {\n}\n"),
    "inner-blocks": (
        "r {\n  x = 1\n  options {\n  y = 1\n  }\n\n\n  z = 2\n}\n",
        "r {\n  x = 1\n  options {\n    y = 1\n  }\n\n  z = 2\n}\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_layout(name: str) -> None:
    text, result = CASES[name]
    assert layout(text) == result
    check(text)


def test_text_with_mistakes_is_left_alone() -> None:
    bag = DiagnosticBag()
    assert format_source(SourceFile("main.pp", "a = [\n"), bag) is None
    assert [d.code for d in bag] == ["PCL0108"]


# Programs in odd layout, piece by piece: each gap is drawn from the allowed whitespace and comments.
Text = st.SearchStrategy[str]

ON_THE_LINE = st.sampled_from(["", "", " ", " ", "\t ", " /* a */ ", "/* b\n  c */"])
"""Gaps where a newline would end the item; the pieces separate words themselves."""

ANYWHERE = st.one_of(
    ON_THE_LINE, st.sampled_from(["\n", "\n\n\n", " # c\n", "// d\n\n", "\n# e\n\n# f\n", "\n/* g */", "\r\n "])
)
"""Gaps where newlines have no meaning."""

NEXT = st.sampled_from(
    ["\n", "\n\n", "\n\n\n", " # h\n", " // i\n\n", " /* j */\n", "\n\n# k\n", "\n# l\n\n", "\r\n", "\n/* m */ "]
)
"""Gaps between items."""

FIRST = st.sampled_from(["\n", "\n\n", " # n\n", " /* o */\n# p\n"])
"""Gaps after the `{` of a block."""


def joined(*parts: Text | str) -> Text:
    return st.tuples(*[st.just(part) if isinstance(part, str) else part for part in parts]).map("".join)


def rows(element: Text, between: Text) -> Text:
    """Elements with separators between them."""

    def put(drawn: list[tuple[str, str]]) -> str:
        return "".join(gap + text for gap, text in drawn).removeprefix(drawn[0][0])

    return st.lists(st.tuples(between, element), min_size=1, max_size=4).map(put)


COMMA = joined(ANYWHERE, ",", ANYWHERE)
HEREDOCS = st.sampled_from(["<<E\n  x ${ y }\n E\n", "<<-END\n    # no comment\n\n  b\n  END\n"])


def values(inner: Text) -> Text:
    elements = rows(st.one_of(inner, HEREDOCS), COMMA)
    ending = st.one_of(ANYWHERE, COMMA)
    pair = joined(NAMES, ON_THE_LINE, st.sampled_from(["=", ":"]), ON_THE_LINE, inner)
    pairs = rows(pair, st.one_of(NEXT, joined(ON_THE_LINE, ",", ANYWHERE)))
    return st.one_of(
        joined("[", ANYWHERE, elements, ending, "]"),
        joined("[", ANYWHERE, "]"),
        joined("{", ANYWHERE, pairs, st.one_of(ON_THE_LINE, NEXT, joined(ON_THE_LINE, ",", ANYWHERE)), "}"),
        joined("{", ANYWHERE, "}"),
        joined("f", ON_THE_LINE, "(", ANYWHERE, elements, st.one_of(ending, joined("...", ANYWHERE)), ")"),
        joined("(", ANYWHERE, inner, ANYWHERE, "+", ANYWHERE, inner, ANYWHERE, ")"),
        joined("[", ANYWHERE, "for x in xs", ANYWHERE, ":", ANYWHERE, inner, ANYWHERE, "]"),
        joined("{", ANYWHERE, "for x in xs :", ANYWHERE, "x =>", ANYWHERE, inner, ANYWHERE, "}"),
        joined("x", ON_THE_LINE, "[", ANYWHERE, inner, ANYWHERE, "]"),
    )


VALUES = st.recursive(st.one_of(NAMES, EXPRESSIONS), values, max_leaves=6)
ATTRIBUTES = st.one_of(
    joined("@", ON_THE_LINE, "=", ON_THE_LINE, VALUES, NEXT), joined("@ =", HEREDOCS.map(str.rstrip), "\n")
)
BLOCKS = joined("r", ON_THE_LINE, '"x"', ON_THE_LINE, "{", FIRST, rows(ATTRIBUTES, st.just("")), "}", NEXT)
ONE_LINERS = joined("r {", ON_THE_LINE, st.just("") | joined("@ =", VALUES), ON_THE_LINE, "}", NEXT)


def numbered(text: str) -> str:
    """Distinct names of attributes."""
    count = itertools.count()
    return re.sub("@", lambda _: "a" * (next(count) % 3) + f"b{next(count)}", text)


PROGRAMS = st.lists(st.one_of(ATTRIBUTES, BLOCKS, ONE_LINERS), max_size=5).map("".join).map(numbered)


@settings(deadline=None)
@given(PROGRAMS)
def test_only_layout_changes(text: str) -> None:
    check(text)


@settings(deadline=None)
@given(PROGRAMS)
def test_every_line_is_tidy(text: str) -> None:
    result = layout(text)
    assert result == "" or (result.endswith("\n") and not result.startswith("\n") and not result.endswith("\n\n"))
    if "<<" not in text and "/*" not in text:
        assert "\n\n\n" not in result.replace("\r", "")
        assert [line for line in result.splitlines() if line != line.rstrip()] == []


@needs_corpus
def test_the_corpus_keeps_its_meaning() -> None:
    for file in pp_files("conformance", "codegen", "field", "accepted-beyond-peer"):
        check(file.read_bytes().decode().removeprefix("\ufeff"))


@pytest.mark.parametrize("folder", ["examples", "tests/cases/programs"])
def test_our_programs_have_it(folder: str) -> None:
    files = sorted(ROOT.joinpath(folder).rglob("*.pp"))
    assert files
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}
    assert [name for name, text in texts.items() if layout(text) != text] == []


def test_time_grows_with_length_only() -> None:
    def cost(rows: int) -> int:
        table = "".join(f"  r{i} = [1, # one\n    {{ a = f(2,\n3) }}, /* c */ [\n]]\n" for i in range(rows))
        text = "a = {\n" + table + "}\nb = " + "[" * 90 + "]" * 90 + "\nc = [" + "1, # c\n" * (5 * rows) + "]\n"
        return calls_of(lambda: layout(text))

    cost(1)  # the grammar is built once
    assert cost(400) < 4.5 * cost(100)
