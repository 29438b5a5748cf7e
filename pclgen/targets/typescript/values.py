"""Constants, lists, objects and templates."""

from __future__ import annotations

from decimal import Decimal

from pclgen.core.expr import Comments, Expr, ListExpr, Literal, ObjectExpr, ObjectItem, Template
from pclgen.targets.typescript import build, literals, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context
from pclgen.targets.typescript.types import takes_null
from pclgen.types.declarations import Field
from pclgen.types.model import DYNAMIC, STRING, EnumType, NominalType, ObjectType, resolve


def literal(expr: Literal, cx: Context) -> ts.TsExpr:
    """A constant; one with an enum type is that member."""
    value = expr.value
    if isinstance(expr.type, EnumType) and value is not None:
        member = expr.type.declaration.member(float(value) if isinstance(value, Decimal) else value)
        if member is not None:
            return sdk.enum_member(cx.imports, expr.type.declaration, member)
    match value:
        case None:
            return ts.Constant("null") if cx.keeps_null else ts.Name(build.UNDEFINED)
        case bool():
            return ts.Constant("true" if value else "false")
        case int() | Decimal():
            return _number(expr, value, cx)
        case str():
            lines = expr.multiline and not cx.flat and "\n" in value[:-1]
            return ts.Text(value, lines)


def _number(expr: Literal, value: int | Decimal, cx: Context) -> ts.TsExpr:
    if not literals.is_exact(value):
        return cx.refuse(
            f"the integer {value}",
            expr.span,
            "a number of JavaScript holds integers up to 2^53 - 1 only",
            "write it as a string",
        )
    number = ts.Number(literals.number(value))
    return ts.Unary("-", number) if value < 0 else number


def list_of(expr: ListExpr, cx: Context) -> ts.TsExpr:
    """`[a, b]`, with its comments."""
    from pclgen.targets.typescript.expressions import translate

    elements = tuple(translate(e, cx) for e in expr.elements)
    if cx.flat:
        return ts.Array(elements)
    noted = tuple(notes(c) for c in expr.comments)
    if all(n is ts.NO_NOTES for n in noted):
        noted = ()
    return ts.Array(elements, noted, expr.closing)


def notes(comments: Comments) -> ts.Notes:
    """Comments as notes of a tree."""
    if not comments.leading and not comments.trailing:
        return ts.NO_NOTES
    return ts.Notes(comments.leading, comments.trailing)


def object_of(expr: ObjectExpr, cx: Context) -> ts.TsExpr:
    """`{ k: v }`; one property a line where the program has it over several lines."""
    properties = tuple(_property(item, expr, cx) for item in expr.items)
    if cx.flat:
        return ts.Object(properties)
    return ts.Object(properties, _is_expanded(expr), expr.closing)


def _is_expanded(expr: ObjectExpr) -> bool:
    """As the program has it; but a single short member needs no lines of its own."""
    if len(expr.items) > 1:
        return "\n" in expr.span.text
    return any("\n" in item.value.span.text for item in expr.items)


def _property(item: ObjectItem, expr: ObjectExpr, cx: Context) -> ts.Property:
    from pclgen.targets.typescript.expressions import translate

    nominal = isinstance(resolve(expr.type), NominalType)
    inner = for_field(item.field, item.value, cx) if nominal else cx.with_null(_is_open(expr, cx))
    value = translate(item.value, inner)
    return ts.Property(key_of(item.key, cx), value, ts.NO_NOTES if cx.flat else notes(item.comments))


def for_field(field: Field | None, value: Expr, cx: Context) -> Context:
    """The context for the value of a declared member."""
    return cx.with_null(takes_null(field, inside=isinstance(value, ListExpr | ObjectExpr)))


def _is_open(expr: ObjectExpr, cx: Context) -> bool:
    """Whether nulls inside a structural object stay: nobody declares its members."""
    return cx.keeps_null or isinstance(resolve(expr.type), ObjectType) or resolve(expr.type) is DYNAMIC


def key_of(key: Expr, cx: Context) -> str | ts.TsExpr:
    """A key: constant texts by themselves, others computed."""
    from pclgen.targets.typescript.expressions import translate

    if isinstance(key, Literal) and isinstance(key.value, str):
        # As a plain key it would set the prototype of the object.
        return ts.Text(key.value) if key.value == "__proto__" else key.value
    return translate(key, cx.inline())


def template(expr: Template, cx: Context) -> ts.TsExpr:
    """`a ${x}`; over outputs with `pulumi.interpolate`."""
    from pclgen.targets.typescript.expressions import translate

    inner = cx.inline()
    parts: list[ts.TsExpr] = []
    for part in expr.parts:
        made = translate(part, inner)
        parts.append(ts.Text(made.text) if isinstance(made, ts.Constant | ts.Number) else made)
    lines = expr.multiline and not cx.flat
    if not expr.type.eventual:
        single = expr.parts[0] if len(parts) == 1 else None
        if single is not None and resolve(single.type) is STRING:
            return parts[0]
        return build.concat_text(parts, lines=lines)
    return build.concat_text(parts, lines=lines, tag=cx.imports.pulumi("interpolate"))
