"""The layout of files: what it makes of common cases, and that it changes nothing but layout."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.syntax.format import format_source
from pclgen.syntax.lexer import lex
from tests.support.corpus import needs_corpus, pp_files
from tests.test_syntax_parse import EXPRESSIONS, NAMES


def layout(text: str) -> str:
    bag = DiagnosticBag()
    result = format_source(SourceFile("main.pp", text), bag)
    assert result is not None, [d.message for d in bag]
    return result


def essence(text: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Tokens and comments without their places."""
    lexed = lex(SourceFile("main.pp", text))
    return [(t.type, t.value) for t in lexed.tokens], [text[a:b].rstrip() for a, b in lexed.comments]


def check(text: str) -> None:
    result = layout(text)
    assert layout(result) == result
    tokens, comments = essence(text)
    again, comments_again = essence(result)
    plain = [(kind, "\n" if kind == "NL" else value) for kind, value in tokens]
    assert plain == [(kind, "\n" if kind == "NL" else value) for kind, value in again]
    assert comments == comments_again


CASES = [
    ("a=1\nbcd  = [ 1,2 ]\n", "a   = 1\nbcd = [1, 2]\n"),
    ("\n\na = 1\n\n\n\nb = 2", "a = 1\n\nb = 2\n"),
    ("r a{\nx=1\n\n}\n", "r a {\n  x = 1\n}\n"),
    ("r a {\n\n  x=1\n  longer = {\n  y = 2\n  }\n  z = 3\n}", "r a {\n  x = 1\n  longer = {\n    y = 2\n  }\n  z = 3\n}\n"),
    ("a = f( [ {\nb=1\n} ] )", "a = f([{\n  b = 1\n}])\n"),
    ("a = -b.c [0] . d\n", "a = -b.c[0].d\n"),
    ("a = b.* .c + ( d[ * ].e )\n", "a = b.*.c + (d[*].e)\n"),
    ("a = x?1:- 2\n", "a = x ? 1 : -2\n"),
    ("a = {b:1,c = x?{}:{ }}\n", "a = { b: 1, c = x ? {} : {} }\n"),
    ("a = {for k,v in m:k=>v... if !v}\n", "a = { for k, v in m : k => v... if !v }\n"),
    ("a = 1#c\n#d\n  bb=2 /* e */\n", "a = 1 #c\n#d\nbb = 2 /* e */\n"),
    ("a = <<E\n  x${ y }\n  E\nbcd = 1\n", "a = <<E\n  x${ y }\n  E\nbcd = 1\n"),
    ('a = "${ b }"\n', 'a = "${ b }"\n'),
    ("a = (\n1 +\n2\n)\n", "a = (\n  1 +\n  2\n)\n"),
    ("a = 1\r\nbc = 2\r\n", "a  = 1\r\nbc = 2\r\n"),
    ("", ""),
    ("# only\n", "# only\n"),
]


@pytest.mark.parametrize(("text", "result"), CASES)
def test_layout(text: str, result: str) -> None:
    assert layout(text) == result
    check(text)


def test_text_with_mistakes_is_left_alone() -> None:
    bag = DiagnosticBag()
    assert format_source(SourceFile("main.pp", "a = [\n"), bag) is None
    assert [d.code for d in bag] == ["PCL0108"]


BLANKS = st.sampled_from(["", " ", "  ", "\t"])
LINES = st.sampled_from(["\n", "\n\n", "\n\n\n", " # c\n", " // d\n\n", " /* e */\n", "\n# f\n", "\r\n"])
ITEMS = st.one_of(
    st.tuples(NAMES, BLANKS, EXPRESSIONS, LINES).map(lambda t: f"{t[0]}{t[1]}={t[1]}{t[2]}{t[3]}"),
    st.tuples(NAMES, BLANKS, LINES).map(lambda t: f"{t[0]} = {{{t[2]}{t[1]}k = [{t[1]}1,{t[2]}2{t[2]}]{t[2]}}}{t[2]}"),
    st.tuples(NAMES, BLANKS, LINES).map(lambda t: f'{t[0]} x "y"{t[1]}{{{t[2]}{t[1]}a=1{t[2]}bc = f({t[2]}1){t[2]}}}{t[2]}'),
    st.tuples(NAMES, st.sampled_from(["<<E", "<<-E"]), LINES).map(lambda t: f"{t[0]} = {t[1]}\n  x ${{ y }}\n  E{t[2][-1]}"),
)


@settings(deadline=None)
@given(st.lists(ITEMS, max_size=6).map("".join))
def test_only_layout_changes(text: str) -> None:
    check(text)


@needs_corpus
def test_the_corpus_keeps_its_tokens() -> None:
    for file in pp_files("conformance", "codegen", "field", "accepted-beyond-peer"):
        check(file.read_bytes().decode().removeprefix("\ufeff"))
