"""Literal types and narrowing in TypeScript, which refuses a comparison whose result it infers from them.

    on = true                     const on = true as boolean;
    s == "a" && s == "b"          s === "a" && (s as string) === "b"

The type of a constant is its value. A condition narrows a compared variable to the value that it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pclgen.core import expr as core
from pclgen.core.lacking import has_no_member
from pclgen.core.predicates import is_null
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, Path, path_of
from pclgen.types import model as ty


def is_constant(cx: Context, expr: core.Expr) -> bool:
    """Return whether TypeScript takes the possible values of `expr` for its type."""
    match expr:
        case core.Literal():
            return expr.value is not None
        case core.Unary():
            return is_constant(cx, expr.operand) if expr.operator == "!" else isinstance(expr.operand, core.Literal)
        case core.Binary(operator="&&" | "||"):
            return is_constant(cx, expr.left) or is_constant(cx, expr.right)
        case core.Template(parts=[part]) if ty.resolve(part.type) is ty.STRING:
            return is_constant(cx, part)
        case core.Template():
            return all(isinstance(part, core.Literal) for part in expr.parts)
        case core.Conditional():
            branches = ((expr.then, True), (expr.otherwise, False))
            values = [(branch, holds) for branch, holds in branches if not is_null(branch)]
            return bool(values) and all(
                is_constant(cx.having_tested(narrowed(cx, expr.condition, holds=holds)), branch) for branch, holds in values
            )
        case core.Convert():
            return is_constant(cx, expr.value)
        case core.Call() if expr.function.name == "lookup" and has_no_member(expr):
            return is_constant(cx, expr.args[2])
        case core.Ref() if expr.symbol in cx.file.constants:
            return True
        case _:
            path = path_of(expr)
            return path is not None and path in cx.tested


def mixes_objects(value: core.Expr) -> bool:
    """Return whether a literal mixes objects with different members in a place of one type.

    TypeScript gives each object the members of all, as `undefined`, so that none is a map.
    """
    return _shape(value) is _MIXED


_MIXED: Final = object()


def _shape(value: core.Expr) -> object:
    """The members of a literal's objects, with the shapes of their values.

    `_MIXED` for different shapes in one place, None for other values.
    """
    match value:
        case core.ObjectExpr():
            keys = [item.key.value if isinstance(item.key, core.Literal) else None for item in value.items]
            inner = [_shape(item.value) for item in value.items]
            return _MIXED if _MIXED in inner else frozenset(zip(keys, inner, strict=True))
        case core.ListExpr() | core.Conditional():
            parts = value.elements if isinstance(value, core.ListExpr) else (value.then, value.otherwise)
            shapes = {_shape(part) for part in parts} - {None}
            return None if not shapes else shapes.pop() if len(shapes) == 1 else _MIXED
        case _:
            return None


def narrowed(cx: Context, condition: core.Expr | None, *, holds: bool = True) -> list[Path]:
    """Return the paths that TypeScript narrows to a compared value when `condition` holds (or does not).

    A text that is not "a" may be any other text, while a bool that is not true is false.
    """
    paths: list[Path] = []
    pending = [(condition, holds)] if condition is not None else []
    while pending:
        expr, true = pending.pop()
        match expr:
            case core.Unary(operator="!"):
                pending.append((expr.operand, not true))
            case core.Binary(operator="&&" | "||"):
                pending += ((expr.left, true), (expr.right, true))
            case core.Binary(operator="==" | "!="):
                paths += _narrowed_by_equality(cx, expr, (expr.operator == "==") == true)
            case _:
                path = path_of(expr)
                paths += [path] if path is not None else []
    return paths


def _narrowed_by_equality(cx: Context, expr: core.Binary, equal: bool) -> Iterator[Path]:
    for value, other in ((expr.left, expr.right), (expr.right, expr.left)):
        path = path_of(value)
        if path is not None and is_constant(cx, other) and (equal or ty.without_none(ty.resolve(value.type)) is ty.BOOL):
            yield path


def wide_type(t: ty.Type) -> ts.TypeName:
    """The wide type of a constant: `string` for any text."""
    plain = ty.without_const(ty.without_none(ty.resolve(t)))
    if isinstance(plain, ty.EnumType):
        plain = plain.base
    return ts.TypeName(_kind(plain) or "unknown")


def widened(node: ts.TsExpr, value: core.Expr, other: core.Expr) -> ts.TsExpr:
    """`node`, the TypeScript of `value`, cast so that it can be compared with any value of the type of `other`."""
    wide, target = wide_type(value.type), wide_type(other.type)
    return ts.As(node, wide if wide.name == target.name else ts.TypeName("unknown"))


def are_comparable(cx: Context, left: core.Expr, right: core.Expr) -> bool:
    """Return whether TypeScript accepts a comparison of both without a cast."""
    if is_constant(cx, left) and is_constant(cx, right):
        return False
    if _misses_constant(cx, left, right) or _misses_constant(cx, right, left):
        return False
    return _may_be_member(left, right) and _may_be_member(right, left) and _overlap(left.type, right.type)


def _misses_constant(cx: Context, choice: core.Expr, constant: core.Expr) -> bool:
    """Return whether the type of `choice` may lack `constant`: alternatives of its type are constants, too."""
    match choice:
        case core.Conditional():
            alternatives: Sequence[core.Expr] = (choice.then, choice.otherwise)
        case core.Call() if choice.function.name == "try":
            alternatives = choice.args
        case _:
            return False
    alike = [value for value in alternatives if _overlap(value.type, constant.type)]
    return is_constant(cx, constant) and all(is_constant(cx, value) for value in alike)


def _may_be_member(value: core.Expr, enum: core.Expr) -> bool:
    """Return False for a constant that is not in the other operand's enum."""
    t = ty.without_none(ty.resolve(enum.type))
    if not isinstance(t, ty.EnumType) or not isinstance(value, core.Literal) or isinstance(enum, core.Literal):
        return True
    return isinstance(value.value, str | int) and t.declaration.member(value.value) is not None


def _overlap(left: ty.Type, right: ty.Type) -> bool:
    return any(first == second or None in (first, second) for first in _kinds(left) for second in _kinds(right))


def _kinds(t: ty.Type) -> list[str | None]:
    """The kinds of values of a type that TypeScript distinguishes; None for a type that may have any kind."""
    plain = ty.without_const(ty.without_none(ty.resolve(t)))
    if isinstance(plain, ty.UnionType):
        return [kind for member in plain.members for kind in _kinds(member)]
    return [_kind(plain.base if isinstance(plain, ty.EnumType) else plain)]


def _kind(plain: ty.Type) -> str | None:
    if plain in (ty.STRING, ty.ID):
        return "string"
    if plain in (ty.INT, ty.NUMBER):
        return "number"
    if isinstance(plain, ty.ListType | ty.TupleType):
        return "object"
    return "boolean" if plain is ty.BOOL else None
