"""Templates: f-strings over plain values, `pulumi.Output.format` over outputs (targets.md, Texts in templates)."""

from __future__ import annotations

from decimal import Decimal

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.promises import as_given
from pclgen.core.walk import reference_key
from pclgen.targets.python import conversions, enumtexts, modules, quote, tree
from pclgen.targets.python.context import Context
from pclgen.targets.python.printer import number
from pclgen.types import model as ty


def lower_template(cx: Context, expr: core.Template) -> tree.Expr:
    """The text with its holes."""
    if expr.type.eventual:
        return _interpolation(cx, expr)
    if len(expr.parts) == 1 and ty.bare(expr.parts[0].type) in (ty.STRING, ty.ID):
        return cx.lower(expr.parts[0])
    parts = tuple(_part(cx, part) for part in expr.parts)
    if all(isinstance(part, str) for part in parts):
        return tree.Constant(value="".join(map(str, parts)), multiline=expr.multiline)
    return tree.FormatString(parts=parts, multiline=expr.multiline)


def _part(cx: Context, part: core.Expr) -> str | tree.Hole:
    constant = _constant_text(part)
    if constant is not None:
        return constant
    return tree.Hole(value=_without_str(_printed(cx, part)))


def _without_str(value: tree.Expr) -> tree.Expr:
    """`x` for `str(x)`: a hole converts its value to text."""
    match value:
        case tree.Call(function=tree.Builtin(name="str"), args=(tree.Argument(name="", value=inner),)):
            return inner
        case _:
            return value


def _interpolation(cx: Context, expr: core.Template) -> tree.Expr:
    """Equal references share a number: `{0}…{1}…{0}`."""
    text = ""
    args: list[tree.Expr] = []
    numbers: dict[object, int] = {}
    for part in expr.parts:
        constant = _constant_text(part)
        if constant is not None:
            text += quote.braces(constant)
            continue
        key = reference_key(part)
        number = numbers.get(key) if key is not None else None
        if number is None:
            number = len(args)
            args.append(_eventual_hole(cx, part))
            if key is not None:
                numbers[key] = number
        text += f"{{{number}}}"
    return tree.call(modules.pulumi("Output.format"), tree.Constant(value=text, multiline=expr.multiline), *args)


def _eventual_hole(cx: Context, part: core.Expr) -> tree.Expr:
    if isinstance(part, core.All) and is_eventual(part.value.type):
        # `format` takes plain values and outputs alike.
        part = part.value
    return _printed(cx, as_given(part))


def _printed(cx: Context, part: core.Expr) -> tree.Expr:
    """`part` in a form that Python prints as PCL does: an enum member would print as `Logging.STDOUT`."""
    plain = ty.bare(part.type)
    if isinstance(plain, ty.EnumType):
        value: tree.Expr = tree.Attribute(value=cx.present(part), name="value")
        plain = ty.bare(plain.base)
    else:
        value = enumtexts.exact(cx, part)
    if plain is ty.BOOL:
        # JSON writes bools as PCL does.
        return tree.call(modules.pulumi("Output.json_dumps"), value) if part.type.eventual else conversions.bool_text(value)
    if plain is not ty.NUMBER and not _may_be_bool_or_number(plain):
        return value
    function = conversions.NUMBER_TEXT if plain is ty.NUMBER else conversions.TO_TEXT
    return tree.method(value, "apply", function) if part.type.eventual else tree.call(function, value)


def _may_be_bool_or_number(t: ty.Type) -> bool:
    """Return whether a `t` may at run time have a type that Python prints differently from PCL."""
    return t is ty.DYNAMIC or (
        isinstance(t, ty.UnionType) and any(ty.bare(m) in (ty.BOOL, ty.NUMBER, ty.DYNAMIC) for m in t.members)
    )


def _constant_text(part: core.Expr) -> str | None:
    if not isinstance(part, core.Literal):
        return None
    match part.value:
        case str():
            return part.value
        case bool():
            return "true" if part.value else "false"
        case int():
            return str(part.value)
        case Decimal():
            return number(part.value)
        case None:
            return None
