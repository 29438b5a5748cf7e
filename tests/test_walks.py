"""Tree walks look functions up by the class of a node: every class of a tree has a function, or its fields are read."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from pclgen.core import expr as core
from pclgen.core import walk
from pclgen.targets.go import tree as go
from pclgen.targets.python import tree as py
from pclgen.targets.python import tree as python
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript import tree as typescript


@pytest.mark.parametrize(
    ("table", "classes"),
    [
        (walk._PARTS, get_args(core.Expr)),
        (typescript._PARTS, (*get_args(ts.TsExpr), *get_args(ts.Statement))),
    ],
    ids=["core", "typescript"],
)
def test_each_class_of_nodes_says_what_its_parts_are(table: dict[type, object], classes: tuple[type, ...]) -> None:
    assert table.keys() == set(classes)


@pytest.mark.parametrize(
    ("leaves", "classes"),
    [
        (python._LEAVES, (*get_args(py.Expr), *get_args(py.Statement), py.Hole, py.Item, py.Entry, py.Argument, py.Loop)),
        (go.LEAVES, (*get_args(go.Expr), *get_args(go.Statement))),
    ],
    ids=["python", "go"],
)
def test_fields_without_nodes_name_no_class_of_nodes(leaves: frozenset[str], classes: tuple[type, ...]) -> None:
    nodes = {cls.__name__ for cls in classes}
    assert {leaf for leaf in leaves if not nodes.isdisjoint(re.findall(r"(?<![\w.])\w+", leaf))} == set()


def test_the_fields_of_a_node_are_its_parts() -> None:
    assert python._PARTS[py.IfElse](CHOICE) == (CHOICE.condition, CHOICE.then, CHOICE.otherwise)
    assert next(python.walk((CHOICE,))) is CHOICE
    assert {type(node) for node in python.walk((CHOICE,))} == {py.IfElse, py.Builtin, py.ListDisplay, py.Item, py.Constant}


CHOICE = py.IfElse(condition=py.Builtin(name="a"), then=py.items([py.text("b")]), otherwise=py.NONE)
