"""The last look at the tree of a language: broken names are found before anything is written."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.check import check_files
from pclgen.targets.python import tree as py
from pclgen.targets.python.check import check_file
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.check import check_statements


def go_file(*body: go.Statement, imports: Sequence[str] = ("fmt",)) -> go.File:
    """A file with a function of these statements."""
    declaration = go.FunctionDeclaration(name="run", body=body)
    return go.File(imports=tuple(go.Import(path=path) for path in imports), declarations=(declaration,))


X, Y, ONE = make.name("x"), make.name("y"), make.number(1)
PRINT = make.call(go.Qualified(package="fmt", name="Println"), X)

GOOD: dict[str, tuple[go.Statement, ...]] = {
    "declared and read": (make.define(["x"], ONE), go.ExpressionStatement(expression=PRINT)),
    "read in a block": (
        make.define(["x"], ONE),
        go.If(condition=make.TRUE, body=(go.ExpressionStatement(expression=PRINT),)),
    ),
    "shadowed": (
        make.define(["x"], ONE),
        go.ExpressionStatement(expression=PRINT),
        go.If(condition=make.TRUE, body=(make.define(["x"], ONE), go.ExpressionStatement(expression=PRINT))),
    ),
    "one of two is new": (
        make.define(["x"], ONE),
        go.Assign(targets=(X, Y), values=(ONE, ONE), operator=":="),
        go.ExpressionStatement(expression=PRINT),
        go.ExpressionStatement(expression=make.call(make.name("println"), Y)),
    ),
}
BAD: dict[str, tuple[str, tuple[go.Statement, ...]]] = {
    "nothing declares x": ("unknown", (go.ExpressionStatement(expression=PRINT),)),
    "nothing reads the variable x": ("unused", (make.define(["x"], ONE),)),
    "x := declares nothing new": (
        "declared again",
        (make.define(["x"], ONE), make.define(["x"], ONE), go.ExpressionStatement(expression=PRINT)),
    ),
    "nothing declares x, which is assigned to": ("assigned", (make.assign(X, ONE),)),
    "the package os is not imported": (
        "package",
        (go.ExpressionStatement(expression=make.call(go.Qualified(package="os", name="Getpid"))),),
    ),
    "'func' is no name for a variable": ("keyword", (make.define(["func"], ONE),)),
    "x is declared twice": (
        "twice",
        (
            make.define(["x"], ONE),
            go.ExpressionStatement(expression=PRINT),
            go.Variable(name="x", type=make.name("int")),
        ),
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_go_that_is_right(name: str) -> None:
    check_files({"main.go": go_file(*GOOD[name])})


@pytest.mark.parametrize("problem", BAD)
def test_go_that_is_broken(problem: str) -> None:
    with pytest.raises(BrokenTreeError) as raised:
        check_files({"main.go": go_file(*BAD[problem][1])})
    assert str(raised.value) == f"main.go: {problem}"


def test_names_of_other_files_of_the_package() -> None:
    other = go.File(imports=(), declarations=(go.HelperDeclaration(name="x"),))
    check_files({"main.go": go_file(go.ExpressionStatement(expression=PRINT)), "other.go": other})


A, B = py.Variable(wishes=("a",)), py.Variable(wishes=("b",))
NUMBER = py.Constant(value=1)
READ_A = py.Name(variable=A)


def python_file(*statements: py.Statement) -> py.File:
    return py.File(path="__main__.py", header=(), statements=statements)


PYTHON_GOOD: dict[str, tuple[py.Statement, ...]] = {
    "in order": (py.Assign(target=A, value=NUMBER), py.Do(value=READ_A)),
    "a lambda reads what comes later": (
        py.Assign(target=B, value=py.Lambda(parameters=(), body=READ_A)),
        py.Assign(target=A, value=NUMBER),
    ),
    "a loop has variables of its own": (
        py.Do(value=py.ListComprehension(element=READ_A, loop=py.Loop(targets=(A,), iterable=NUMBER))),
    ),
}
PYTHON_BAD: dict[str, tuple[py.Statement, ...]] = {
    "a has no value yet": (py.Do(value=READ_A), py.Assign(target=A, value=NUMBER)),
    "a is bound twice": (py.Assign(target=A, value=NUMBER), py.Assign(target=A, value=NUMBER)),
    "nothing gives a a value": (py.Do(value=py.Lambda(parameters=(), body=READ_A)),),
    "a keyword is given twice: x, x": (
        py.Do(
            value=py.Call(
                function=py.Builtin(name="dict"), args=tuple(py.Argument(name="x", value=NUMBER) for _ in range(2))
            )
        ),
    ),
}


@pytest.mark.parametrize("name", PYTHON_GOOD)
def test_python_that_is_right(name: str) -> None:
    check_file(python_file(*PYTHON_GOOD[name]))


@pytest.mark.parametrize("problem", PYTHON_BAD)
def test_python_that_is_broken(problem: str) -> None:
    with pytest.raises(BrokenTreeError) as raised:
        check_file(python_file(*PYTHON_BAD[problem]))
    assert str(raised.value) == f"__main__.py: {problem}"


TS_A, TS_B, TS_ONE = ts.Variable(("a",)), ts.Variable(("b",)), ts.Number("1")
TS_READ, TS_DECLARED = ts.Do(ts.Name(TS_A)), ts.Declare((TS_A,), TS_ONE)
TS_GOOD: dict[str, tuple[ts.Statement, ...]] = {
    "in order": (TS_DECLARED, TS_READ),
    "a function reads what comes later": (ts.Declare((TS_B,), ts.Arrow((), ts.Name(TS_A))), TS_DECLARED),
    "a name that a block has, too": (ts.Do(ts.Arrow((), (TS_DECLARED, TS_READ))), ts.Declare((ts.Variable(("a",)),), TS_ONE)),
    "a loop has variables of its own": (ts.Each((TS_B,), ts.Array(()), (ts.Do(ts.Name(TS_B)),)), TS_DECLARED),
}
TS_BAD: dict[str, tuple[ts.Statement, ...]] = {
    "a is read above its declaration": (TS_READ, TS_DECLARED),
    "'a-b' is no name for a variable": (ts.Declare((ts.Variable(("a-b",)),), TS_ONE),),
    "a is declared twice": (TS_DECLARED, ts.Commented(TS_DECLARED)),
    "a property is given twice: x, x": (
        ts.Do(ts.Object((ts.Property("x", TS_ONE), ts.Property("x", TS_ONE)))),
    ),
}


@pytest.mark.parametrize("name", TS_GOOD)
def test_typescript_that_is_right(name: str) -> None:
    check_statements("index.ts", TS_GOOD[name])


@pytest.mark.parametrize("problem", TS_BAD)
def test_typescript_that_is_broken(problem: str) -> None:
    with pytest.raises(BrokenTreeError) as raised:
        check_statements("index.ts", TS_BAD[problem])
    assert str(raised.value) == f"index.ts: {problem}"
