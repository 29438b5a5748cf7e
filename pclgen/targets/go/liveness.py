"""Which variables of a Go function nothing needs.

What stays needs what it reads.  A value that only computes stays for the variable it goes into; an `if` or a loop stays for
the variables that are assigned inside it, or for what is done there.  One walk makes the graph of these needs and a second
one follows it from the function itself, so that a chain of unused variables costs no more than others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, field

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.effects import effects, has_effect, operands
from pclgen.targets.go.walking import STEPS
from pclgen.targets.scopes import Declaration, Scope


class Unused(Struct, frozen=True, kw_only=True):
    """The unused `variables` by the id of each statement that declares or assigns them; `in_functions` tells whether any of
    these is inside a function literal."""

    variables: dict[int, set[go.Variable]]
    in_functions: bool


class _Item(Struct, eq=False):
    """A variable, a block or a value: what stays or goes as one."""

    live: bool = False
    needs: list[_Item] = field(default_factory=list)


class _Where(Struct, frozen=True, kw_only=True):
    """A scope: its part of `block`, which is inside the body of the function that stays with `function`."""

    block: _Item
    function: _Item
    outer: _Where | None = None
    variables: dict[go.Variable, _Item] = field(default_factory=dict)
    nested: bool = False  # inside a function literal
    loop: go.ForRange | None = None  # whose variables the scope declares

    def find(self, variable: go.Variable) -> _Item | None:
        where: _Where | None = self
        while where is not None:
            if variable in where.variables:
                return where.variables[variable]
            where = where.outer
        return None


def find_unused(statements: Iterable[go.Statement]) -> Unused:
    """Return what nothing needs."""
    function = _Item(live=True)
    finder = _Finder()
    where = _Where(block=function, function=function)
    for statement in statements:
        finder.visit(statement, where)
    pending = [function]
    while pending:
        for needed in pending.pop().needs:
            if not needed.live:
                needed.live = True
                pending.append(needed)
    variables: dict[int, set[go.Variable]] = {}
    in_functions = False
    for item, statement, variable, nested in finder.targets:
        if not item.live:
            variables.setdefault(id(statement), set()).add(variable)
            in_functions |= nested
    return Unused(variables=variables, in_functions=in_functions)


class _Finder:
    """The walk that makes the graph."""

    def __init__(self) -> None:
        self.targets: list[tuple[_Item, go.Statement, go.Variable, bool]] = []
        """Variables where they are declared or assigned, and whether that is inside a function literal."""

    def visit(self, node: Any, where: _Where) -> None:
        """Visit a statement, or what is at its place: the head of an `if` or a loop, and the scopes inside."""
        match node:
            case None | go.Comment() | go.Blank() | go.Place():
                pass
            case go.VariableStatement():
                target = self._declare(node, node.variable, where)
                if node.value is not None:
                    self._give(node.value, (target,), where)
            case go.Assign():
                self._assign(node, where)
            case go.If() | go.ForRange():
                loop = node if isinstance(node, go.ForRange) else None
                block = _Item(needs=[where.block])
                inner = _Where(block=block, function=where.function, outer=where, nested=where.nested, loop=loop)
                for step in STEPS[type(node)](node):
                    self.visit(step, inner)
            case Scope():
                inner = _Where(
                    block=where.block, function=where.function, outer=where, nested=where.nested, loop=where.loop
                )
                for part in node.parts:
                    self.visit(part, inner)
            case Declaration():
                assert where.loop is not None
                for variable in node.variables:
                    self._declare(where.loop, variable, where)
            case go.ExpressionStatement() | go.Defer() | go.Return():
                self._done(node, where)
            case _:
                if has_effect(node):
                    where.function.needs.append(where.block)
                self._read(node, where.block, where)

    def _declare(self, s: go.Statement, variable: go.Variable, where: _Where) -> _Item:
        item = where.variables.get(variable)
        if item is None:
            item = where.variables[variable] = _Item(needs=[where.block])
        self.targets.append((item, s, variable, where.nested))
        return item

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
        item = where.find(target.variable)
        if item is None:
            return None
        item.needs.append(where.block)
        self.targets.append((item, s, target.variable, where.nested))
        for key in keys:
            self._give(key, (item,), where)
        return item

    def _done(self, node: go.Expr | go.Statement, where: _Where) -> None:
        """What stays in any case."""
        where.function.needs.append(where.block)
        self._read(node, where.block, where)

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
            for part in operands(e):
                self._give(part, targets, where)

    def _read(self, node: object, owner: _Item, where: _Where) -> None:
        pending = [node]
        while pending:
            node = pending.pop()
            match node:
                case go.Name():
                    item = where.find(node.variable)
                    if item is not None and item is not owner:
                        owner.needs.append(item)
                case Scope():  # the body of a function literal
                    parameters = {parameter: _Item() for parameter in node.parameters}
                    inside = _Where(block=owner, function=owner, outer=where, variables=parameters, nested=True)
                    for part in node.parts:
                        self.visit(part, inside)
                case tuple():
                    pending.extend(node)
                case _:
                    pending.extend(STEPS[type(node)](node))
