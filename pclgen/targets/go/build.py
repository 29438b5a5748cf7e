"""Builds nodes of the Go tree: shorthands, constant numbers, chains of `&&` and `||`, and the ends of callbacks.

Nothing here depends on types or scopes. Go computes constant expressions exactly at compile time, PCL computes with doubles:
this module writes numbers in Go, and evaluates constant expressions as Go and as PCL would.

PCL may contain chains that `go vet` rejects: a repeated operand, and a value compared with two constants.

    on && on                      ->  on
    env == "a" && env == "b"      ->  env == "a" && !(env != "b")

A function literal whose last statement returns its result needs fewer temporaries: results are returned directly.

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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from msgspec import Struct

from pclgen.targets.go import tree as go
from pclgen.targets.go.names import local_name

if TYPE_CHECKING:
    from fractions import Fraction


NIL = go.Builtin(name="nil")
TRUE = go.Builtin(name="true")
FALSE = go.Builtin(name="false")
ANY = go.Builtin(name="any")
STRING = go.Builtin(name="string")
BOOL = go.Builtin(name="bool")
BYTE = go.Builtin(name="byte")
ERROR = go.Builtin(name="error")
BLANK = go.Builtin(name="_")
BLANK_LINE = go.Blank()


def variable(*preferred_names: str) -> go.Variable:
    """Return a new variable; its name is the first available of the PCL names `preferred_names`."""
    return go.Variable(preferred_names=tuple(map(local_name, preferred_names)))


def _fixed(spelling: str) -> go.Name:
    return go.Name(go.Variable(preferred_names=(spelling,), fixed=True))


ERR = _fixed("err")
CTX = _fixed("ctx")
# Variables of a component's constructor.
NAME = _fixed("name")
ARGS = _fixed("args")
OPTS = _fixed("opts")
COMPONENT = _fixed("component")


def number(value: int | str) -> go.Number:
    """A number literal."""
    return go.Number(text=str(value))


def call(function: go.Expr, *arguments: go.Expr) -> go.Call:
    """`function(arguments…)`."""
    return go.Call(function=function, arguments=arguments)


def select(operand: go.Expr, member: str) -> go.Selector:
    """`operand.member`; for `*p`, `p.member`."""
    if isinstance(operand, go.Star):
        operand = operand.operand
    return go.Selector(operand=operand, name=member)


def builtin(function: str, *arguments: go.Expr) -> go.Call:
    """`function(arguments…)` of a predeclared function or type."""
    return call(go.Builtin(name=function), *arguments)


def length(operand: go.Expr) -> go.Call:
    """`len(operand)`."""
    return builtin("len", operand)


def method(operand: go.Expr, member: str, *arguments: go.Expr) -> go.Call:
    """`operand.member(arguments…)`."""
    return call(select(operand, member), *arguments)


def address(operand: go.Expr) -> go.Unary:
    """`&operand`."""
    return go.Unary(operator="&", operand=operand)


def negate(operand: go.Expr) -> go.Expr:
    """`!operand`, or the opposite comparison if that is shorter."""
    turned = {"==": "!=", "!=": "=="}
    if isinstance(operand, go.Binary) and operand.operator in turned:
        return go.Binary(operand.left, turned[operand.operator], operand.right)
    if isinstance(operand, go.Unary) and operand.operator == "!":
        return operand.operand
    return go.Unary(operator="!", operand=operand)


def listing(type_: go.Expr | None, values: Iterable[go.Expr]) -> go.Composite:
    """`type{values…}`."""
    return go.Composite(type=type_, elements=tuple(go.Element(value=v) for v in values))


def struct(type_: go.Expr | None, fields: Mapping[str, go.Expr]) -> go.Composite:
    """`type{Field: value, …}`."""
    return go.Composite(type=type_, elements=tuple(go.Element(key=go.Field(k), value=v) for k, v in fields.items()))


def mapping(type_: go.Expr | None, members: Mapping[str, go.Expr]) -> go.Composite:
    """`type{"key": value, …}`."""
    return go.Composite(type=type_, elements=tuple(go.Element(key=go.Text(k), value=v) for k, v in members.items()))


def function(
    parameters: Iterable[tuple[go.Variable, go.Expr]], results: Iterable[go.Expr], body: Iterable[go.Statement]
) -> go.FunctionLiteral:
    """`func(parameters) results { body }`."""
    return go.FunctionLiteral(
        parameters=tuple(go.Parameter(variable=v, type=t) for v, t in parameters),
        results=tuple(results),
        body=tuple(body),
    )


def define(targets: Iterable[go.Variable | None], value: go.Expr) -> go.Assign:
    """`targets := value`; None is an unused target."""
    names = tuple(BLANK if target is None else go.Name(target) for target in targets)
    return go.Assign(targets=names, values=(value,), operator=":=")


def assign(target: go.Expr, value: go.Expr) -> go.Assign:
    """`target = value`."""
    return go.Assign(targets=(target,), values=(value,))


def append(target: go.Expr, value: go.Expr) -> go.Assign:
    """`target = append(target, value)`."""
    return assign(target, builtin("append", target, value))


def returns(*values: go.Expr) -> go.Return:
    """`return values…`."""
    return go.Return(values=values)


def is_simple(e: go.Expr) -> bool:
    """Return whether code can repeat `e`: a name or a literal, or a member or element of a name."""
    match e:
        case go.Name() | go.Builtin() | go.Declared() | go.Helper() | go.Qualified() | go.Number() | go.Text():
            return True
        case go.Selector():
            return is_simple(e.operand)
        case go.Index():
            return is_simple(e.operand) and isinstance(e.key, go.Number | go.Text | go.Name | go.Declared)
        case _:
            return False


# -- constant numbers -------------------------------------------------------------------------------------------------------

_INT64 = 1 << 63


class Constant(Struct, frozen=True):
    """The value of a constant expression: exact, as in Go, and as a double."""

    exact: Fraction
    double: float


def is_int64(value: int | Fraction) -> bool:
    """Return whether a number is in the range of a Go int (64 bits)."""
    return -_INT64 <= value < _INT64


def number_text(value: int | Decimal) -> str:
    """Return a number in Go syntax; integers beyond 64 bits become floating point."""
    if isinstance(value, int):
        return str(value) if is_int64(value) else f"{Decimal(value):E}".lower()
    text = format(value, "f") if -20 < value.adjusted() < 20 else f"{value:E}".lower()
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return text


def fractional(number: go.Number) -> go.Number:
    """Return the number as a literal of type float64."""
    return number if "." in number.text or "e" in number.text else go.Number(text=f"{number.text}.0")


def constant_value(e: go.Expr) -> Constant | None:
    """Return the value of a number, of its `float64` conversion, or of `max` or `min` of constants; None otherwise."""
    match e:
        case go.Number():
            from fractions import Fraction

            try:
                exact = Fraction(e.text)
            except ValueError:
                return None
            return Constant(exact, float(e.text))
        case go.Call(function=go.Builtin(name="float64"), arguments=(go.Number() as operand,)):
            return constant_value(operand)
        case go.Call(function=go.Builtin(name="max" | "min" as name)):
            constants = [c for c in map(constant_value, e.arguments) if c is not None]
            if len(constants) != len(e.arguments):
                return None
            return (max if name == "max" else min)(constants, key=lambda c: c.exact)
        case _:
            return None


def negated(operand: Constant) -> Constant:
    """`-operand`."""
    return Constant(-operand.exact, -operand.double)


def computed(left: Constant, operator: str, right: Constant) -> Constant | None:
    """Return `left operator right`; None if the result is not a constant."""
    match operator:
        case "+":
            return Constant(left.exact + right.exact, left.double + right.double)
        case "-":
            return Constant(left.exact - right.exact, left.double - right.double)
        case "*":
            return Constant(left.exact * right.exact, left.double * right.double)
        case "/" if right.exact != 0:
            return Constant(left.exact / right.exact, left.double / right.double)
        case _:
            return None


# -- chains of operators ----------------------------------------------------------------------------------------------------

def joined(operator: str, operands: Iterable[go.Expr]) -> go.Expr:
    """Return `a && b && …`, simplified if an operand is a constant (such as a comparison that Go would reject)."""
    neutral, deciding = (TRUE, FALSE) if operator == "&&" else (FALSE, TRUE)
    seen: set[object] = set()
    compared: set[object] = set()
    chain: go.Expr | None = None
    for operand in _flat(operator, operands):
        if operand is deciding:
            return deciding
        key = shape(operand)
        if key in seen or operand is neutral:
            continue
        seen.add(key)
        subject = _compared_with_constant(operand, "==" if operator == "&&" else "!=")
        if subject is not None:
            if shape(subject) in compared:
                operand = go.Unary(operator="!", operand=negate(operand))
            compared.add(shape(subject))
        chain = operand if chain is None else go.Binary(chain, operator, operand)
    return neutral if chain is None else chain


def present(condition: go.Expr, holds: bool) -> Iterator[object]:
    """Yield the shapes of expressions that are not nil if `condition` equals `holds`."""
    operator, comparison = ("&&", "!=") if holds else ("||", "==")
    for operand in _flat(operator, (condition,)):
        if isinstance(operand, go.Binary) and operand.operator == comparison and operand.right is NIL:
            yield shape(operand.left)


def _flat(operator: str, operands: Iterable[go.Expr]) -> Iterator[go.Expr]:
    pending = [*operands][::-1]
    while pending:
        operand = pending.pop()
        if isinstance(operand, go.Binary) and operand.operator == operator:
            pending += [operand.right, operand.left]
        else:
            yield operand


def _compared_with_constant(operand: go.Expr, operator: str) -> go.Expr | None:
    """Return the expression that an operand compares with a constant; None for other operands."""
    if not isinstance(operand, go.Binary) or operand.operator != operator:
        return None
    for subject, constant in ((operand.left, operand.right), (operand.right, operand.left)):
        if _is_constant(constant):
            return subject
    return None


def _is_constant(e: go.Expr) -> bool:
    """Return whether Go may know the value at compile time."""
    match e:
        case go.Text() | go.Number() | go.Qualified():
            return True
        case go.Builtin():
            return e in (TRUE, FALSE)
        case go.Unary():
            return e.operator == "-" and _is_constant(e.operand)
        case go.Call():
            return len(e.arguments) == 1 and _is_constant(e.arguments[0])
        case _:
            return False


_ORIGINS = frozenset({"origin", "origins"})


def shape(part: object) -> object:
    """Return a key that is equal for expressions with the same code, whatever their origins."""
    if isinstance(part, tuple):
        return tuple(shape(member) for member in part)
    if isinstance(part, Struct) and not isinstance(part, go.Variable):
        fields = [field for field in part.__struct_fields__ if field not in _ORIGINS]
        return (type(part), *(shape(getattr(part, field)) for field in fields))
    return part


# -- ends of callbacks ------------------------------------------------------------------------------------------------------

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
        return [*body[:-3], returns(call.values[0])]
    if len(body) >= 3 and isinstance(body[-2], go.If):
        branching = _branching(body, body[-2], result, rest)
        return None if branching is None or _mentions(branching, result) else branching
    return None


def _is_nil(values: tuple[go.Expr, ...]) -> bool:
    return len(values) == 1 and values[0] is NIL


def _fails_with(call: go.Statement, check: go.Statement, result: go.Variable) -> bool:
    """Return whether `call` is `result, err := …` and `check` is the check of its error."""
    if not isinstance(call, go.Assign) or not isinstance(check, go.If) or check.init is not None:
        return False
    targets = [t.variable for t in call.targets if isinstance(t, go.Name)]
    condition = check.condition
    return targets == [result, ERR.variable] and isinstance(condition, go.Binary) and condition.left is ERR


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
        return [*body[:-3], go.If(condition=choice.condition, body=then), returns(start, *rest)]
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
            return (*statements[:-1], returns(last.values[0], *rest))
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
