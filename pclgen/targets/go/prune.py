"""Dead-code elimination: removes unread variables, which Go rejects, and code that only they need.

Values with effects (calls) stay as statements; the error of an unused value is still returned.

    keys := pkg.GetKeysOutput(ctx, …)   ->  pkg.GetKeysOutput(ctx, …)
    pet, err := random.NewPet(ctx, …)   ->  _, err := random.NewPet(ctx, …)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.liveness import Unused, effects, find_unused, has_effect

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
