"""Which variables of a Go function nothing needs.

`Unused` has the variables to remove, by the statement that declares them.

What stays needs what it reads.  A value that only computes stays for the variable it goes into; an `if` or a loop stays for
the variables that are assigned inside it, or for what is done there.  One walk makes the graph of these needs and a second
one follows it from the function itself, so that a chain of unused variables costs no more than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from msgspec import Struct, field

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.effects import effects, has_effect, operands


class Unused(Struct, frozen=True, kw_only=True):
    """`variables` by the id of the declaring statement; `in_functions` tells whether any of them is declared or assigned
    inside a function literal."""

    variables: dict[int, set[go.Variable]]
    in_functions: bool


class _Item(Struct, eq=False):
    """A variable, or (without one) a block or a value: what stays or goes as one."""

    variable: go.Variable | None = None
    declaration: int = 0  # id of the declaring statement
    in_function: bool = False
    live: bool = False
    needs: list[_Item] = field(default_factory=list)


class _Scope(Struct):
    parent: _Scope | None = None
    variables: dict[go.Variable, _Item] = field(default_factory=dict)

    def find(self, variable: go.Variable) -> _Item | None:
        scope: _Scope | None = self
        while scope is not None:
            if variable in scope.variables:
                return scope.variables[variable]
            scope = scope.parent
        return None


class _Where(Struct, frozen=True, kw_only=True):
    """Where a statement stands: in `block`, which is inside the body of the function that stays with `function`."""

    scope: _Scope
    block: _Item
    function: _Item
    nested: bool = False  # inside a function literal

    def inner(self, block: _Item | None = None) -> _Where:
        return _Where(
            scope=_Scope(self.scope), block=block or self.block, function=self.function, nested=self.nested
        )


def find_unused(statements: Iterable[go.Statement]) -> Unused:
    """Return what nothing needs."""
    function = _Item()
    finder = _Finder()
    finder.visit(statements, _Where(scope=_Scope(), block=function, function=function))
    function.live = True
    pending = [function]
    while pending:
        for needed in pending.pop().needs:
            if not needed.live:
                needed.live = True
                pending.append(needed)
    dead = [item for item in finder.variables if not item.live]
    variables: dict[int, set[go.Variable]] = {}
    for item in dead:
        if item.variable is not None:
            variables.setdefault(item.declaration, set()).add(item.variable)
    return Unused(variables=variables, in_functions=any(item.in_function for item in dead))


class _Finder:
    """The walk that makes the graph."""

    def __init__(self) -> None:
        self.variables: list[_Item] = []

    def visit(self, statements: Iterable[go.Statement], where: _Where) -> None:
        for s in statements:
            match s:
                case go.ExpressionStatement():
                    self._done(s.expression, where)
                case go.Defer():
                    self._done(s.call, where)
                case go.Return():
                    where.function.needs.append(where.block)
                    for value in s.values:
                        self._read(value, where.block, where)
                case go.VariableStatement():
                    target = self._declare(s, s.variable, where)
                    if s.value is not None:
                        self._give(s.value, (target,), where)
                case go.Assign():
                    self._assign(s, where)
                case go.If():
                    self._if(s, where)
                case go.ForRange():
                    self._loop(s, where)
                case go.Comment() | go.Blank() | go.Place():
                    pass
                case _:
                    assert_never(s)

    def _declare(self, s: go.Statement, variable: go.Variable, where: _Where) -> _Item:
        item = where.scope.variables.get(variable)
        if item is None:
            item = _Item(variable=variable, declaration=id(s), in_function=where.nested)
            item.needs.append(where.block)
            where.scope.variables[variable] = item
            self.variables.append(item)
        return item

    def _if(self, s: go.If, where: _Where) -> None:
        block = _Item(needs=[where.block])
        inner = where.inner(block)
        if s.init is not None:
            self.visit((s.init,), inner)
        self._condition(s.condition, inner)
        self.visit(s.body, inner.inner())
        self.visit(s.otherwise, inner.inner())

    def _loop(self, s: go.ForRange, where: _Where) -> None:
        block = _Item(needs=[where.block])
        inner = where.inner(block)
        self._condition(s.collection, inner)
        for variable in (s.key, s.value):
            if variable is not None:
                self._declare(s, variable, inner)
        self.visit(s.body, inner.inner())

    def _condition(self, e: go.Expr, where: _Where) -> None:
        if has_effect(e):
            where.function.needs.append(where.block)
        self._read(e, where.block, where)

    def _assign(self, s: go.Assign, where: _Where) -> None:
        targets: list[_Item] = []
        for target in s.targets:
            item = self._target(s, target, where)
            if item is None:  # a field or an element of something that is no variable of ours
                for value in s.values:
                    self._done(value, where)
                self._done(target, where)
                return
            targets.append(item)
        for value in s.values:
            self._give(value, targets, where)

    def _target(self, s: go.Assign, target: go.Expr, where: _Where) -> _Item | None:
        keys: list[go.Expr] = []
        while isinstance(target, go.Index):
            keys.append(target.key)
            target = target.operand
        if target is make.BLANK:
            return _Item()
        if not isinstance(target, go.Name):
            return None
        if s.operator == ":=":
            return self._declare(s, target.variable, where)
        item = where.scope.find(target.variable)
        if item is None:
            return None
        item.needs.append(where.block)
        item.in_function = item.in_function or where.nested
        for key in keys:
            self._give(key, (item,), where)
        return item

    def _done(self, e: go.Expr, where: _Where) -> None:
        """What stays in any case."""
        where.function.needs.append(where.block)
        self._read(e, where.block, where)

    def _give(self, e: go.Expr, targets: Sequence[_Item], where: _Where) -> None:
        """A value for `targets`: it stays for them, what it does stays anyhow."""
        done = list(effects(e))
        if not done:
            owner = targets[0] if len(targets) == 1 else _Item()
            if len(targets) != 1:
                for target in targets:
                    target.needs.append(owner)
            self._read(e, owner, where)
        elif len(done) == 1 and done[0] is e:
            self._done(e, where)
        else:
            match e:
                case go.Composite():
                    parts = [part for x in e.elements for part in (x.key, x.value) if part is not None]
                case _:
                    parts = list(operands(e))
            for part in parts:
                self._give(part, targets, where)

    def _read(self, e: go.Expr, owner: _Item, where: _Where) -> None:
        match e:
            case go.Name():
                item = where.scope.find(e.variable)
                if item is not None and item is not owner:
                    owner.needs.append(item)
            case go.FunctionLiteral():
                inside = _Where(scope=_Scope(where.scope), block=owner, function=owner, nested=True)
                for parameter in e.parameters:
                    inside.scope.variables[parameter.variable] = _Item()
                self.visit(e.body, inside.inner())
            case go.Composite():
                for element in e.elements:
                    if element.key is not None:
                        self._read(element.key, owner, where)
                    self._read(element.value, owner, where)
            case _:
                for operand in operands(e):
                    self._read(operand, owner, where)
