"""The last look at the tree of a language: broken names are found before anything is written."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.check import check_files


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
    other = go.File(imports=(), declarations=(go.RawDeclaration(text="func x() int {\n\treturn 1\n}"),))
    check_files({"main.go": go_file(go.ExpressionStatement(expression=PRINT)), "other.go": other})
