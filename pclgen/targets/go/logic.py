"""Chains of `&&` and `||`, in a form that `go vet` accepts.

PCL may contain chains that `go vet` rejects: a repeated operand, and a value compared with two constants.

    on && on                      ->  on
    env == "a" && env == "b"      ->  env == "a" && !(env != "b")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go


def joined(operator: str, operands: Iterable[go.Expr]) -> go.Expr:
    """Return `a && b && …`, simplified if an operand is a constant (such as a comparison that Go would reject)."""
    neutral, deciding = (make.TRUE, make.FALSE) if operator == "&&" else (make.FALSE, make.TRUE)
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
                operand = go.Unary(operator="!", operand=make.negate(operand))
            compared.add(shape(subject))
        chain = operand if chain is None else go.Binary(chain, operator, operand)
    return neutral if chain is None else chain


def present(condition: go.Expr, holds: bool) -> Iterator[object]:
    """Yield the shapes of expressions that are not nil if `condition` equals `holds`."""
    operator, comparison = ("&&", "!=") if holds else ("||", "==")
    for operand in _flat(operator, (condition,)):
        if isinstance(operand, go.Binary) and operand.operator == comparison and operand.right is make.NIL:
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
            return e in (make.TRUE, make.FALSE)
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
