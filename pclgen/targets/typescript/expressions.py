"""Core expressions as TypeScript expressions: the only dispatch over core nodes.

In lowered expressions, operators and calls have only plain operands (`lower`). This module translates constants, lists,
objects and templates. The modules for the other nodes call it through their context (`context.translate`), so that they need
not import it.
"""

from __future__ import annotations

from decimal import Decimal
from typing import assert_never

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import as_given, is_eventual
from pclgen.targets.origins import member_of
from pclgen.targets.typescript import applies, build, conversions, invokes, literals, loops, operators, sdk, stdlib, steps
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, translate, translate_output
from pclgen.targets.typescript.conversions import definite, may_have_exponent, text_of
from pclgen.targets.typescript.types import takes_null
from pclgen.types import model as ty
from pclgen.types.declarations import Field, Package


def translate_node(cx: Context, expr: core.Expr) -> ts.TsExpr:
    """The TypeScript of `expr`."""
    match expr:
        case core.Literal():
            return literal(cx, expr)
        case core.Ref():
            return cx.file.bindings[expr.symbol].reference()
        case core.Attr():
            return steps.attribute(cx, expr)
        case core.Index():
            return steps.element(cx, expr)
        case core.ListExpr():
            return list_of(cx, expr)
        case core.ObjectExpr():
            return object_of(cx, expr)
        case core.Template():
            return template(cx, expr)
        case core.Unary():
            return operators.unary(cx, expr)
        case core.Binary():
            return operators.binary(cx, expr)
        case core.Conditional():
            return operators.conditional(cx, expr)
        case core.For():
            return loops.loop(cx, expr)
        case core.Call():
            return stdlib.call(cx, expr)
        case core.Invoke():
            return invokes.invoke(cx, expr)
        case core.MethodCall():
            return invokes.method_call(cx, expr)
        case core.Convert():
            return conversions.conversion(cx, expr)
        case core.PropertyPath():
            return ts.Text(expr.path)
        case core.Apply():
            return applies.apply(cx, expr)
        case core.All():
            return applies.gather(cx, expr)
        case core.Invalid():
            return cx.refuse("this expression", expr.span, "it was not understood")
        case _:
            assert_never(expr)


# -- values -----------------------------------------------------------------------------------------------------------------

def literal(cx: Context, expr: core.Literal) -> ts.TsExpr:
    """A constant, or the enum member with that value."""
    value = expr.value
    if isinstance(expr.type, ty.EnumType) and value is not None:
        member = sdk.declared_member(expr.type, value)
        if member is not None and not member.python_name:
            return sdk.enum_member(cx.imports, expr.type.declaration, member)
    match value:
        case None:
            return ts.Constant("null") if cx.keeps_null else build.undefined()
        case bool():
            return ts.Constant("true" if value else "false")
        case int() | Decimal():
            return _number(value)
        case str():
            lines = expr.multiline and not cx.flat and "\n" in value[:-1]
            return ts.Text(value, lines)


def _number(value: int | Decimal) -> ts.TsExpr:
    number = ts.Number(literals.number(value))
    return ts.Unary("-", number) if value < 0 else number


def list_of(cx: Context, expr: core.ListExpr) -> ts.TsExpr:
    """`[a, b]`, with its comments."""
    inner = cx.with_null(cx.keeps_null or _holds_null(ty.resolve(expr.type)))
    elements = tuple(translate(inner, e) for e in expr.elements)
    if cx.flat:
        return ts.Array(elements)
    has_comments = any(comments != core.NO_COMMENTS for comments in expr.comments)
    return ts.Array(elements, expr.comments if has_comments else (), expr.closing)


def object_of(cx: Context, expr: core.ObjectExpr) -> ts.TsExpr:
    """`{ k: v }`; one property per line if the program writes it over several lines."""
    properties = tuple(_member(cx, item, expr) for item in expr.items)
    if cx.flat:
        return ts.Object(properties)
    return ts.Object(properties, _is_expanded(expr), expr.closing)


def _is_expanded(expr: core.ObjectExpr) -> bool:
    """Return whether the program writes an object over several lines; a single short member does not need them."""
    if len(expr.items) > 1:
        return "\n" in expr.span.text
    return any("\n" in item.value.span.text for item in expr.items)


def _member(cx: Context, item: core.ObjectItem, expr: core.ObjectExpr) -> ts.Property | ts.Spread:
    """A property; a conditional property is spread: `...(anonymous ? {} : { Owner: owner })`."""
    if item.when is None:
        return _property(cx, item, expr)
    inner = cx.inline()
    there: ts.TsExpr = ts.Object((_property(inner, replace(item, comments=core.NO_COMMENTS), expr),))
    missing: ts.TsExpr = ts.Object(())
    condition = item.when
    if isinstance(condition, core.Unary) and condition.operator == "!":
        condition, there, missing = condition.operand, missing, there
    chosen = ts.Conditional(translate(inner, condition), there, missing)
    return ts.Spread(chosen, core.NO_COMMENTS if cx.flat else item.comments)


def _property(cx: Context, item: core.ObjectItem, expr: core.ObjectExpr) -> ts.Property:
    plain = ty.resolve(expr.type)
    if isinstance(plain, ty.NominalType):
        value = member_value(cx, item.field, item.value, plain.declaration.package)
    else:
        value = translate(cx.with_null(_is_open(cx, expr)), item.value)
    return ts.Property(key_of(cx, item.key), value, core.NO_COMMENTS if cx.flat else item.comments, member_of(item))


def member_value(cx: Context, field: Field | None, value: core.Expr, package: Package | None) -> ts.TsExpr:
    """The value of a member that `package` (None: the program itself) declares."""
    made_context = cx.with_null(takes_null(field, inside=isinstance(value, core.ListExpr | core.ObjectExpr)))
    if field is None or not _loses_option(cx, field, value, package):
        return translate(made_context, value)
    return definite(translate_output(made_context, value), value)


def _loses_option(cx: Context, field: Field, value: core.Expr, package: Package | None) -> bool:
    """Return whether an output that may be empty is the value of an `Input<T>`, rather than an `Input<T | undefined>`.

    SDKs of the Terraform bridge have the second form; other SDKs may be older, and generated components have the first.
    """
    if not isinstance(value.type, ty.OutputType) or not ty.is_optional(field.type) or cx.is_promised(value):
        return False
    if _has_no_type(value):
        return False
    bridged = package is not None and package.language.get("nodejs", {}).get("compatibility") == "tfbridge20"
    return not bridged and ty.without_none(ty.resolve(field.type)) is not ty.DYNAMIC


def _has_no_type(value: core.Expr) -> bool:
    """Return whether a value is untyped to TypeScript: it is computed from an untyped value."""
    while isinstance(value, core.Apply | core.Convert):
        inner = value.body if isinstance(value, core.Apply) else value.value
        if ty.resolve(inner.type) is ty.DYNAMIC:
            return True
        value = inner
    return False


def _is_open(cx: Context, expr: core.ObjectExpr) -> bool:
    """Return whether nulls inside a structural object stay: its members have no declaration."""
    return cx.keeps_null or _holds_null(ty.resolve(expr.type))


def _holds_null(kind: ty.Type) -> bool:
    """Return whether a null in a value of this type is an ordinary value: no declaration makes it mean "not set"."""
    match kind:
        case ty.ListType() | ty.MapType():
            return kind.element is ty.DYNAMIC
        case _:
            return kind is ty.DYNAMIC or isinstance(kind, ty.TupleType | ty.ObjectType)


def key_of(cx: Context, key: core.Expr) -> str | ts.TsExpr:
    """A key: a constant text as a name, any other key as a computed expression."""
    if isinstance(key, core.Literal) and isinstance(key.value, str):
        if key.value == "__proto__":
            return cx.refuse("the key `__proto__`", key.span, "Pulumi's SDK for Node loses the member")
        return key.value
    return translate(cx.inline(), key)


def template(cx: Context, expr: core.Template) -> ts.TsExpr:
    """`a ${x}`; over outputs with `pulumi.interpolate`."""
    inner = cx.inline()
    parts: list[ts.TsExpr] = []
    for part in expr.parts:
        node = translate(inner, as_given(part))
        node = node.value if isinstance(node, ts.NonNull) else node
        if not is_eventual(part.type) and not isinstance(part, core.Literal) and may_have_exponent(part.type):
            node = text_of(node, part.type)
        elif is_eventual(part.type) and ty.resolve(part.type) is ty.NUMBER:
            node = build.method(translate_output(inner, as_given(part)), "apply", ts.Helper("textOf"))
        parts.append(ts.Text(node.text) if isinstance(node, ts.Constant | ts.Number) else node)
    lines = expr.multiline and not cx.flat
    if not expr.type.eventual:
        single = expr.parts[0] if len(parts) == 1 else None
        if single is not None and ty.resolve(single.type) is ty.STRING:
            return parts[0]
        return build.concat_text(parts, lines=lines)
    return build.concat_text(parts, lines=lines, tag=cx.imports.pulumi("interpolate"))
