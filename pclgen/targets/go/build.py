"""Shorthands that build nodes of the Go tree.

They do not depend on types or scopes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pclgen.targets.go import tree as go
from pclgen.targets.go.names import local_name

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
