"""Text to tree: values, precedence, positions, comments, limits of the parser."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.syntax import ast
from pclgen.syntax.parse import decode_source, parse_file
from tests.support.corpus import needs_corpus, pp_files
from tests.support.counting import calls_of


def parse(text: str) -> ast.Body:
    bag = DiagnosticBag()
    tree = parse_file(SourceFile("main.pp", text), bag)
    assert [d.message for d in bag] == []
    return tree.body


def value(text: str) -> ast.Expr:
    item = parse(f"x = {text}\n").items[0]
    assert isinstance(item, ast.Attribute)
    return item.value


def show(e: ast.Expr) -> str:
    """An expression with every group in parentheses."""
    match e:
        case ast.Binary():
            return f"({show(e.left)} {e.operator} {show(e.right)})"
        case ast.Unary():
            return f"({e.operator}{show(e.operand)})"
        case ast.Conditional():
            return f"({show(e.condition)} ? {show(e.then)} : {show(e.otherwise)})"
        case ast.GetAttr():
            return f"{show(e.source)}.{e.name.text}"
        case ast.Index():
            return f"{show(e.source)}[{show(e.key)}]"
        case ast.Splat():
            return f"<{show(e.source)}{'[*]' if e.full else '.*'}{show(e.each)}>"
        case ast.SplatItem():
            return "@"
        case ast.Parens():
            return show(e.inner)
        case _:
            return e.span.text


def text_of(e: ast.Expr) -> str:
    assert isinstance(e, ast.Template), e
    part = e.parts[0] if e.parts else None
    assert part is None or isinstance(part, ast.TemplateText)
    return part.value if part is not None else ""


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a || b && c == d < e + f * -g", "(a || (b && (c == (d < (e + (f * (-g)))))))"),
        ("a * b + c > d != e && f || g", "((((((a * b) + c) > d) != e) && f) || g)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("-a.b[0]", "(-a.b[0])"),
        ("!!x", "(!(!x))"),
        ("a-b", "a-b"),
        ("a -b", "(a - b)"),
        ("5-3", "(5 - 3)"),
        ("a.*.b.c[0]", "<a.*@.b.c>[0]"),
        ("a[*].b[0].c", "<a[*]@.b[0].c>"),
        ("a[*].b[*].c", "<a[*]<@.b[*]@.c>>"),
        ("a.*.b[*].c", "<<a.*@.b>[*]@.c>"),
        ("a.0[1]", "a[0][1]"),
        ("(a + b) * c", "((a + b) * c)"),
    ],
)
def test_operators_and_steps_group(text: str, grouped: str) -> None:
    assert show(value(text)) == grouped


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("1.50", Decimal("1.5")), ("2.0", 2), ("1e3", 1000), ("15E-1", Decimal("1.5"))],
)
def test_numbers_are_exact(text: str, number: int | Decimal) -> None:
    result = value(text)
    assert isinstance(result, ast.NumberLit)
    assert (result.value, type(result.value)) == (number, type(number))


def test_a_huge_exponent_costs_nothing() -> None:
    result = value("1e-999999999")
    assert isinstance(result, ast.NumberLit)
    assert result.value == 0


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (r'"a\n\t\"\\"', 'a\n\t"\\'),
        (r'"\u00e9\U0001F600"', "é😀"),
        ('"$${x} %%{y} $ % $$ 5%"', "${x} %{y} $ % $$ 5%"),
        ('""', ""),
        ("<<E\na\\n\n b\nE", "a\\n\n b\n"),
        ("<<-E\n    a\n\n      b\n    E", "a\n\n  b\n"),
        ("<<-E\n\ta\n\tb\n\tE", "a\nb\n"),
        ("<<E\nE", ""),
        ("<<E\r\na\r\nE", "a\r\n"),
    ],
)
def test_text_values(text: str, result: str) -> None:
    assert text_of(value(text)) == result


def parts_of(text: str) -> list[str]:
    result = value(text)
    assert isinstance(result, ast.Template)
    return [part.value if isinstance(part, ast.TemplateText) else part.span.text for part in result.parts]


def test_strip_marks_take_blanks_of_the_text_beside() -> None:
    assert parts_of('"a  ${~ b ~}  c"') == ["a", "${~ b ~}", "c"]
    assert parts_of('"  ${~ b ~}  "') == ["", "${~ b ~}", ""]  # not `b` alone: the result is a string


def test_strip_marks_in_heredocs_reach_to_the_end_of_a_line() -> None:
    assert parts_of("<<E\na\n\n  ${~ b ~}\n  c\nE") == ["a\n\n", "${~ b ~}", "  c\n"]
    assert parts_of("<<-E\n    a ${b ~}\n      c\n    E") == ["a ", "${b ~}", "      c\n"]


def test_dedent_counts_text_at_line_starts_only() -> None:
    assert parts_of("<<-E\n    a ${b} c\n      d\n  E") == ["a ", "${b}", " c\n  d\n"]
    assert parts_of("<<-E\n    a\n${b}\n  E") == ["    a\n", "${b}", "\n"]


def test_directives() -> None:
    result = value('"%{ if a }x%{ else }y%{ for k, v in m }${k}%{ endfor }%{ endif }"')
    assert isinstance(result, ast.Template)
    (outer,) = result.parts
    assert isinstance(outer, ast.TemplateIf)
    assert [part.span.text for part in outer.then] == ["x"]
    loop = outer.otherwise[1]
    assert isinstance(loop, ast.TemplateFor)
    assert (loop.key and loop.key.text, loop.value.text, len(loop.body)) == ("k", "v", 1)


@pytest.mark.parametrize(
    "text", ["{ a = 1, b : 2 }", "{\n a = 1\n b = 2\n}", "{ a = 1,\n\n b = 2,\n}", "{\n a = 1,\n b = 2 }"]
)
def test_object_separators(text: str) -> None:
    result = value(text)
    assert isinstance(result, ast.ObjectExpr)
    assert [item.key.text for item in result.items if isinstance(item.key, ast.BareKey)] == ["a", "b"]


def test_object_keys() -> None:
    result = value('{ a = 1, true = 2, 1.50 = 3, "q" = 4, (b) = 5, c.d = 6, if = 7, in = 8 }')
    assert isinstance(result, ast.ObjectExpr)
    keys = [item.key for item in result.items]
    assert [key.text if isinstance(key, ast.BareKey) else type(key.value).__name__ for key in keys] == [
        "a", "true", "1.5", "Template", "Parens", "GetAttr", "if", "in",
    ]  # fmt: skip  # as short as in the text


def test_for_words_are_names_elsewhere() -> None:
    result = value("[for in in in : in if in]")
    assert isinstance(result, ast.ForExpr)
    assert (result.value.text, show(result.collection), show(result.result)) == ("in", "in", "in")
    assert result.condition is not None
    assert show(value("(for)")) == "for"
    assert [item.type.text for item in parse("for in if {\n  for = 1\n}\n").items if isinstance(item, ast.Block)] == ["for"]


def test_object_for() -> None:
    result = value("{ for k, v in m : k => v... if v != 1 }")
    assert isinstance(result, ast.ForExpr)
    assert result.key and result.result_key and result.condition
    assert (result.key.text, result.group, show(result.condition)) == ("k", True, "(v != 1)")


def test_newlines_mean_nothing_inside_brackets() -> None:
    assert show(value("(1\n+\n2)")) == "(1 + 2)"
    assert len(parse("x = f(\n1,\n[\n2,\n],\n)\ny = {\nfor\nk in m\n: k => 1\n}\n").items) == 2


def test_calls() -> None:
    result = value("f (a, b...)")
    assert isinstance(result, ast.Call)
    assert (result.name.text, len(result.args), result.expand) == ("f", 2, True)
    namespaced = value("a::b(1,)")
    assert isinstance(namespaced, ast.Call)
    assert (namespaced.name.text, len(namespaced.args), namespaced.expand) == ("a::b", 1, False)


def test_names_beyond_ascii() -> None:
    assert show(value("größe-2.ñ")) == "größe-2.ñ"


def test_block_parts_have_their_places() -> None:
    (block,) = parse('resource a "b:c:D" { x = 1 }').items
    assert isinstance(block, ast.Block)
    assert [(label.text, label.quoted) for label in block.labels] == [("a", False), ("b:c:D", True)]
    assert (block.head.text, block.open_brace.text, block.body.span.text) == ('resource a "b:c:D"', "{", " x = 1 ")
    assert block.span.text == 'resource a "b:c:D" { x = 1 }'


COMMENTED = """\
# about a
a = 1 # at a
/* between
 * two */
// and b

b = [ # in b
  1, # one
  # about two
  2 /* two */
  # end of b
] # at b
c "x" { # head

  # about d
  d = { e = 1 # at e
  }
  # end of c
} # at c
# end
"""


def test_comments_belong_to_their_items() -> None:
    body = parse(COMMENTED)
    a, b, c = body.items
    assert isinstance(b, ast.Attribute)
    assert isinstance(b.value, ast.TupleExpr)
    assert isinstance(c, ast.Block)

    def lines(comments: tuple[ast.Comment, ...]) -> list[str]:
        return [line for comment in comments for line in comment.lines]

    assert (lines(a.leading), lines(a.trailing)) == (["about a"], ["at a"])
    assert (lines(b.leading), lines(b.trailing)) == (["between", "two", "and b"], ["at b"])
    first, two = b.value.elements
    assert (lines(first.leading), lines(first.trailing)) == (["in b"], ["one"])
    assert (lines(two.leading), lines(two.trailing)) == (["about two"], ["two"])
    assert lines(b.value.closing) == ["end of b"]
    assert (lines(c.header), lines(c.trailing), lines(c.body.closing)) == (["head"], ["at c"], ["end of c"])
    (d,) = c.body.items
    assert isinstance(d, ast.Attribute)
    assert isinstance(d.value, ast.ObjectExpr)
    assert (lines(d.leading), lines(d.value.items[0].trailing)) == (["about d"], ["at e"])
    assert d.leading[0].gap_before
    assert lines(body.closing) == ["end"]


def test_decoding() -> None:
    bag = DiagnosticBag()
    assert decode_source("main.pp", b"\xef\xbb\xbfa = 1\r\n", bag).text == "a = 1\r\n"
    assert not bag.has_errors
    source = decode_source("main.pp", 'é = "é\n'.encode()[:-1] + b'\xff"\n', bag)
    (diagnostic,) = bag
    assert diagnostic.primary is not None
    assert (diagnostic.code, str(diagnostic.primary)) == ("PCL0101", "main.pp:1:7")
    assert source.text[6] == "�"


def test_long_rows_need_no_recursion() -> None:
    result = value(" + ".join(["1"] * 500))
    assert isinstance(result, ast.Binary)
    bag = DiagnosticBag()
    text = "a = " + " + ".join(["1"] * 20_000) + "\n"
    parse_file(decode_source("main.pp", text.encode(), bag), bag)
    assert [d.code for d in bag] == ["PCL0110"]


def test_time_grows_with_length_only() -> None:
    block = 'resource r "a:b:C" {\n  name = "x-${y}" # why\n  list = [1, f(2), { a = b.c[0] }]\n}\n\n'
    parse(block)  # builds everything that is built on first use
    assert len(parse(block * 2_000).items) == 2_000
    assert calls_of(lambda: parse(block * 200)) < 2.2 * calls_of(lambda: parse(block * 100))


@needs_corpus
def test_the_corpus_parses() -> None:
    files = pp_files("conformance", "codegen", "field", "accepted-beyond-peer")
    assert files
    for file in files:
        bag = DiagnosticBag()
        parse_file(decode_source(str(file), file.read_bytes(), bag), bag)
        assert [f"{d.primary}: {d.message}" for d in bag] == []


NAMES = st.from_regex(r"[a-z_][a-z0-9_-]{0,5}", fullmatch=True).filter(lambda n: n not in ("true", "false", "null", "for"))
LEAVES = st.one_of(NAMES, st.integers(0, 999).map(str), st.just('"s"'), st.just("true"), st.just('"a${b}c"'))


def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"])
    return st.one_of(
        st.tuples(inner, operators, inner).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]}) ? {t[1]} : ({t[2]})"),
        st.lists(inner, max_size=3).map(lambda xs: f"[{', '.join(xs)}]"),
        st.lists(st.tuples(NAMES, inner), max_size=3).map(lambda xs: f"{{ {', '.join(f'{k} = {v}' for k, v in xs)} }}"),
        st.tuples(NAMES, inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, NAMES).map(lambda t: f"({t[0]}).{t[1]}"),
        inner.map(lambda x: f"-({x})"),
        inner.map(lambda x: f'"${{{x}}}"'),
        st.tuples(NAMES, inner, inner).map(lambda t: f"[for {t[0]} in {t[1]} : {t[2]}]"),
    )


EXPRESSIONS = st.recursive(LEAVES, grow, max_leaves=12)


@settings(deadline=None)
@given(EXPRESSIONS)
def test_an_expression_spans_its_text(text: str) -> None:
    assert value(text).span.text == text
