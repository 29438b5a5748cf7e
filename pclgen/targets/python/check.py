"""A last look at the Python tree before it is printed: what Python would only notice when the program runs.

A `BrokenTreeError` means a mistake of this target: a variable that is read before it has a value, a variable that is bound
twice, a keyword that is given twice. Functions and lambdas may read what gets its value further down. black parses the text,
so that syntax is not checked here, nor are types.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.python import tree
from pclgen.targets.python.walking import children


def check_file(file: tree.File) -> None:
    """Raise `BrokenTreeError` when the variables of the file do not add up."""
    look = _Look(file.path)
    look.block(file.statements)
    component = file.component
    if component is not None:
        own = (component.resource_name, *(p.variable for p in component.parameters), component.options.variable)
        for variable in own:
            look.bind(variable)
        look.block(component.body)
    look.finish()


class _Look:
    """The variables that have values so far, and those that must have one by the end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.bound: set[tree.Variable] = set()
        self.later: set[tree.Variable] = set()

    def bind(self, variable: tree.Variable) -> None:
        """`variable` gets its first value."""
        if variable in self.bound:
            self._fail(f"{_shown(variable)} is bound twice")
        self.bound.add(variable)

    def finish(self) -> None:
        """What functions read must have got a value by now."""
        for variable in self.later:
            if variable not in self.bound:
                self._fail(f"nothing gives {_shown(variable)} a value")

    def _fail(self, problem: str) -> None:
        raise BrokenTreeError(f"{self.path}: {problem}")

    def block(self, statements: Iterable[tree.Statement]) -> None:
        """The statements of a file or of a constructor, in order."""
        for statement in statements:
            match statement:
                case tree.Assign():
                    self._read(statement.value)
                    if isinstance(statement.target, tree.Variable):
                        self.bind(statement.target)
                    else:
                        self._read(statement.target)
                case tree.Rebind():
                    self._read(statement.value)
                    self._read(tree.Name(variable=statement.target))
                case tree.Unpack():
                    self._read(statement.value)
                    for target in statement.targets:
                        self.bind(target)
                case tree.Do():
                    self._read(statement.value)
                case tree.For():
                    self._repeated(statement, frozenset(), now=True)
                case tree.Define():
                    self.bind(statement.name)
                    self._function(statement)
                case tree.Record():
                    self._read(statement.base)
                    for _, annotation in statement.members:
                        self._read(annotation)
                    self.bind(statement.name)
                case tree.Remark():
                    pass
                case _:
                    assert_never(statement)

    def _function(self, function: tree.Define) -> None:
        local = {function.parameter}
        for inner in function.body:
            if isinstance(inner, tree.For):
                self._repeated(inner, frozenset(local), now=False)
                continue
            self._read_later(inner.value, local)
            if isinstance(inner, tree.Assign) and isinstance(inner.target, tree.Variable):
                local.add(inner.target)
        if function.result is not None:
            self._read_later(function.result, local)

    def _repeated(self, statement: tree.For, local: frozenset[tree.Variable], *, now: bool) -> None:
        self._walk(statement.loop.iterable, local, now=now)
        inside = local | frozenset(statement.loop.targets)
        for inner in statement.body:
            if isinstance(inner, tree.For):
                self._repeated(inner, inside, now=now)
            else:
                self._walk(inner.value, inside, now=now)

    def _read_later(self, expr: tree.Expr, local: Iterable[tree.Variable]) -> None:
        self._walk(expr, frozenset(local), now=False)

    def _read(self, expr: tree.Expr) -> None:
        self._walk(expr, frozenset(), now=True)

    def _walk(self, root: tree.Expr, local: frozenset[tree.Variable], *, now: bool) -> None:
        pending = [root]
        while pending:
            expr = pending.pop()
            match expr:
                case tree.Name():
                    if expr.variable in local:
                        continue
                    if not now:
                        self.later.add(expr.variable)
                    elif expr.variable not in self.bound:
                        self._fail(f"{_shown(expr.variable)} has no value yet")
                case tree.Lambda():
                    self._walk(expr.body, local | frozenset(expr.parameters), now=False)
                case tree.ListComprehension() | tree.DictComprehension():
                    self._walk(expr.loop.iterable, local, now=now)
                    inside = local | frozenset(expr.loop.targets)
                    for child in children(expr):
                        if child is not expr.loop.iterable:
                            self._walk(child, inside, now=now)
                case tree.Call():
                    self._keywords(expr)
                    pending.extend(children(expr))
                case _:
                    pending.extend(children(expr))

    def _keywords(self, call: tree.Call) -> None:
        names = [argument.name for argument in call.args if argument.name.isidentifier()]
        if len(names) != len(set(names)):
            self._fail(f"a keyword is given twice: {', '.join(names)}")


def _shown(variable: tree.Variable) -> str:
    return variable.preferred_names[0] if variable.preferred_names else "a variable"
