"""Tree walks look functions up by the class of a node: every class of a tree has a function."""

from __future__ import annotations

from typing import get_args

import pytest

from pclgen.core import expr as core
from pclgen.core import walk
from pclgen.targets.python import tree as py
from pclgen.targets.python import walking as python
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript import walking as typescript


@pytest.mark.parametrize(
    ("table", "classes"),
    [
        (walk._PARTS, get_args(core.Expr)),
        (python._PARTS, (*get_args(py.Expr), *get_args(py.Statement))),
        (typescript._PARTS, (*get_args(ts.TsExpr), *get_args(ts.Statement))),
    ],
    ids=["core", "python", "typescript"],
)
def test_each_class_of_nodes_says_what_its_parts_are(table: dict[type, object], classes: tuple[type, ...]) -> None:
    assert table.keys() == set(classes)
