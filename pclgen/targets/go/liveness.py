"""Liveness analysis: the unused variables of a Go function, and the side effects of its expressions.

A live item needs the variables it reads. A pure value is live if its variable is live; an `if` or a loop is live if it
assigns live variables or has effects. Parts with effects must stay even if the value is unused. The first walk builds the
graph of these dependencies, the second walk follows it from the function itself. So a chain of unused variables adds no
cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.sdk import CORE_PATH
from pclgen.targets.go.walking import STEPS
from pclgen.targets.scopes import Declaration, Scope

_PREDECLARED = frozenset({"len", "make", "append", "string", "int", "float64", "min", "max"})
_COMPUTING = frozenset(
    (
        *("crypto/sha1", "crypto/sha256", "encoding/base64", "encoding/json", "errors", "fmt", "maps", "math", "reflect"),
        *("slices", "strconv", "strings", "unicode/utf8", "github.com/rivo/uniseg"),
    )
)
"""Packages whose functions are pure, as far as generated code calls them."""

_CONVERSIONS = frozenset({"String", "Int", "Bool", "Float64", "ID", "URN", "StringRef", "IntRef", "BoolRef", "Float64Ref"})
_CORE_STARTS = ("To", "New")  # `ToStringArray`, `NewFileAsset`
_POINTERS = frozenset({"StringPtrFromPtr", "IntPtrFromPtr", "BoolPtrFromPtr", "Float64PtrFromPtr"})
_CORE_NAMES = _CONVERSIONS | _POINTERS | {"All", "Any", "Sprintf"}
_METHODS = frozenset({"Elem", "Index", "MapIndex", "ID", "URN", "EncodeToString", "Stack", "Project", "Try", "TrySecret"})
"""Pure methods of outputs, the context and a configuration: reading a text fails only if it is missing."""


def effects(e: go.Expr | go.Element) -> Iterator[go.Expr]:
    """Yield the outermost parts of `e` that have effects."""
    match e:
        case go.Call():
            if not _is_pure(e):
                yield e
                return
            for argument in e.arguments:
                yield from effects(argument)
        case _:
            for child in operands(e):
                yield from effects(child)


def has_effect(e: go.Expr) -> bool:
    """Return whether evaluating `e` has an effect."""
    return next(effects(e), None) is not None


def operands(e: go.Expr | go.Element) -> Iterator[go.Expr | go.Element]:
    """Return the direct operands of `e`, types included; none for a function literal."""
    if isinstance(e, go.FunctionLiteral):
        return
    for part in STEPS[type(e)](e):
        if isinstance(part, tuple):
            yield from part
        elif part is not None:
            yield part


def _is_pure(call: go.Call) -> bool:
    """Return whether a call is pure: a conversion or a known pure function."""
    function = call.function
    if _takes_context(call):
        name = (function.package.path, function.name) if isinstance(function, go.Qualified) else None
        return name == (f"{CORE_PATH}/config", "New")
    match function:
        case go.SliceType() | go.MapType() | go.Star():
            return True
        case go.Builtin():
            return function.name in _PREDECLARED
        case go.Qualified():
            if function.package.path == CORE_PATH:
                return function.name in _CORE_NAMES or function.name.startswith(_CORE_STARTS)
            return function.package.path in _COMPUTING
        case go.Selector():
            return function.name in _METHODS or (function.name.startswith("To") and function.name.endswith("Output"))
        case _:
            return False


def _takes_context(call: go.Call) -> bool:
    """Return whether the context is the first argument, as in all calls that communicate with the engine."""
    return bool(call.arguments) and call.arguments[0] is make.CTX


class Unused(Struct, frozen=True, kw_only=True):
    """The unused `variables` by the id of each statement that declares or assigns them.

    `in_functions`: some of these statements are inside a function literal.
    """

    variables: dict[int, set[go.Variable]]
    in_functions: bool


class _Item(Struct, eq=False):
    """A node of the graph: a variable, a block or a value, live or unused as a unit."""

    live: bool = False
    needs: list[_Item] = field(default_factory=list)


class _Where(Struct, frozen=True, kw_only=True):
    """A scope inside `block`; `function` is the item of the enclosing function body."""

    block: _Item
    function: _Item
    outer: _Where | None = None
    variables: dict[go.Variable, _Item] = field(default_factory=dict)
    nested: bool = False  # inside a function literal
    loop: go.ForRange | None = None  # the loop whose variables the scope declares

    def find(self, variable: go.Variable) -> _Item | None:
        where: _Where | None = self
        while where is not None:
            if variable in where.variables:
                return where.variables[variable]
            where = where.outer
        return None


def find_unused(statements: Iterable[go.Statement]) -> Unused:
    """Return the unused variables of `statements`."""
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
    """The walk that builds the graph."""

    def __init__(self) -> None:
        self.targets: list[tuple[_Item, go.Statement, go.Variable, bool]] = []
        """Declarations and assignments of variables, and whether each is inside a function literal."""

    def visit(self, node: Any, where: _Where) -> None:
        """Visit a statement, the head of an `if` or a loop, or an inner scope."""
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
            case go.ExpressionStatement() | go.Return():
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
        if s.targets == (make.BLANK,):  # evaluated as it may fail
            for value in s.values:
                self._done(value, where)
            return
        targets: list[_Item] = []
        for target in s.targets:
            item = self._target(s, target, where)
            if item is None:  # a field or an element of an operand that is not a known variable
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
        """Mark a node that is always live."""
        where.function.needs.append(where.block)
        self._read(node, where.block, where)

    def _give(self, e: go.Expr | go.Element, targets: Sequence[_Item], where: _Where) -> None:
        """Add a value for `targets`: its pure parts are live if a target is live, its effects always are."""
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
            if type(node) is go.Name:
                item = where.find(node.variable)
                if item is not None and item is not owner:
                    owner.needs.append(item)
            elif type(node) is Scope:  # the body of a function literal
                parameters = {parameter: _Item() for parameter in node.parameters}
                inside = _Where(block=owner, function=owner, outer=where, variables=parameters, nested=True)
                for part in node.parts:
                    self.visit(part, inside)
            elif isinstance(node, tuple):
                pending.extend(node)
            else:
                pending.extend(STEPS[type(node)](node))
