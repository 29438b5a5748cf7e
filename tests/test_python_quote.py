"""Any text survives the trip through Python literals, f-strings and `format`."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.emit.forms import forms
from pclgen.targets.python import quote, tree
from pclgen.targets.python.printer import Printer, Spellings
from pclgen.targets.python.view import FORMS

TEXTS = st.text(st.characters() | st.sampled_from("\"'{}\\\n\t#"), max_size=12)
PRINTER = Printer(Spellings(variables={}, modules={}, direct={}), forms("python", FORMS, None))


@given(TEXTS)
def test_a_literal_evaluates_to_the_text(text: str) -> None:
    assert ast.literal_eval(quote.quote(text)) == text


@given(TEXTS)
def test_a_literal_in_triple_quotes_does_too(text: str) -> None:
    assert ast.literal_eval(quote.quote_lines(text)) == text


@given(TEXTS, st.sampled_from([('"',), ("'",)]))
def test_inside_an_f_string_there_is_neither_a_backslash_nor_a_foreign_quote(text: str, quotes: tuple[str]) -> None:
    try:
        literal = quote.quote(text, quotes)
    except quote.QuotesExhaustedError:
        return
    assert "\\" not in literal
    assert ast.literal_eval(literal) == text
    assert ({'"', "'"} - set(quotes)).isdisjoint(set(literal) - set(text))


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("plain", '"plain"'),
        ('say "hi"', "'say \"hi\"'"),
        ("both \" and '", '"both \\" and \'"'),
        ("C:\\new", '"C:\\\\new"'),
        ("bell\x07 é 🚀 \u2028", '"bell\\x07 é 🚀 \\u2028"'),
    ],
)
def test_literals_read_well(text: str, literal: str) -> None:
    assert quote.quote(text) == literal


def test_the_lines_of_a_heredoc_stay_lines() -> None:
    assert quote.quote_lines('a "quoted"\n\\n """\n') == '"""\\\na "quoted"\n\\\\n ""\\"\n"""'


def holes(depth: int) -> st.SearchStrategy[tuple[tree.Expr, str]]:
    """A text expression with its value: constants, dict lookups and format strings inside format strings."""
    constants = TEXTS.map(lambda text: (tree.text(text), text))
    if depth == 0:
        return constants
    inner = holes(depth - 1)

    def formatted(parts: list[str | tuple[tree.Expr, str]], multiline: bool) -> tuple[tree.Expr, str]:
        built = tuple(part if isinstance(part, str) else tree.Hole(value=part[0]) for part in parts)
        value = "".join(part if isinstance(part, str) else part[1] for part in parts)
        return tree.FormatString(parts=built, multiline=multiline), value

    def looked_up(pair: tuple[tree.Expr, str], key: str) -> tuple[tree.Expr, str]:
        entry = tree.Entry(key=tree.text(key), value=pair[0])
        return tree.index(tree.DictDisplay(entries=(entry,)), tree.text(key)), pair[1]

    strings = st.builds(formatted, st.lists(TEXTS | inner, max_size=3), st.booleans())
    return constants | strings | st.builds(looked_up, inner, TEXTS)


@given(holes(3))
def test_format_strings_evaluate_to_their_text(pair: tuple[tree.Expr, str]) -> None:
    expr, value = pair
    printed = PRINTER.print(expr)
    assert eval(printed) == value
    # Python before 3.12 refuses these inside the braces; this interpreter checks what it can.
    ast.parse(printed, feature_version=(3, 9))


@given(st.lists(st.text(), max_size=4))
def test_docstrings_say_what_was_said(lines: list[str]) -> None:
    printed = "\n".join(quote.docstring(lines))
    text = ast.literal_eval(printed) if printed else ""
    assert text.strip() == "\n".join(line.strip() for line in lines).strip()
