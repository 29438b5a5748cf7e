"""The final check of a language's tree: broken names are found before any file is written."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.naming import Import, assign_names, check_files
from pclgen.targets.names import NameTable
from pclgen.targets.python import tree as py
from pclgen.targets.python import view as python_naming
from pclgen.targets.typescript import names as typescript_naming
from pclgen.targets.typescript import tree as ts


def go_file(*body: go.Statement) -> go.File:
    """A file with a function of these statements."""
    return go.File(declarations=(go.FunctionDeclaration(name="run", body=body),))


def check(**files: go.File) -> None:
    """Check files that import only `fmt`."""
    names = {name: assign_names(file, NameTable()) for name, file in files.items()}
    check_files(files, {name: replace(table, imports=(Import(path="fmt"),)) for name, table in names.items()})


def spelled(name: str) -> go.Variable:
    """A variable with a fixed name, whatever other names exist."""
    return go.Variable(preferred_names=(name,), fixed=True)


def package(name: str) -> go.Package:
    return go.Package(path=name, clause=name, preferred_name=name)


XS, ANOTHER_X, YS = spelled("x"), spelled("x"), spelled("y")
X, Y, ONE = go.Name(XS), go.Name(YS), make.number(1)
PRINT = make.call(go.Qualified(package=package("fmt"), name="Println"), X)

GOOD: dict[str, tuple[go.Statement, ...]] = {
    "declared and read": (make.define([XS], ONE), go.ExpressionStatement(expression=PRINT)),
    "read in a block": (
        make.define([XS], ONE),
        go.If(condition=make.TRUE, body=(go.ExpressionStatement(expression=PRINT),)),
    ),
    "shadowed": (
        make.define([XS], ONE),
        go.ExpressionStatement(expression=PRINT),
        go.If(condition=make.TRUE, body=(make.define([XS], ONE), go.ExpressionStatement(expression=PRINT))),
    ),
    "one of two is new": (
        make.define([XS], ONE),
        go.Assign(targets=(X, Y), values=(ONE, ONE), operator=":="),
        go.ExpressionStatement(expression=PRINT),
        go.ExpressionStatement(expression=make.builtin("println", Y)),
    ),
}
BAD: dict[str, tuple[str, tuple[go.Statement, ...]]] = {
    "nothing declares x": ("unknown", (go.ExpressionStatement(expression=PRINT),)),
    "nothing reads the variable x": ("unused", (make.define([XS], ONE),)),
    "x := declares nothing new": (
        "declared again",
        (make.define([XS], ONE), make.define([XS], ONE), go.ExpressionStatement(expression=PRINT)),
    ),
    "nothing declares x where it is used": (
        "assigned",
        (
            go.If(condition=make.TRUE, body=(make.define([XS], ONE), go.ExpressionStatement(expression=PRINT))),
            make.assign(X, ONE),
        ),
    ),
    "the package os is not imported": (
        "package",
        (go.ExpressionStatement(expression=make.call(go.Qualified(package=package("os"), name="Getpid"))),),
    ),
    "the variable fmt hides what is used here": (
        "hidden package",
        (make.define([XS], ONE), make.define([spelled("fmt")], X), go.ExpressionStatement(expression=PRINT)),
    ),
    "the variable x hides what is used here": (
        "hidden variable",
        (
            make.define([XS], ONE),
            go.If(
                condition=make.TRUE,
                body=(
                    make.define([ANOTHER_X], ONE),
                    go.ExpressionStatement(expression=make.builtin("println", go.Name(ANOTHER_X), X)),
                ),
            ),
        ),
    ),
    "nothing declares missing": ("no name", (make.assign(go.Name(go.Variable(preferred_names=("missing",))), ONE),)),
    "'func' is no name for a variable": ("keyword", (make.define([spelled("func")], ONE),)),
    "x is declared twice": (
        "twice",
        (
            make.define([XS], ONE),
            go.ExpressionStatement(expression=PRINT),
            go.VariableStatement(variable=XS, type=go.Builtin(name="int")),
        ),
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_go_that_is_right(name: str) -> None:
    check(main=go_file(*GOOD[name]))


@pytest.mark.parametrize("problem", BAD)
def test_go_that_is_broken(problem: str) -> None:
    with pytest.raises(BrokenTreeError) as raised:
        check(main=go_file(*BAD[problem][1]))
    assert str(raised.value) == f"main: {problem}"


def test_names_of_other_files_of_the_package() -> None:
    other = go.File(declarations=(go.HelperDeclaration(name="decode"),))
    check(main=go_file(go.ExpressionStatement(expression=make.call(go.Helper(key="decode")))), other=other)


A, B = py.Variable(preferred_names=("a",)), py.Variable(preferred_names=("b",))
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
    "a is read above its declaration": (py.Do(value=READ_A), py.Assign(target=A, value=NUMBER)),
    "a is declared twice": (py.Assign(target=A, value=NUMBER), py.Assign(target=A, value=NUMBER)),
    "nothing declares a": (py.Do(value=py.Lambda(parameters=(), body=READ_A)),),
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
    python_naming.assign_names(python_file(*PYTHON_GOOD[name]))


@pytest.mark.parametrize("problem", PYTHON_BAD)
def test_python_that_is_broken(problem: str) -> None:
    with pytest.raises(BrokenTreeError) as raised:
        python_naming.assign_names(python_file(*PYTHON_BAD[problem]))
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
    "nothing declares b": (TS_DECLARED, ts.Do(ts.Name(TS_B))),
    "nothing declares a where it is used": (ts.Count(TS_B, TS_ONE, (TS_DECLARED,)), TS_READ),
    "a property is given twice: x, x": (
        ts.Do(ts.Object((ts.Property("x", TS_ONE), ts.Property("x", TS_ONE)))),
    ),
}


@pytest.mark.parametrize("name", TS_GOOD)
def test_typescript_that_is_right(name: str) -> None:
    typescript_naming.assign_names(TS_GOOD[name], checks="index.ts")


@pytest.mark.parametrize("problem", TS_BAD)
def test_typescript_that_is_broken(problem: str) -> None:
    with pytest.raises(BrokenTreeError) as raised:
        typescript_naming.assign_names(TS_BAD[problem], checks="index.ts")
    assert str(raised.value) == f"index.ts: {problem}"
