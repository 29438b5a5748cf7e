"""Removes what Go refuses: variables that nothing reads, and with them what only they needed.

Comes in: the statements of a function.  Goes out: the same without unused variables.  Values that do something (calls) stay
as statements; an error that comes with an unused value is still returned.

    keys := pkg.GetKeysOutput(ctx, …)   ->  pkg.GetKeysOutput(ctx, …)
    pet, err := random.NewPet(ctx, …)   ->  _, err := random.NewPet(ctx, …)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TypeAlias, assert_never

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go

_Change: TypeAlias = Callable[[go.FunctionLiteral], go.FunctionLiteral]

_PURE_CALLS = frozenset({"len", "make", "append", "string", "int", "float64", "min", "max"})
_PURE_PREFIXES = ("fmt.Sprint", "strconv.", "strings.", "json.", "base64.", "sha1.", "sha256.", "slices.", "maps.")


def prune(statements: Iterable[go.Statement]) -> tuple[go.Statement, ...]:
    """`statements` without unused variables."""
    current = tuple(statements)
    while True:
        unused = _unused(current)
        if not unused:
            return current
        current = _without(current, unused)


# -------------------------------------------------------------------------------------------------- analysis


@dataclass(slots=True)
class _Variable:
    declaration: int  # id of the declaring statement
    name: str
    reads: int = 0


@dataclass(slots=True)
class _Scope:
    parent: _Scope | None = None
    names: dict[str, _Variable] = field(default_factory=dict)

    def find(self, name: str) -> _Variable | None:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None


def _unused(statements: tuple[go.Statement, ...]) -> dict[int, set[str]]:
    """Names that nothing reads, by the id of the statement that declares them."""
    variables: list[_Variable] = []
    _visit_block(statements, _Scope(), variables)
    found: dict[int, set[str]] = {}
    for variable in variables:
        if not variable.reads:
            found.setdefault(variable.declaration, set()).add(variable.name)
    return found


def _visit_block(statements: Iterable[go.Statement], scope: _Scope, variables: list[_Variable]) -> None:
    for s in statements:
        _visit(s, scope, variables)


def _declare(s: go.Statement, name: str, scope: _Scope, variables: list[_Variable]) -> None:
    if name == "_" or name in scope.names:
        return
    variable = _Variable(id(s), name)
    scope.names[name] = variable
    variables.append(variable)


def _visit(s: go.Statement, scope: _Scope, variables: list[_Variable]) -> None:
    match s:
        case go.ExpressionStatement():
            _read(s.expression, scope, variables)
        case go.Defer():
            _read(s.call, scope, variables)
        case go.Return():
            for value in s.values:
                _read(value, scope, variables)
        case go.Variable():
            if s.value is not None:
                _read(s.value, scope, variables)
            _declare(s, s.name, scope, variables)
        case go.Assign():
            _visit_assign(s, scope, variables)
        case go.If():
            inner = _Scope(scope)
            if s.init is not None:
                _visit(s.init, inner, variables)
            _read(s.condition, inner, variables)
            _visit_block(s.body, _Scope(inner), variables)
            _visit_block(s.otherwise, _Scope(inner), variables)
        case go.ForRange():
            _read(s.collection, scope, variables)
            inner = _Scope(scope)
            for name in (s.key, s.value):
                if name is not None:
                    _declare(s, name, inner, variables)
            _visit_block(s.body, _Scope(inner), variables)
        case go.Comment() | go.Blank():
            pass
        case _:
            assert_never(s)


def _visit_assign(s: go.Assign, scope: _Scope, variables: list[_Variable]) -> None:
    grown = _grown(s)
    for value in s.values:
        if grown is not None and isinstance(value, go.Call):
            for argument in value.arguments[1:]:
                _read(argument, scope, variables)
        else:
            _read(value, scope, variables)
    for target in s.targets:
        if not isinstance(target, go.Name):
            root = _root(target)
            for part in _parts(target):
                if part is not root:
                    _read_name(part, scope)
        elif s.operator == ":=":
            _declare(s, target.name, scope, variables)


def _grown(s: go.Assign) -> str | None:
    """The variable of `x = append(x, …)`, which does not count as reading it."""
    if s.operator != "=" or len(s.targets) != 1 or not isinstance(s.targets[0], go.Name):
        return None
    value = s.values[0]
    is_append = isinstance(value, go.Call) and isinstance(value.function, go.Name) and value.function.name == "append"
    if not is_append or not isinstance(value, go.Call) or not isinstance(value.arguments[0], go.Name):
        return None
    name = s.targets[0].name
    return name if value.arguments[0].name == name else None


def _root(target: go.Expr) -> go.Expr:
    """The variable that `x[k] = v` fills; filling a map is not reading it."""
    while isinstance(target, go.Index):
        target = target.operand
    return target


def _parts(e: go.Expr) -> Iterator[go.Name]:
    for node in _nodes(e):
        if isinstance(node, go.Name):
            yield node


def _nodes(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif is_dataclass(value) and not isinstance(value, type):
        yield value
        for f in fields(value):
            yield from _nodes(getattr(value, f.name))


def _read_name(name: go.Name, scope: _Scope) -> None:
    variable = scope.find(name.name)
    if variable is not None:
        variable.reads += 1


def _read(e: go.Expr, scope: _Scope, variables: list[_Variable]) -> None:
    if isinstance(e, go.Name):
        _read_name(e, scope)
    elif isinstance(e, go.FunctionLiteral):
        inner = _Scope(scope)
        for parameter in e.parameters:
            inner.names[parameter.name] = _Variable(0, parameter.name, 1)
        _visit_block(e.body, _Scope(inner), variables)
    elif isinstance(e, go.Composite):
        for element in e.elements:
            if element.key is not None and not isinstance(element.key, go.Name):
                _read(element.key, scope, variables)
            elif (isinstance(element.key, go.Name) and isinstance(e.type, go.MapType)) or isinstance(element.key, go.Name):
                _read_name(element.key, scope)
            _read(element.value, scope, variables)
    else:
        for child in _children(e):
            _read(child, scope, variables)


def _children(e: go.Expr) -> Iterator[go.Expr]:
    match e:
        case go.Selector() | go.Unary() | go.Star():
            yield e.operand
        case go.TypeAssertion():
            yield e.operand
        case go.Index():
            yield e.operand
            yield e.key
        case go.Call():
            yield e.function
            yield from e.arguments
        case go.Binary():
            yield e.left
            yield e.right
        case _:
            return


# -------------------------------------------------------------------------------------------------- removal


def _without(statements: Iterable[go.Statement], unused: dict[int, set[str]]) -> tuple[go.Statement, ...]:
    """`statements` with the declarations and assignments of the unused variables taken out."""
    return tuple(_Remover(unused).block(statements, {}))


@dataclass(slots=True)
class _Remover:
    unused: dict[int, set[str]]

    def block(self, statements: Iterable[go.Statement], dead: dict[str, bool]) -> list[go.Statement]:
        """`dead` tells for the names in scope whether they are among the unused."""
        names = dict(dead)
        declared: set[str] = set()
        result: list[go.Statement] = []
        for s in statements:
            result.extend(_with_operator(kept, declared) for kept in self._statement(s, names))
        return result

    def _statement(self, s: go.Statement, dead: dict[str, bool]) -> list[go.Statement]:
        gone = self.unused.get(id(s), set())
        match s:
            case go.Variable():
                dead[s.name] = s.name in gone
                if s.name in gone:
                    return _effect(self._expr(s.value, dead)) if s.value is not None else []
                return [replace(s, value=self._expr(s.value, dead) if s.value is not None else None)]
            case go.Assign():
                return self._assign(s, gone, dead)
            case go.If():
                return self._if(s, dead)
            case go.ForRange():
                inner = dict(dead)
                for name in (s.key, s.value):
                    if name is not None:
                        inner[name] = False
                key = None if s.key in gone else s.key
                value = None if s.value in gone else s.value
                body = tuple(self.block(s.body, inner))
                if not body and not _has_effect(s.collection):
                    return []
                if value is None and key == "_":
                    key = None
                return [replace(s, key=key, value=value, collection=self._expr(s.collection, dead), body=body)]
            case go.ExpressionStatement():
                return [replace(s, expression=self._expr(s.expression, dead))]
            case go.Return():
                return [replace(s, values=tuple(self._expr(v, dead) for v in s.values))]
            case go.Defer() | go.Comment() | go.Blank():
                return [s]
            case _:
                assert_never(s)

    def _assign(self, s: go.Assign, gone: set[str], dead: dict[str, bool]) -> list[go.Statement]:
        values = tuple(self._expr(v, dead) for v in s.values)
        if s.operator == ":=":
            for target in s.targets:
                if isinstance(target, go.Name) and target.name != "_":
                    dead[target.name] = target.name in gone
        targets = tuple(
            make.BLANK if isinstance(t, go.Name) and dead.get(t.name, False) else t for t in s.targets
        )
        if all(isinstance(t, go.Name) and t.name == "_" for t in targets):
            return [effect for value in values for effect in _effect(value)]
        if len(targets) == 1 and not isinstance(targets[0], go.Name):
            root = _root(targets[0])
            if isinstance(root, go.Name) and dead.get(root.name, False):
                return [effect for value in values for effect in _effect(value)]
        return [replace(s, targets=targets, values=values)]

    def _if(self, s: go.If, dead: dict[str, bool]) -> list[go.Statement]:
        inner = dict(dead)
        init = s.init
        if init is not None:
            kept = self._statement(init, inner)
            init = kept[0] if kept else None
        body = tuple(self.block(s.body, inner))
        otherwise = tuple(self.block(s.otherwise, inner))
        if not body and not otherwise and init is None and not _has_effect(s.condition):
            return []
        condition = self._expr(s.condition, inner)
        if not body and otherwise:
            condition, body, otherwise = make.negate(condition), otherwise, ()
        return [go.If(condition=condition, body=body, otherwise=otherwise, init=init)]

    def _expr(self, e: go.Expr, dead: dict[str, bool]) -> go.Expr:
        """`e` with the function literals in it pruned as well."""
        return _map_functions(e, lambda f: self._function(f, dead))

    def _function(self, f: go.FunctionLiteral, dead: dict[str, bool]) -> go.FunctionLiteral:
        inner = dict(dead)
        for parameter in f.parameters:
            inner[parameter.name] = False
        return replace(f, body=tuple(self.block(f.body, inner)))


def _with_operator(s: go.Statement, declared: set[str]) -> go.Statement:
    """`:=` needs a new variable on its left; without one it becomes `=`."""
    if isinstance(s, go.Variable):
        declared.add(s.name)
    if not isinstance(s, go.Assign) or s.operator != ":=":
        return s
    names = {t.name for t in s.targets if isinstance(t, go.Name)} - {"_"}
    fresh = names - declared
    declared |= names
    return s if fresh else replace(s, operator="=")


def _map_functions(value: go.Expr, change: _Change) -> go.Expr:
    return _mapped(value, change)  # type: ignore[return-value]  # mapping keeps the class of a node


def _mapped(value: object, change: _Change) -> object:
    if isinstance(value, go.FunctionLiteral):
        return change(value)
    if isinstance(value, tuple):
        items = tuple(_mapped(item, change) for item in value)
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    if is_dataclass(value) and not isinstance(value, type):
        changed = {}
        for f in fields(value):
            old = getattr(value, f.name)
            new = _mapped(old, change)
            if new is not old:
                changed[f.name] = new
        return replace(value, **changed) if changed else value
    return value


def _effect(e: go.Expr) -> list[go.Statement]:
    """The statement that keeps what evaluating `e` does."""
    if not _has_effect(e):
        return []
    if isinstance(e, go.TypeAssertion):
        return _effect(e.operand)
    if isinstance(e, go.Call) and not _is_conversion(e):
        return [go.ExpressionStatement(expression=e)]
    return [go.Assign(targets=(make.BLANK,), values=(e,), operator="=")]


def _has_effect(e: go.Expr) -> bool:
    match e:
        case go.Call():
            pure = _is_conversion(e) or _is_pure(e.function)
            return not pure or any(_has_effect(a) for a in e.arguments)
        case go.Composite():
            return any(_has_effect(element.value) for element in e.elements)
        case go.FunctionLiteral():
            return False
        case _:
            return any(_has_effect(child) for child in _children(e))


def _is_pure(function: go.Expr) -> bool:
    if isinstance(function, go.Name):
        return function.name in _PURE_CALLS
    if isinstance(function, go.Qualified):
        return f"{function.package}.{function.name}".startswith(_PURE_PREFIXES) or function.name.startswith(
            ("To", "Sprintf", "Any", "New" + "FileA", "NewStringAsset", "NewRemoteA", "NewAssetArchive", "All")
        )
    if isinstance(function, go.Selector):
        return function.name in ("Elem", "Index", "MapIndex", "ID", "URN", "EncodeToString", "Stack", "Project") or (
            function.name.startswith("To") and function.name.endswith("Output")
        )
    return False


def _is_conversion(e: go.Call) -> bool:
    """`pulumi.String(x)`, `[]byte(x)`: a type applied to a value."""
    if isinstance(e.function, go.SliceType | go.MapType):
        return True
    scalars = ("String", "Int", "Bool", "Float64", "ID", "URN", "StringRef", "IntRef", "BoolRef", "Float64Ref")
    return isinstance(e.function, go.Qualified) and e.function.package == "pulumi" and e.function.name in scalars
