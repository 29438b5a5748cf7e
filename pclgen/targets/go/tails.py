"""The ends of callbacks: results are returned directly.

A function literal whose last statement returns its result needs fewer temporaries.

    kind := "simple"                        if special {
    if special {                                return "special"
        kind = "special"            ->      }
    }                                       return "simple"
    return kind

    n, err := strconv.Atoi(text)
    if err != nil {                 ->      return strconv.Atoi(text)
        return 0, err
    }
    return n, nil

    func(value int) string {
        return strconv.Itoa(value)      ->      strconv.Itoa
    }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go


def shortened(statements: Sequence[go.Statement]) -> tuple[go.Statement, ...]:
    """Return `statements` with the result returned directly."""
    body = list(statements)
    while True:
        changed = _shorten_once(body)
        if changed is None:
            return tuple(body)
        body = changed


def _shorten_once(body: list[go.Statement]) -> list[go.Statement] | None:
    last = body[-1] if body else None
    if not isinstance(last, go.Return) or not last.values or not isinstance(last.values[0], go.Name):
        return None
    result = last.values[0].variable
    rest = last.values[1:]
    if len(body) >= 3 and _fails_with(body[-3], body[-2], result) and _is_nil(rest):
        call = body[-3]
        assert isinstance(call, go.Assign)
        return [*body[:-3], make.returns(call.values[0])]
    if len(body) >= 3 and isinstance(body[-2], go.If):
        branching = _branching(body, body[-2], result, rest)
        return None if branching is None or _mentions(branching, result) else branching
    return None


def _is_nil(values: tuple[go.Expr, ...]) -> bool:
    return len(values) == 1 and values[0] is make.NIL


def _fails_with(call: go.Statement, check: go.Statement, result: go.Variable) -> bool:
    """Return whether `call` is `result, err := …` and `check` is the check of its error."""
    if not isinstance(call, go.Assign) or not isinstance(check, go.If) or check.init is not None:
        return False
    targets = [t.variable for t in call.targets if isinstance(t, go.Name)]
    condition = check.condition
    return targets == [result, make.ERR.variable] and isinstance(condition, go.Binary) and condition.left is make.ERR


def _branching(
    body: list[go.Statement], choice: go.If, result: go.Variable, rest: tuple[go.Expr, ...]
) -> list[go.Statement] | None:
    declared = body[-3]
    if choice.init is not None:
        return None
    then = _returning(choice.body, result, rest)
    if then is None:
        return None
    start = _initial_value(declared, result)
    if start is not None and not choice.otherwise:
        return [*body[:-3], go.If(condition=choice.condition, body=then), make.returns(start, *rest)]
    if isinstance(declared, go.VariableStatement) and declared.variable is result and choice.otherwise:
        otherwise = _returning(choice.otherwise, result, rest)
        if otherwise is None:
            return None
        return [*body[:-3], go.If(condition=choice.condition, body=then), *otherwise]
    return None


def _initial_value(declared: go.Statement, result: go.Variable) -> go.Expr | None:
    if isinstance(declared, go.VariableStatement) and declared.variable is result:
        return declared.value
    if isinstance(declared, go.Assign) and declared.operator == ":=" and len(declared.targets) == 1:
        target = declared.targets[0]
        return declared.values[0] if isinstance(target, go.Name) and target.variable is result else None
    return None


def _returning(
    statements: tuple[go.Statement, ...], result: go.Variable, rest: tuple[go.Expr, ...]
) -> tuple[go.Statement, ...] | None:
    """Return a branch with its final assignment to `result` replaced by a return; None without such an assignment."""
    last = statements[-1] if statements else None
    if isinstance(last, go.Assign) and len(last.targets) == 1:
        target = last.targets[0]
        if isinstance(target, go.Name) and target.variable is result and last.operator == "=":
            return (*statements[:-1], make.returns(last.values[0], *rest))
    if isinstance(last, go.If) and last.otherwise and last.init is None:
        then = _returning(last.body, result, rest)
        otherwise = _returning(last.otherwise, result, rest)
        if then is not None and otherwise is not None:
            return (*statements[:-1], go.If(condition=last.condition, body=then), *otherwise)
    return None


def _mentions(value: object, variable: go.Variable) -> bool:
    """Return whether code reads, assigns or declares `variable`."""
    if isinstance(value, go.Name | go.VariableStatement) and value.variable is variable:
        return True
    if isinstance(value, list | tuple):
        return any(_mentions(item, variable) for item in value)
    return any(_mentions(getattr(value, part), variable) for part in go.parts(type(value)))


_FUNCTIONS: Mapping[tuple[str, str], tuple[str, tuple[str, ...]]] = {
    ("strconv", "Atoi"): ("string", ("int", "error")),
    ("strconv", "FormatBool"): ("bool", ("string",)),
    ("strconv", "Itoa"): ("int", ("string",)),
    ("", "toText"): ("any", ("string", "error")),
}
"""Parameter and result types of functions that can replace a callback, from the standard library and helpers."""


def called(function: go.FunctionLiteral) -> go.Expr:
    """Return the function that `function` only calls: `strconv.Itoa` for `func(n int) string { return strconv.Itoa(n) }`."""
    (statement, *more) = function.body or (None,)
    if more or len(function.parameters) != 1 or not isinstance(statement, go.Return) or len(statement.values) != 1:
        return function
    (call,), (parameter,) = statement.values, function.parameters
    if not isinstance(call, go.Call) or len(call.arguments) != 1:
        return function
    (argument,) = call.arguments
    if not isinstance(argument, go.Name) or argument.variable is not parameter.variable:
        return function
    takes = _name(parameter.type)
    gives = tuple(_name(result) for result in function.results)
    signature: tuple[str, tuple[str, ...]] | None
    match call.function:
        case go.Index(operand=go.Helper(key="toNumber"), key=key):
            signature = ("any", (_name(key), "error"))
        case go.Helper(key=key):
            signature = _FUNCTIONS.get(("", key))
        case go.Qualified(package=package, name=name):
            signature = _FUNCTIONS.get((package.path, name))
        case _:
            signature = None
    return call.function if (takes, gives) == signature else function


def _name(type_: go.Expr) -> str:
    return type_.name if isinstance(type_, go.Builtin) else ""
