"""Dead-code elimination: removes unread variables, which Go rejects, and code that only they need.

Values with effects (calls) stay as statements; the error of an unused value is still returned.

    keys := pkg.GetKeysOutput(ctx, …)   ->  pkg.GetKeysOutput(ctx, …)
    pet, err := random.NewPet(ctx, …)   ->  _, err := random.NewPet(ctx, …)

Liveness analysis finds the unused variables of a function, and the side effects of its expressions. A live item needs the
variables it reads. A pure value is live if its variable is live; an `if` or a loop is live if it assigns live variables or
has effects. Parts with effects must stay even if the value is unused. The first walk builds the graph of these dependencies,
the second walk follows it from the function itself. So a chain of unused variables adds no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias, assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.naming import STEPS
from pclgen.targets.go.sdk import CORE_PATH
from pclgen.targets.scopes import Declaration, Scope

# -- removal ----------------------------------------------------------------------------------------------------------------

_Change: TypeAlias = Callable[[go.FunctionLiteral], go.FunctionLiteral]
_NONE: frozenset[go.Variable] = frozenset()


def prune(statements: Iterable[go.Statement]) -> tuple[go.Statement, ...]:
    """Return `statements` without unused variables."""
    current = tuple(statements)
    while True:
        remover = _Remover(find_unused(current))
        if not remover.unused.variables:
            return current
        current = tuple(remover.block(current))
        if not remover.left_idle_out:  # the variables that they read may be unused now
            return current


class _Remover(Struct):
    """Removes the declarations and assignments of unused variables."""

    unused: Unused
    left_idle_out: bool = False

    def block(self, statements: Iterable[go.Statement]) -> list[go.Statement]:
        """Return the remaining statements of a block."""
        declared: set[go.Variable] = set()
        remaining = [left for s in statements for left in self._statement(s)]
        left = _without_idle(remaining)
        self.left_idle_out |= len(left) < len(remaining)
        return [_with_operator(s, declared) for s in left]

    def _statement(self, s: go.Statement) -> list[go.Statement]:
        gone = self.unused.variables.get(id(s), _NONE)
        match s:
            case go.VariableStatement():
                if s.variable in gone:
                    return _effect(self._expr(s.value)) if s.value is not None else []
                return [replace(s, value=self._expr(s.value) if s.value is not None else None)]
            case go.Assign():
                return self._assign(s, gone)
            case go.If():
                return self._if(s)
            case go.ForRange():
                key = None if s.key in gone else s.key
                value = None if s.value in gone else s.value
                body = tuple(self.block(s.body))
                if _is_empty(body) and not has_effect(s.collection):
                    return []
                return [replace(s, key=key, value=value, collection=self._expr(s.collection), body=body)]
            case go.ExpressionStatement():
                return [replace(s, expression=self._expr(s.expression))]
            case go.Return():
                return [replace(s, values=tuple(self._expr(v) for v in s.values))]
            case go.Comment() | go.Blank() | go.Place():
                return [s]
            case _:
                assert_never(s)

    def _assign(self, s: go.Assign, gone: AbstractSet[go.Variable]) -> list[go.Statement]:
        values = tuple(self._expr(v) for v in s.values)
        targets = tuple(make.BLANK if isinstance(t, go.Name) and t.variable in gone else t for t in s.targets)
        if s.targets != (make.BLANK,) and all(t is make.BLANK for t in targets):
            return [effect for value in values for effect in _effect(value)]
        if len(targets) == 1 and not isinstance(targets[0], go.Name):
            root = _root(targets[0])
            if isinstance(root, go.Name) and root.variable in gone:
                return [effect for value in values for effect in _effect(value)]
        return [replace(s, targets=targets, values=values)]

    def _if(self, s: go.If) -> list[go.Statement]:
        init = s.init
        if init is not None:
            init_statements = self._statement(init)
            init = init_statements[0] if init_statements else None
        body = tuple(self.block(s.body))
        otherwise = tuple(self.block(s.otherwise))
        if _is_empty(body) and _is_empty(otherwise) and not _has_init_effect(init) and not has_effect(s.condition):
            return []
        condition = self._expr(s.condition)
        rest = otherwise[0] if len(otherwise) == 1 else None
        if not body and isinstance(rest, go.If) and rest.init is None and not rest.otherwise:
            both = go.Binary(rest.condition, "&&", make.negate(condition))
            return [go.If(condition=both, body=rest.body, init=init)]
        if not body and otherwise:
            condition, body, otherwise = make.negate(condition), otherwise, ()
        return [go.If(condition=condition, body=body, otherwise=otherwise, init=init)]

    def _expr(self, e: go.Expr) -> go.Expr:
        """Return `e` with its function literals pruned."""
        return _mapped(e, self._function) if self.unused.in_functions else e  # type: ignore[return-value]  # keeps the class

    def _function(self, f: go.FunctionLiteral) -> go.FunctionLiteral:
        return replace(f, body=tuple(self.block(f.body)))


def _has_init_effect(init: go.Statement | None) -> bool:
    """Return whether the statement in the head of an `if` has effects other than a value for the condition."""
    return init is not None and not (isinstance(init, go.Assign) and not any(map(has_effect, init.values)))


def _without_idle(statements: list[go.Statement]) -> list[go.Statement]:
    """Return a block without reads of texts whose value and error are unused: `_, err := cfg.Try("a")`."""
    result = list(statements)
    for at, s in enumerate(statements):
        if not isinstance(s, go.Assign) or not _is_idle(s):
            continue
        following = next((n for n in range(at + 1, len(result)) if _mentions_error(result[n])), None)
        if following is None:
            result[at] = make.BLANK_LINE
            continue
        next_ = result[following]
        if isinstance(next_, go.Assign) and _sets_error(next_):
            result[at] = make.BLANK_LINE
            if s.operator == ":=":
                result[following] = replace(next_, operator=":=")
    return [s for s, before in zip(result, statements, strict=True) if s is before or s is not make.BLANK_LINE]


def _is_idle(s: go.Assign) -> bool:
    match s.targets:
        case (value, error):
            return value is make.BLANK and _is_error(error) and not any(map(has_effect, s.values))
        case _:
            return False


def _sets_error(s: go.Assign) -> bool:
    """Return whether `err` gets a new value that does not depend on its old value."""
    is_target = any(map(_is_error, s.targets))
    return is_target and not any(map(_mentions_error, s.values))


def _is_error(target: go.Expr) -> bool:
    return isinstance(target, go.Name) and target.variable is make.ERR.variable


def _mentions_error(s: object) -> bool:
    if isinstance(s, go.If) and isinstance(s.init, go.Assign) and s.init.operator == ":=" and _sets_error(s.init):
        return False  # it declares its own `err`
    if isinstance(s, go.Name):
        return _is_error(s)
    if isinstance(s, tuple):
        for part in s:
            if isinstance(part, go.Assign) and part.operator == ":=" and _sets_error(part):
                return False  # from here on, the block has its own `err`
            if _mentions_error(part):
                return True
        return False
    return any(_mentions_error(getattr(s, name)) for name in go.parts(type(s)))


def _with_operator(s: go.Statement, declared: set[go.Variable]) -> go.Statement:
    """Return `s` with `=` in place of a `:=` that declares no new variable."""
    if isinstance(s, go.VariableStatement):
        declared.add(s.variable)
    if not isinstance(s, go.Assign) or s.operator != ":=":
        return s
    variables = {t.variable for t in s.targets if isinstance(t, go.Name)}
    fresh = variables - declared
    declared |= variables
    return s if fresh else replace(s, operator="=")


def _mapped(value: object, change: _Change) -> object:
    if isinstance(value, go.FunctionLiteral):
        return change(value)
    if isinstance(value, tuple):
        items = tuple(_mapped(item, change) for item in value)
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    changed: dict[str, object] = {}
    for name in go.parts(type(value)):
        old = getattr(value, name)
        new = _mapped(old, change)
        if new is not old:
            changed[name] = new
    return replace(value, **changed) if changed else value  # type: ignore[type-var]  # only nodes have parts


def _effect(e: go.Expr) -> list[go.Statement]:
    """Return statements that keep the effects of evaluating `e`."""
    return [go.ExpressionStatement(expression=done) for done in effects(e)]


def _is_empty(body: Iterable[go.Statement]) -> bool:
    return all(isinstance(s, go.Comment | go.Blank) for s in body)


def _root(target: go.Expr) -> go.Expr:
    """Return the variable `x` of an assignment to `x[k]`, which does not read `x`."""
    while isinstance(target, go.Index):
        target = target.operand
    return target


# -- liveness ---------------------------------------------------------------------------------------------------------------

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
