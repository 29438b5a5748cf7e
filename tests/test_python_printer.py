"""Expressions keep their structure: as few parentheses as possible, and never too few."""

from __future__ import annotations

import ast
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.core.expr import Comments
from pclgen.emit.forms import forms
from pclgen.format.python import format_python
from pclgen.targets.python import tree
from pclgen.targets.python.printer import Printer, Spellings
from pclgen.targets.python.view import FORMS

A, B, C = (tree.Variable(preferred_names=(name,)) for name in "abc")
PRINTER = Printer(Spellings(variables={A: "a", B: "b", C: "c"}, modules={}, direct={}), forms("python", FORMS, None))
OPERATORS = ["or", "and", "==", "<", "is", "is not", "in", "+", "-", "*", "/", "%"]

LEAVES = st.sampled_from([tree.name(A), tree.name(B), tree.Constant(value=1), tree.Constant(value=-2)])


def grow(inner: st.SearchStrategy[tree.Expr]) -> st.SearchStrategy[tree.Expr]:
    binary = st.builds(
        lambda operator, left, right: tree.Binary(operator=operator, left=left, right=right),
        st.sampled_from(OPERATORS),
        inner,
        inner,
    )
    unary = st.builds(
        lambda operator, operand: tree.Unary(operator=operator, operand=operand), st.sampled_from(["-", "not"]), inner
    )
    choice = st.builds(lambda a, b, c: tree.IfElse(condition=a, then=b, otherwise=c), inner, inner, inner)
    function = st.builds(lambda body: tree.Lambda(parameters=(C,), body=body), inner)
    step = st.builds(lambda value: tree.Attribute(value=value, name="x"), inner)
    index = st.builds(lambda value, key: tree.index(value, key), inner, inner)
    called = st.builds(lambda function, arg: tree.call(function, arg), inner, inner)
    listed = st.builds(lambda a, b: tree.items([a, b]), inner, inner)
    spread = st.builds(lambda a: tree.ListDisplay(items=(tree.Item(value=a, starred=True),)), inner)
    handed = st.builds(
        lambda name, a: tree.Call(function=tree.name(A), args=(tree.Argument(name=name, value=a),)),
        st.sampled_from(["*", "**"]),
        inner,
    )
    loop = st.builds(
        lambda element, iterable: tree.ListComprehension(element=element, loop=tree.Loop(targets=(C,), iterable=iterable)),
        inner,
        inner,
    )
    return binary | unary | choice | function | step | index | called | listed | spread | handed | loop


def shape(expr: tree.Expr) -> str:
    """The fully parenthesized form."""
    match expr:
        case tree.Binary():
            return f"({shape(expr.left)} {expr.operator} {shape(expr.right)})"
        case tree.Unary():
            return f"({expr.operator} {shape(expr.operand)})"
        case tree.IfElse():
            return f"({shape(expr.then)} if {shape(expr.condition)} else {shape(expr.otherwise)})"
        case tree.Lambda():
            return f"(lambda c: {shape(expr.body)})"
        case tree.Attribute():
            return f"({shape(expr.value)}).{expr.name}"
        case tree.Subscript():
            return f"({shape(expr.value)})[{shape(expr.keys[0])}]"
        case tree.Call():
            return f"({shape(expr.function)})({expr.args[0].name}{shape(expr.args[0].value)})"
        case tree.ListDisplay():
            return f"[{', '.join('*' * item.starred + shape(item.value) for item in expr.items)}]"
        case tree.ListComprehension():
            return f"[({shape(expr.element)}) for c in ({shape(expr.loop.iterable)})]"
        case _:
            return f"({PRINTER.print(expr)})"


@given(st.recursive(LEAVES, grow, max_leaves=8))
def test_printing_keeps_the_structure(expr: tree.Expr) -> None:
    printed, full = (ast.parse(text, mode="eval") for text in (PRINTER.print(expr), shape(expr)))
    assert ast.dump(printed) == ast.dump(full) or ast.dump(_flat(printed)) == ast.dump(_flat(full))


class _Flatten(ast.NodeTransformer):
    """Rewrite `a and (b and c)` as `a and b and c`."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        values: list[ast.expr] = []
        for value in node.values:
            same = isinstance(value, ast.BoolOp) and type(value.op) is type(node.op)
            values += value.values if same and isinstance(value, ast.BoolOp) else [value]
        return ast.BoolOp(op=node.op, values=values)


def _flat(parsed: ast.Expression) -> ast.AST:
    flat: ast.AST = _Flatten().visit(parsed)
    return flat


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("1.50"), "1.5"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1E+30"), "1e+30"),
        (-3, "-3"),
        (True, "True"),
        (None, "None"),
    ],
)
def test_constants(value: bool | int | Decimal | None, text: str) -> None:
    assert PRINTER.print(tree.Constant(value=value)) == text


def test_a_step_on_a_number_takes_parentheses() -> None:
    assert PRINTER.print(tree.Attribute(value=tree.Constant(value=1), name="real")) == "(1).real"


def test_comments_stay_with_their_arguments() -> None:
    call = tree.Call(
        function=tree.Builtin(name="f"),
        args=(
            tree.Argument(name="x", value=tree.Constant(value=1), comments=Comments(leading=("one", ""), trailing=("i",))),
            tree.Argument(name="y", value=tree.Constant(value=2)),
        ),
        closing=("end",),
    )
    assert format_python(PRINTER.print(call)) == "f(\n    # one\n    #\n    x=1,  # i\n    y=2,\n    # end\n)\n"


def test_malformed_text_is_no_silent_matter() -> None:
    with pytest.raises(ValueError, match="annot parse"):
        format_python("f(")
