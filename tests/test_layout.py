"""The document printer: groups that fit take one line; the others break from the outside in."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pclgen.layout import (
    BREAK_PARENT,
    HARDLINE,
    LINE,
    LITERAL_LINE,
    SOFTLINE,
    Attempt,
    Cell,
    Doc,
    GroupId,
    Outlined,
    Row,
    Table,
    align,
    alternatives,
    body,
    concat,
    enclose,
    fill,
    group,
    if_break,
    indent,
    indent_if_break,
    join,
    line_suffix,
    one_line,
    print_doc,
    will_break,
)


def text(doc: Doc, width: int = 20) -> str:
    return print_doc(doc, width=width, step=2).text


def listed(*items: Doc) -> Doc:
    return group("[", indent(SOFTLINE, join(concat(",", LINE), items), if_break(",")), SOFTLINE, "]")


def test_a_group_that_fits_stands_on_one_line() -> None:
    assert text(listed("aaa", "bbb")) == "[aaa, bbb]"


def test_a_group_that_does_not_fit_breaks_all_its_lines() -> None:
    assert text(listed("a" * 9, "b" * 9, "c")) == "[\n  aaaaaaaaa,\n  bbbbbbbbb,\n  c,\n]"


def test_an_inner_group_breaks_only_when_it_must() -> None:
    assert text(listed(listed("a", "b"), listed("c" * 8, "d" * 8))) == (
        "[\n  [a, b],\n  [\n    cccccccc,\n    dddddddd,\n  ],\n]"
    )


def test_what_follows_a_group_counts() -> None:
    assert text(concat(listed("a" * 8, "b" * 6), ";;")) == "[aaaaaaaa, bbbbbb];;"
    assert text(concat(listed("a" * 8, "b" * 6), ";;;")) == "[\n  aaaaaaaa,\n  bbbbbb,\n];;;"


def test_a_hard_line_breaks_what_is_around_it() -> None:
    doc = listed(concat("a", HARDLINE, "b"))
    assert will_break(doc)
    assert text(doc) == "[\n  a\n  b,\n]"
    assert text(group("a", LINE, BREAK_PARENT, "b")) == "a\nb"


def test_a_literal_line_knows_no_indentation() -> None:
    assert text(indent("a", LITERAL_LINE, "  b", HARDLINE, "c")) == "a\n  b\n  c"


def test_fill_puts_as_much_on_a_line_as_fits() -> None:
    parts: list[Doc] = ["aaaaaa", LINE, "bbbbbb", LINE, "cccccc", LINE, "dddddd"]
    assert text(fill(parts)) == "aaaaaa bbbbbb cccccc\ndddddd"


def test_the_first_alternative_that_fits_is_taken() -> None:
    states = ("a" * 30, "b" * 25, concat("c" * 15, HARDLINE, "d"))
    assert text(alternatives(*states)) == "c" * 15 + "\nd"
    assert text(alternatives("short", "long" * 9)) == "short"
    assert not will_break(alternatives(concat("a", HARDLINE), "b"))


def test_documents_follow_the_group_they_name() -> None:
    mark = GroupId()
    doc = concat(group("x" * 15, indent(LINE, "yyyyyyy"), id=mark), HARDLINE, if_break("broken", "flat", mark))
    assert text(doc) == "xxxxxxxxxxxxxxx\n  yyyyyyy\nbroken"
    assert text(doc, 40) == "xxxxxxxxxxxxxxx yyyyyyy\nflat"
    kept = GroupId()
    later = concat(group("=", indent(LINE), id=kept), indent_if_break(listed("a" * 10, "b" * 10), kept))
    assert text(later) == "= [\n  aaaaaaaaaa,\n  bbbbbbbbbb,\n]"


def test_a_suffix_waits_for_the_end_of_its_line() -> None:
    assert text(concat("a", line_suffix(" // note"), ",", HARDLINE, "b")) == "a, // note\nb"
    assert text(concat("a", line_suffix(" // note"))) == "a // note"


def test_align_counts_columns() -> None:
    assert text(concat("? ", align(2, "a", HARDLINE, "b"))) == "? a\n  b"


def test_blanks_at_the_end_of_a_line_go() -> None:
    assert text(concat("a  ", HARDLINE, "b")) == "a\nb"


def test_broken_groups_are_reported() -> None:
    inner, outer = GroupId("inner"), GroupId("outer")
    doc = group("a" * 10, LINE, group("b", LINE, "c", id=inner), LINE, "d" * 9, id=outer)
    assert print_doc(doc, width=20).broken == ("outer",)


def test_texts_next_to_each_other_become_one() -> None:
    assert concat("a", "", "b") == "ab"
    assert concat() == ""
    assert text(concat("a", concat("b", LINE), "c", "d")) == "ab\ncd"


def block(*lines: str) -> Doc:
    return concat("{", body(*lines), "}")


def test_an_attempt_is_measured_by_itself() -> None:
    def doc(word: str) -> Doc:
        return concat(Attempt(word, lambda: concat("(", body("x"), ")")), ";" * 9)

    assert text(doc("a" * 20)) == "a" * 20 + ";" * 9
    assert text(doc("a" * 21)) == "(\n  x\n)" + ";" * 9


def test_what_fits_is_not_made_otherwise() -> None:
    def never() -> Doc:
        raise AssertionError

    assert text(Attempt("a", never)) == "a"
    assert text(Outlined(concat("a", block("b")), never)) == "a{\n  b\n}"


def test_a_body_has_lines_of_its_own() -> None:
    assert text(block("a", "b")) == "{\n  a\n  b\n}"
    assert text(block()) == "{\n}"
    assert text(concat("x", indent(HARDLINE, block("a")))) == "x\n  {\n    a\n  }"


def test_an_outline_is_taken_when_the_lines_between_bodies_fit() -> None:
    def doc(*parts: Doc) -> Doc:
        return Outlined(concat("f(", join(", ", parts), ")"), lambda: concat("f(", body(*parts), ")"))

    assert text(doc("a" * 30, block("b" * 30))) == f"f({'a' * 30}, {{\n  {'b' * 30}\n}})"
    assert text(doc(block("b"), "a" * 16)) == f"f({{\n  b\n}}, {'a' * 16})"
    assert text(doc(block("b"), "a" * 17)) == f"f(\n  {{\n    b\n  }}\n  {'a' * 17}\n)"
    long = Attempt("a" * 21, lambda: block("a"))
    assert text(doc(long, "b")) == "f({\n  a\n}, b)"
    assert text(doc(one_line(long), "b")) == "f(\n  {\n    a\n  }\n  b\n)"
    inner = doc(block("b"), "a" * 10)
    assert text(doc(inner, "c")) == f"f(f({{\n  b\n}}, {'a' * 10}), c)"
    assert text(doc(inner, "c" * 5)) == f"f(\n  f({{\n    b\n  }}, {'a' * 10})\n  ccccc\n)"


def test_lines_behind_a_body_may_be_longer() -> None:
    doc = concat(block("b"), Attempt(" " + "a" * 20, lambda: " c"))
    assert text(doc) == "{\n  b\n} c"
    assert print_doc(doc, width=20, step=2, slack=2).text == "{\n  b\n} " + "a" * 20


def test_steps_may_be_tabs() -> None:
    doc = concat("{", body(concat("[", body("a"), "]")), "}")
    assert print_doc(doc, width=20, tabs=True).text == "{\n\t[\n\t\ta\n\t]\n}"


def test_columns_of_a_table_are_filled_when_it_is_printed() -> None:
    def padding(rows: Sequence[Cell | None]) -> list[int]:
        heads = [cell for cell in rows if cell is not None and not cell.tall]
        width = max(len(cell.head) for cell in heads)
        return [width - len(cell.head) if cell is not None and not cell.tall else 0 for cell in rows]

    rows = (Row("a:", "1"), "// note", Row("long:", Attempt("2" * 15, lambda: block("2"))), Row("bcd:", block("3" * 30)))
    assert text(concat("{", body(Table(rows, padding)), "}")) == (
        "{\n  a: 1\n  // note\n  long: {\n    2\n  }\n  bcd: {\n    " + "3" * 30 + "\n  }\n}"
    )
    assert text(Table((Row("a:", "1" * 18), "", Row("bcd:", "2")), padding)) == f"a:   {'1' * 18}\n\nbcd: 2"


@given(st.recursive(st.text("ab", min_size=1, max_size=12), lambda inner: st.lists(inner, max_size=5), max_leaves=40))
def test_layout_changes_only_blanks(tree: object) -> None:
    def build(node: object) -> Doc:
        return node if isinstance(node, str) else listed(*[build(part) for part in node])  # type: ignore[attr-defined]  # a list

    def bare(printed: str) -> str:
        return "".join(printed.split()).replace(",]", "]")

    doc = build(tree)
    assert bare(text(doc)) == bare(text(doc, 10**6))
    assert "\n" not in text(doc, 10**6)


@given(st.recursive(st.text("ab", min_size=1, max_size=12), lambda inner: st.lists(inner, max_size=5), max_leaves=40))
def test_texts_without_width_at_both_ends_change_no_layout(tree: object) -> None:
    def build(node: object, before: str, behind: str) -> Doc:
        if isinstance(node, str):
            return enclose(before, Attempt(node, lambda: block(node)), behind)
        return enclose(before, listed(*[build(part, before, behind) for part in node]), behind)  # type: ignore[attr-defined]  # a list

    marked = text(build(tree, "\x01", "\x02"))
    assert marked.replace("\x01", "").replace("\x02", "") == text(build(tree, "", ""))
    assert (marked[0], marked[-1]) == ("\x01", "\x02")
    inside = re.sub(r"[^\x01\x02]", "", marked)
    while "\x01\x02" in inside:
        inside = inside.replace("\x01\x02", "")
    assert not inside


def calls(count: int) -> int:
    """The number of function calls that printing a list of `count` rows takes."""
    doc: Doc = listed(*[listed("a" * 10, "b" * 10, *(listed("c") for _ in range(3))) for _ in range(count)])
    counted = 0

    def count_one(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count_one)
    try:
        print_doc(doc)
    finally:
        sys.setprofile(None)
    return counted


def test_the_cost_is_linear() -> None:
    calls(1)  # fills the caches
    assert calls(800) < 8.5 * calls(100)


def test_deep_nesting_needs_no_stack() -> None:
    doc: Doc = "x"
    for _ in range(5000):
        doc = listed(doc)
    assert text(doc).count("[") == 5000
