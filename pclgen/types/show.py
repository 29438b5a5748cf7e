"""Types as text for people: short, stable, with no internals.

A type is one line. Large objects are cut; declared objects show only their name.
"""

from __future__ import annotations

from decimal import Decimal
from typing import assert_never

from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, DeclarationKind

_DEFINITE = (DeclarationKind.FUNCTION_INPUTS, DeclarationKind.FUNCTION_RESULT)
_MEMBERS_SHOWN = 5
_DEPTH_SHOWN = 4


def show(t: ty.Type, depth: int = 0) -> str:
    """Return `t` as it is written in messages: `list(string)`, `output(string?)`, `{name: string, size: int}`."""
    if depth > _DEPTH_SHOWN:
        return "…"
    match t:
        case ty.PrimitiveType():
            return "string" if t.kind is ty.Primitive.ID else str(t.kind)
        case ty.ConstType():
            return show_value(t.value)
        case ty.EnumType():
            return t.declaration.token.rsplit(":", 1)[-1]
        case ty.ListType():
            return f"list({show(t.element, depth + 1)})"
        case ty.MapType():
            return f"map({show(t.element, depth + 1)})"
        case ty.TupleType():
            return _cut("[", [show(e, depth + 1) for e in t.elements[: _MEMBERS_SHOWN + 1]], "]")
        case ty.ObjectType():
            members = list(t.members.items())[: _MEMBERS_SHOWN + 1]
            return _cut("{", [f"{name}: {show(m, depth + 1)}" for name, m in members], "}")
        case ty.NominalType():
            return show_declaration(t.declaration)
        case ty.UnionType():
            return _show_union(t, depth)
        case ty.OutputType():
            return f"output({show(t.element, depth + 1)})"
        case ty.PromiseType():
            return f"promise({show(t.element, depth + 1)})"
        case ty.InputType():
            return show(t.element, depth)
        case _:
            assert_never(t)


def _cut(opening: str, parts: list[str], closing: str) -> str:
    if len(parts) > _MEMBERS_SHOWN:
        parts = [*parts[:_MEMBERS_SHOWN], "…"]
    return opening + ", ".join(parts) + closing


def _show_union(t: ty.UnionType, depth: int) -> str:
    parts = [m for m in t.members if m is not ty.NONE]
    texts = dict.fromkeys(show(m, depth + 1) for m in parts)
    body = " | ".join(texts)
    if ty.NONE not in t.members:
        return body
    return f"{body}?" if len(texts) == 1 else f"({body})?"


def show_owner(declaration: Declaration) -> tuple[str, str]:
    """Return the name of a declared object in a message about a member, and the word for its members."""
    if declaration.kind is DeclarationKind.FUNCTION_INPUTS:
        return declaration.token.rsplit(":", 1)[-1], "argument"
    return show_declaration(declaration), "property"


def show_declaration(declaration: Declaration) -> str:
    """Return the short name of a declared object, with its role where the name alone would mislead."""
    name = declaration.token.rsplit(":", 1)[-1]
    match declaration.kind:
        case DeclarationKind.RESOURCE:
            return f"resource {name}"
        case DeclarationKind.COMPONENT:
            return f"component {name}"
        case DeclarationKind.FUNCTION_RESULT:
            return f"result of {name}"
        case DeclarationKind.FUNCTION_INPUTS:
            return f"arguments of {name}"
        case _:
            return name


def show_value(value: object) -> str:
    """Return a constant as PCL writes it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{text}"'
    if isinstance(value, Decimal):
        return format(value.normalize(), "f") if abs(value.adjusted()) < 18 else str(value)
    return str(value)


def with_article(t: ty.Type) -> str:
    """Return the type as a noun phrase: `a string`, `an int`, `a list of 2`, `an object {name: string}`.

    Options and eventual layers are omitted: a mismatch is not about them.
    """
    t = ty.without_none(ty.resolve(t))
    phrase = t.memo.get("phrase")
    if phrase is None:
        phrase = t.memo["phrase"] = _phrase(t)
    return str(phrase)


def _phrase(t: ty.Type) -> str:
    if t is ty.NONE:
        return "null"
    if t is ty.DYNAMIC:
        return "a value of any type"
    if isinstance(t, ty.TupleType):
        return "an empty list" if not t.elements else f"a list {show(t)}"
    if isinstance(t, ty.ObjectType):
        return "an empty object" if not t.members else f"an object {show(t)}"
    text = show(t)
    if isinstance(t, ty.NominalType) and t.declaration.kind in _DEFINITE:
        return f"the {text}"
    return f"an {text}" if text[:1] in "aeioAEIO" else f"a {text}"
