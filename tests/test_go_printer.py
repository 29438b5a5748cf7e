"""Printed Go needs no changes by gofmt, and strings survive the Go compiler."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pclgen.emit.environment import render
from pclgen.targets.go import build as make
from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.go.build import shortened
from pclgen.targets.go.naming import Import, assign_names
from pclgen.targets.go.printer import view_file
from pclgen.targets.go.prune import prune
from pclgen.targets.names import NameTable
from tests.support import toolchains
from tests.support.counting import calls_of

_OPERATORS = ("||", "&&", "==", "!=", "<", "<=", "+", "-", "*", "/", "%")


PULUMI = go.Package(path="example.com/pulumi", clause="pulumi", preferred_name="pulumi")


def name(text: str) -> go.Builtin:
    return go.Builtin(name=text)


def text_of(*statements: go.Statement) -> str:
    """A file with a function of these statements."""
    file = go.File(declarations=(go.FunctionDeclaration(name="main", body=statements),))
    return text_of_file(file, Import(path="fmt"))


def text_of_file(file: go.File, *imports: Import) -> str:
    names = replace(assign_names(file, NameTable()), imports=imports)
    return render("go/file.go.jinja", file=view_file("main.go", file, names, None))


def after_gofmt(text: str) -> str:
    tool = toolchains.go().gofmt
    done = subprocess.run([tool], input=text, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Trees:
    """Random trees of every node kind, from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def expression(self, depth: int) -> go.Expr:
        pick = self.random.random()
        if depth == 0 or pick < 0.2:
            leaves: list[go.Expr] = [name("a"), name("b"), go.Number(text="-3"), go.Number(text="4")]
            leaves += [go.Star(operand=name("p")), go.Text(value="x\n%"), go.Qualified(package=PULUMI, name="X")]
            return self.random.choice(leaves)
        if pick < 0.55:
            operator = self.random.choice(_OPERATORS)
            return go.Binary(operator=operator, left=self.expression(depth - 1), right=self.expression(depth - 1))
        if pick < 0.65:
            return go.Unary(operator=self.random.choice("-!"), operand=self.expression(depth - 1))
        if pick < 0.8:
            count = self.random.randint(0, 3)
            return go.Call(function=name("f"), arguments=tuple(self.expression(depth - 1) for _ in range(count)))
        if pick < 0.85:
            return go.Index(operand=name("x"), key=self.expression(depth - 1))
        if pick < 0.9:
            return go.TypeAssertion(operand=name("x"), type=go.SliceType(element=name("T")))
        return go.Selector(operand=go.Call(function=name("h"), arguments=(self.expression(depth - 1),)), name="F")

    def value(self, depth: int) -> go.Expr:
        v = go.Variable(preferred_names=("v",))
        one_line = go.FunctionLiteral(
            parameters=(go.Parameter(variable=v, type=name("string")),),
            results=(name("int"),),
            body=(go.Return(values=(go.Name(variable=v),)),),
        )
        wide = go.Call(function=name("g"), arguments=(name("a" * 60), name("b" * 60)))
        lines = go.Text(value="one\n\ttwo\nthree", multiline=True)
        return self.random.choice([self.expression(2), self.literal(depth - 1) if depth else name("z"), wide, lines, one_line])

    def literal(self, depth: int) -> go.Composite:
        elements = []
        for _ in range(self.random.randint(0, 6)):
            key = name("k" * self.random.choice((1, 2, 5, 20, 38, 41, 60, 100)))
            comments = ("note",) if self.random.random() < 0.15 else ()
            elements.append(go.Element(key=key, value=self.value(depth), comments=comments))
        closing = ("end",) if elements and self.random.random() < 0.1 else ()
        return go.Composite(type=name("T"), elements=tuple(elements), closing=closing)

    def statement(self) -> go.Statement:
        literal = go.Unary(operator="&", operand=self.literal(1))
        options = tuple(go.Call(function=name("o"), arguments=(self.value(1),)) for _ in range(self.random.randint(0, 3)))
        call = go.Call(function=name("New"), arguments=(name("ctx"), go.Text(value="n"), literal, *options))
        items = tuple(go.Element(value=self.value(1)) for _ in range(self.random.randint(0, 5)))
        listed = go.Composite(type=go.SliceType(element=name("T")), elements=items)
        value = self.random.choice([self.expression(4), self.literal(2), listed, call])
        return go.Assign(targets=(name("v"),), values=(value,))


@pytest.fixture
def deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("seed", range(6))
def test_gofmt_changes_nothing(seed: int) -> None:
    trees = Trees(seed)
    text = text_of(*(trees.statement() for _ in range(150)))
    assert after_gofmt(text) == text


TICKS = go.Text(value="a `b`\n\tc\n", multiline=True)


@pytest.mark.parametrize(
    "expression",
    [
        TICKS,
        go.Call(function=name("f"), arguments=(TICKS,)),
        go.Call(function=name("f"), arguments=(TICKS, name("x"))),
        go.Call(function=name("f"), arguments=(go.Call(function=name("g"), arguments=(name("x"), TICKS)),)),
        go.Binary(operator="==", left=name("x"), right=TICKS),
        go.Binary(operator="==", left=TICKS, right=name("x")),
        go.Composite(type=name("T"), elements=(go.Element(key=name("K"), value=TICKS), go.Element(key=name("Longer"), value=name("x")))),
        go.Composite(type=go.SliceType(element=name("string")), elements=(go.Element(value=TICKS), go.Element(value=TICKS))),
    ],
)
def test_a_text_that_no_raw_literal_can_hold_has_a_literal_for_each_line(expression: go.Expr) -> None:
    text = text_of(go.Assign(targets=(name("a"),), values=(expression,)))
    assert after_gofmt(text) == text
    assert '"a `b`\\n"' in text
    assert '"\\tc\\n"' in text


def test_time_grows_with_length_only(deep: None) -> None:
    """Each nested call has two possible layouts, and each operator of a chain inspects its operands."""
    nested: go.Expr = name("last")
    for level in range(48):
        step = go.Composite(type=name("Step"), elements=(go.Element(key=name("inside"), value=nested),))
        nested = go.Call(function=name(f"made{level}"), arguments=(name("ctx"), step))
    row: go.Expr = name("a")
    for _ in range(1_500):
        row = go.Binary(left=row, operator="+", right=name("a"))
    texts: list[str] = []
    statements = (go.ExpressionStatement(expression=nested), go.ExpressionStatement(expression=row))
    assert calls_of(lambda: texts.append(text_of(*statements))) < 2_000_000
    [text] = texts
    assert (text.count("made"), text.count(" + a")) == (48, 1_500)


def called(*arguments: go.Expr) -> go.Call:
    return go.Call(function=name("f"), arguments=arguments)


def block(*keys: str) -> go.Composite:
    return go.Composite(type=name("T"), elements=tuple(go.Element(key=name(key), value=name("x")) for key in keys))


BLOCK = "T{\n\t\ta: x,\n\t\tb: x,\n\t}"
INNER = BLOCK.replace("\n", "\n\t")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (called(name("a" * 92)), f"f({'a' * 92})"),
        (called(name("a" * 60), name("b" * 40)), f"f(\n\t\t{'a' * 60},\n\t\t{'b' * 40},\n\t)"),
        (called(name("a"), block("a", "b"), name("c")), f"f(a, {BLOCK}, c)"),
        (called(block("a", "b"), name("c" * 111)), f"f({BLOCK}, {'c' * 111})"),
        (called(block("a", "b"), name("c" * 113)), f"f(\n\t\t{INNER},\n\t\t{'c' * 113},\n\t)"),
        (called(block("a", "b"), called(name("c" * 60))), f"f({BLOCK}, f({'c' * 60}))"),
        (
            called(block("a", "b"), called(name("c" * 60), name("d" * 60))),
            f"f(\n\t\t{INNER},\n\t\tf(\n\t\t\t{'c' * 60},\n\t\t\t{'d' * 60},\n\t\t),\n\t)",
        ),
        (called(name("a"), *[block("a", "b")] * 3), f"f(a, {BLOCK},\n\t\t{INNER},\n\t\t{INNER},\n\t)"),
        (called(called(block("a", "b"), name("c")), name("d")), f"f(f({BLOCK}, c), d)"),
        (called(block("a" * 92)), f"f(T{{\n\t\t{'a' * 92}: x,\n\t}})"),
    ],
)
def test_calls_hold_blocks(call: go.Call, text: str) -> None:
    whole = text_of(go.ExpressionStatement(expression=call))
    assert whole.split("{\n", 1)[1] == f"\t{text}\n}}\n"
    assert after_gofmt(whole) == whole


def test_calls_in_calls_are_decided_once(deep: None) -> None:
    nested: go.Expr = block("a", "b")
    for _ in range(100):
        nested = called(name("ctx"), nested, called(name("y" * 30)))
    assert calls_of(lambda: text_of(go.ExpressionStatement(expression=nested))) < 150_000


def test_declarations() -> None:
    fields = (
        go.StructField(name="", type=go.Qualified(package=PULUMI, name="ResourceState")),
        go.StructField(name="A", type=name("int"), tag='json:"a"', blank_before=True),
        go.StructField(name="Long", type=go.MapType(element=name("string")), tag='json:"b"'),
        go.StructField(name="C", type=name("T"), comments=("About C.",)),
    )
    function = go.FunctionDeclaration(
        name="NewSomethingWithALongName",
        parameters=tuple(go.Parameter(variable=go.Variable(preferred_names=(f"parameter{n}",)), type=name("string")) for n in range(4)),
        results=(go.Star(operand=name("T")), name("error")),
        body=(go.Return(values=(name("nil"), name("nil"))),),
        comments=("NewSomethingWithALongName has a comment.",),
    )
    declarations = (go.StructDeclaration(name="S", fields=fields), go.StructDeclaration(name="E", fields=()), function)
    imports = (Import(path="example.com/a"), Import(path="example.com/b", alias="z"), Import(path="fmt"))
    file = go.File(declarations=declarations, header=("x ",))
    text = text_of_file(file, *imports)
    assert after_gofmt(text) == text


@given(st.text(max_size=40))
def test_quoted_text_has_no_lines_and_only_ascii_or_printable(text: str) -> None:
    quoted = quoting.quote(text)
    assert quoted.isprintable()
    assert quoted[0] == quoted[-1] == '"'


def test_go_reads_back_what_was_quoted(tmp_path: Path) -> None:
    """Hostile texts pass through the Go compiler as interpreted literals and, where possible, as raw literals."""
    choose = random.Random(7)
    alphabet = ['"', "\\", "`", "\n", "\r", "\t", "\0", "\x7f", "\x85", "\ufeff", "\u2028", "%", "$", "{", "é", "🌍", "a", "\u200d"]
    texts = ["".join(choose.choices(alphabet, k=choose.randint(0, 9))) for _ in range(400)]
    literals = [quoting.quote(t) for t in texts] + [quoting.raw(t) for t in texts if quoting.can_be_raw(t)]
    expected = texts + [t for t in texts if quoting.can_be_raw(t)]
    rows = "".join(f"\t\t{literal},\n" for literal in literals)
    program = (
        "package main\n\nimport (\n\t\"encoding/json\"\n\t\"os\"\n)\n\nfunc main() {\n\ttexts := []string{\n"
        + rows
        + "\t}\n\tif err := json.NewEncoder(os.Stdout).Encode(texts); err != nil {\n\t\tpanic(err)\n\t}\n}\n"
    )
    (tmp_path / "main.go").write_text(program, encoding="utf-8", newline="")
    tools = toolchains.go()
    done = subprocess.run(
        [tools.go, "run", "main.go"], cwd=tmp_path, capture_output=True, env=None, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    import json

    assert json.loads(done.stdout) == expected


def test_unused_variables_go_with_what_only_they_needed() -> None:
    call = make.call(go.Qualified(package=PULUMI, name="New"))
    a, b, r, s = (make.variable(preferred_name) for preferred_name in "abrs")
    err = make.ERR.variable
    body = (
        make.define([a], go.Text("x")),
        make.define([b], go.Binary(go.Name(a), "+", go.Name(a))),
        make.define([r, err], call),
        go.If(condition=go.Binary(make.ERR, "!=", make.NIL), body=(make.returns(make.ERR),)),
        make.define([s, err], call),
        make.returns(make.ERR),
    )
    text = text_of(*prune(body))
    assert text.split("{\n", 1)[1] == (
        "\t_, err := pulumi.New()\n\tif err != nil {\n\t\treturn err\n\t}\n\t_, err = pulumi.New()\n\treturn err\n}\n"
    )


def test_an_unused_variable_goes_from_the_scopes_inside_but_not_another_of_its_name() -> None:
    call = make.call(go.Qualified(package=PULUMI, name="New"))
    a, r = make.variable("a"), make.variable("r")
    fill = go.FunctionLiteral(parameters=(), results=(), body=(make.assign(go.Name(a), go.Text("y")),))
    inside = (make.define([r, make.ERR.variable], call), go.ExpressionStatement(expression=make.call(go.Name(r), fill)))
    body = (
        make.define([a], go.Text("x")),
        make.define([make.ERR.variable], call),
        go.If(condition=name("special"), body=inside),
        make.returns(make.ERR),
    )
    text = text_of(*prune(body))
    assert text.split("{\n", 1)[1] == (
        "\terr := pulumi.New()\n\tif special {\n\t\tr, _ := pulumi.New()\n\t\tr(func() {\n\t\t})\n\t}\n\treturn err\n}\n"
    )


def test_results_are_returned_where_they_are_found() -> None:
    kind = make.variable("kind")
    body = (
        make.define([kind], go.Text("simple")),
        go.If(condition=name("special"), body=(make.assign(go.Name(kind), go.Text("special")),)),
        make.returns(go.Name(kind)),
    )
    text = text_of(*shortened(body))
    assert text.split("{\n", 1)[1] == '\tif special {\n\t\treturn "special"\n\t}\n\treturn "simple"\n}\n'
