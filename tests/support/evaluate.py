"""An evaluator for core expressions, to compare a program before and after lowering.

`resolved` gives the meaning of a bound expression: outputs are looked through wherever they stand.  `strict` runs a lowered
expression as an SDK would: outputs are objects, using one where a plain value is needed is a mistake of lowering
(`AssertionError`), and what fails inside an apply makes a failed output.

Values are those of `stdlib.model.Value`, and `Output`, `Thing`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import assert_never

from pclgen.core.eventuals import is_lazy
from pclgen.core.expr import (
    All,
    Apply,
    Attr,
    Binary,
    Call,
    Conditional,
    Convert,
    Expr,
    For,
    Index,
    Invalid,
    Invoke,
    ListExpr,
    Literal,
    MethodCall,
    ObjectExpr,
    PropertyPath,
    Ref,
    Symbol,
    Template,
    Unary,
)
from pclgen.types.model import BOOL, INT, NUMBER, STRING, ListType, ObjectType, OutputType, Type, resolve, without_none


class EvaluationError(Exception):
    """The program fails."""


@dataclass(frozen=True)
class Output:
    """A value of a deployment: known, or failed."""

    value: object = None
    failed: bool = False


@dataclass(frozen=True)
class Thing:
    """A resource: its attributes are outputs."""

    attributes: Mapping[str, object] = field(default_factory=dict)


FAILED = Output(failed=True)

failures: list[str] = []
"""Why outputs failed since this was last cleared: a deployment reports those that nothing looked at, too."""


def deeply(value: object) -> object:
    """`value` with all outputs replaced by what they carry; raises `EvaluationError` for failed ones."""
    if isinstance(value, Output):
        if value.failed:
            raise EvaluationError("failed output")
        return deeply(value.value)
    if isinstance(value, list):
        return [deeply(v) for v in value]
    if isinstance(value, dict):
        return {k: deeply(v) for k, v in value.items()}
    return value


def holds_output(value: object) -> bool:
    """Whether there is an output in `value`; those of resources do not count."""
    if isinstance(value, Output):
        return True
    if isinstance(value, list):
        return any(holds_output(v) for v in value)
    return isinstance(value, dict) and any(holds_output(v) for v in value.values())


Environment = Mapping[Symbol, object]


def resolved(expr: Expr, env: Environment) -> object:
    """The value of a bound expression, all outputs known.  Raises `EvaluationError` when it fails."""
    return deeply(_Machine(strict=False).run(expr, env))


def strict(expr: Expr, env: Environment) -> object:
    """The value of a lowered expression, with outputs as objects.  Raises `EvaluationError` when it fails at once."""
    return _Machine(strict=True).run(expr, env)


class _Machine:
    def __init__(self, strict: bool) -> None:
        self.is_strict = strict

    def plain(self, expr: Expr, env: Environment) -> object:
        """The value of `expr` where a plain one is needed."""
        value = self.run(expr, env)
        if self.is_strict:
            assert not holds_output(value), f"an output where a plain value is needed: {expr}"
        return deeply(value)

    def run(self, expr: Expr, env: Environment) -> object:
        match expr:
            case Literal():
                return expr.value
            case Ref():
                return env[expr.symbol]
            case Attr():
                return _step(self.run(expr.source, env), expr.name, self.is_strict)
            case Index():
                key = self.plain(expr.key, env)
                return _step(self.run(expr.source, env), key, self.is_strict)
            case ListExpr():
                return [self.run(element, env) for element in expr.elements]
            case ObjectExpr():
                return {str(self.plain(item.key, env)): self.run(item.value, env) for item in expr.items}
            case Template():
                return self.template(expr, env)
            case Unary():
                return _unary(expr.operator, self.plain(expr.operand, env))
            case Binary():
                return self.binary(expr, env)
            case Conditional():
                chosen = expr.then if self.plain(expr.condition, env) else expr.otherwise
                return self.run(chosen, env)
            case For():
                return self.loop(expr, env)
            case Call():
                return self.call(expr, env)
            case Invoke() | MethodCall() | PropertyPath() | Invalid():
                raise AssertionError(f"programs to compare have no {type(expr).__name__}")
            case Convert():
                return self.convert(expr, env)
            case Apply():
                return self.apply(expr, env)
            case All():
                return _as_output(lambda: deeply(self.run(expr.value, env)), (self.run(expr.value, env),))
            case _:
                assert_never(expr)

    def template(self, expr: Template, env: Environment) -> object:
        if self.is_strict and isinstance(expr.type, OutputType):
            parts = [self.run(part, env) for part in expr.parts]
            return _as_output(lambda: "".join(_text(deeply(part)) for part in parts), parts)
        return "".join(_text(self.plain(part, env)) for part in expr.parts)

    def binary(self, expr: Binary, env: Environment) -> object:
        left = self.plain(expr.left, env)
        if expr.operator == "&&":
            return bool(left and self.plain(expr.right, env))
        if expr.operator == "||":
            return bool(left or self.plain(expr.right, env))
        return _binary(expr.operator, left, self.plain(expr.right, env))

    def loop(self, expr: For, env: Environment) -> object:
        collection = self.run(expr.collection, env)
        if self.is_strict:
            assert not isinstance(collection, Output), "a loop over an output"
        elif isinstance(collection, Output):
            collection = deeply(collection)
        listed: list[object] = []
        keyed: dict[str, object] = {}
        for key, value in _pairs(collection):
            inner = {**env, expr.value: value} | ({} if expr.key is None else {expr.key: key})
            if expr.condition is not None and not self.plain(expr.condition, inner):
                continue
            if expr.result_key is None:
                listed.append(self.run(expr.result, inner))
                continue
            name = str(self.plain(expr.result_key, inner))
            made = self.run(expr.result, inner)
            group = keyed.get(name, [])
            keyed[name] = [*group, made] if expr.group and isinstance(group, list) else made
        return listed if expr.result_key is None else keyed

    def call(self, expr: Call, env: Environment) -> object:
        name = expr.function.name
        if is_lazy(expr):
            return self.lazy(expr, env)
        if name in ("secret", "unsecret"):
            value = self.run(expr.args[0], env)
            return _as_output(lambda: deeply(value), (value,))
        if name == "recover":
            return self.recover(expr, env)
        if name == "toJSON":
            value = self.run(expr.args[0], env)
            if self.is_strict and holds_output(value):
                return _as_output(lambda: _json(deeply(value)), (value,))
            return _json(deeply(value))
        args = [self.plain(arg, env) for arg in expr.args]
        assert expr.function.implementation is not None
        try:
            return expr.function.implementation(*args)
        except Exception as problem:
            raise EvaluationError(str(problem)) from problem

    def lazy(self, expr: Call, env: Environment) -> object:
        for arg in expr.args:
            try:
                value = self.run(arg, env)
                value = value if self.is_strict else deeply(value)
            except EvaluationError:
                continue
            return True if expr.function.name == "can" else value
        if expr.function.name == "can":
            return False
        raise EvaluationError("nothing worked")

    def recover(self, expr: Call, env: Environment) -> object:
        assert expr.failure is not None
        try:
            value = self.run(expr.args[0], env)
            if self.is_strict:
                assert isinstance(value, Output), "recover needs an output"
            return Output(deeply(value))
        except EvaluationError:
            return self.run(expr.args[1], {**env, expr.failure: "poisoned"})

    def convert(self, expr: Convert, env: Environment) -> object:
        value = self.run(expr.value, env)
        if isinstance(value, Output) and self.is_strict:
            return _as_output(lambda: _converted(deeply(value), expr), (value,))
        if self.is_strict:
            assert not holds_output(value), "a conversion of a structure with outputs"
        return _converted(deeply(value), expr)

    def apply(self, expr: Apply, env: Environment) -> object:
        args = [self.run(arg, env) for arg in expr.args]
        assert all(isinstance(arg, Output) for arg in args), "an argument of an apply that is no output"

        def body() -> object:
            values = dict(zip(expr.parameters, (deeply(arg) for arg in args), strict=True))
            result = self.run(expr.body, {**env, **values})
            assert isinstance(result, Output) or not holds_output(result), "outputs inside the result of an apply"
            return deeply(result)

        return _as_output(body, args)


def _as_output(make: Callable[[], object], waits_for: Iterable[object]) -> Output:
    try:
        for value in waits_for:
            deeply(value)
        return Output(make())
    except EvaluationError as problem:
        failures.append(str(problem))
        return FAILED


def _step(value: object, key: object, lifts: bool) -> object:
    if isinstance(value, Output):
        if not lifts:
            return _step(deeply(value), key, lifts)
        return _as_output(lambda: deeply(_step(deeply(value), key, lifts)), (value,))
    try:
        if isinstance(value, Thing):
            return value.attributes[str(key)]
        if isinstance(value, list):
            assert isinstance(key, int) and not isinstance(key, bool)
            if key < 0:
                raise IndexError
            return value[key]
        if isinstance(value, dict):
            return value[str(key)]
    except (KeyError, IndexError) as problem:
        raise EvaluationError(f"no {key}") from problem
    raise EvaluationError(f"no {key} in {value}")


def _pairs(collection: object) -> Iterable[tuple[object, object]]:
    if isinstance(collection, list):
        return list(enumerate(collection))
    if isinstance(collection, dict):
        return sorted(collection.items())
    raise EvaluationError(f"cannot visit {collection}")


def _text(value: object) -> str:
    if value is None or isinstance(value, list | dict | Thing):
        raise EvaluationError("no text form")
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _unary(operator: str, value: object) -> object:
    if operator == "!":
        return not value
    if not isinstance(value, int | Decimal):
        raise EvaluationError("not a number")
    return -value


def _binary(operator: str, left: object, right: object) -> object:
    if operator == "==":
        return left == right
    if operator == "!=":
        return left != right
    if not isinstance(left, int | Decimal) or not isinstance(right, int | Decimal):
        raise EvaluationError("not a number")
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case _:
            if right == 0:
                raise EvaluationError("division by zero")
            return Decimal(left) / right if operator == "/" else left % right


def _converted(value: object, expr: Convert) -> object:
    return _as_type(value, resolve(expr.type))


def _as_type(value: object, wanted: Type) -> object:
    target = without_none(wanted)
    if value is None:
        if target is wanted:
            raise EvaluationError("null")
        return None
    if isinstance(target, ListType) and isinstance(value, list):
        return [_text(v) if target.element is STRING else v for v in value]
    if isinstance(target, ObjectType) and isinstance(value, dict):
        return {name: _as_type(value.get(name), t) for name, t in target.members.items()}
    if target is STRING:
        return _text(value)
    try:
        if target is INT:
            return int(str(value))
        if target is NUMBER:
            return Decimal(str(value))
    except ArithmeticError as problem:
        raise EvaluationError("not a number") from problem
    except ValueError as problem:
        raise EvaluationError("not a number") from problem
    if target is BOOL and isinstance(value, str):
        if value not in ("true", "false"):
            raise EvaluationError("not a bool")
        return value == "true"
    return value


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
