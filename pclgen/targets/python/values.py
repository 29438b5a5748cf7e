"""Lowers typed expressions to the Python tree: the only dispatch over `core.expr`.

    "${db.name}-a"  over an output  ->  pulumi.Output.format("{0}-a", db.name)
    Apply([tags], [t], length(t))   ->  tags.apply(lambda t: len(t))

Templates become f-strings over plain values, `pulumi.Output.format` over outputs (targets.md, Texts in templates).
"""

from __future__ import annotations

from decimal import Decimal
from typing import assert_never

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import as_given, is_eventual, is_lacking
from pclgen.core.origins import is_checked
from pclgen.core.predicates import is_natural, is_null
from pclgen.core.walk import reference_key
from pclgen.targets.python import (
    applies,
    conversions,
    enumtexts,
    invokes,
    modules,
    names,
    objects,
    operators,
    packages,
    quote,
    stdlib,
    tree,
    valuetypes,
)
from pclgen.targets.python.capabilities import has_attributes, may_be_absent
from pclgen.targets.python.context import Context
from pclgen.targets.python.printer import number
from pclgen.targets.python.valuetypes import chooses_mixed_literals, definite, empty, is_untyped, lifted_member, outputs_of
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind
from pclgen.types.traverse import iteration


def lower(cx: Context, expr: core.Expr) -> tree.Expr:
    """`expr` as a Python expression."""
    match expr:
        case core.Literal():
            return lower_literal(expr)
        case core.Ref() if expr.symbol in cx.singles:
            return invokes.whole_result(cx, expr)
        case core.Ref():
            return cx.symbols[expr.symbol]
        case core.Attr():
            return lower_attr(cx, expr)
        case core.Index():
            return _element(cx, expr)
        case core.ListExpr():
            return objects.lower_list(cx, expr)
        case core.ObjectExpr():
            return objects.lower_object(cx, expr)
        case core.Template():
            return lower_template(cx, expr)
        case core.Unary():
            return operators.lower_unary(cx, expr)
        case core.Binary():
            return operators.lower_binary(cx, expr)
        case core.Conditional():
            return operators.lower_conditional(cx, expr)
        case core.For():
            return operators.lower_for(cx, expr)
        case core.Call():
            return stdlib.lower_call(cx, expr)
        case core.Invoke() | core.MethodCall():
            return invokes.whole_result(cx, expr)
        case core.Convert():
            return lower_convert(cx, expr)
        case core.PropertyPath():
            return tree.text(expr.path)
        case core.Invalid():
            raise AssertionError("expressions with errors are not lowered")
        case core.Apply():
            return applies.lower_apply(cx, expr)
        case core.All():
            return applies.lower_all(cx, expr)
    assert_never(expr)


def lower_literal(expr: core.Literal) -> tree.Expr:
    """A constant, or the enum member with that value."""
    target = ty.without_none(ty.resolve(expr.type))
    if isinstance(target, ty.EnumType):
        member = packages.enum_member(target.declaration, expr.value)
        if member is not None:
            return member
    return tree.Constant(value=expr.value, multiline=expr.multiline)


def lower_attr(cx: Context, expr: core.Attr, *, followed: bool = False) -> tree.Expr:
    """An attribute of an SDK object, or a key of a dict; `followed`: another step follows, and an absent key must fail."""
    if isinstance(expr.source, core.Ref) and expr.source.symbol.kind is core.SymbolKind.HOOK_ARGS:
        return _hook_argument(cx, expr)
    if lifted_member(cx, expr.source) == expr.name:
        return invokes.lower_result(cx, expr.source)
    if isinstance(expr.source, core.Index) and ty.resolve(expr.source.type) is ty.DYNAMIC:
        source = _element(cx, expr.source, followed=True)
    else:
        source = cx.present(expr.source)
    plain = ty.without_none(ty.resolve(expr.source.type))
    if isinstance(plain, ty.NominalType) and plain.declaration.kind is DeclarationKind.COMPONENT:
        return tree.Attribute(value=source, name=outputs_of(plain.declaration)[expr.name])
    if objects.is_plain_dict(cx, expr.source):
        return _unwrapped_member(expr, source, followed=followed)
    if has_attributes(plain) or _is_unknown_object(cx, expr.source):
        return tree.Attribute(value=source, name=names.attribute(expr.name))
    is_absent = may_be_absent(plain, expr.name) and not is_lacking(expr)
    if not followed and is_absent and not is_eventual(expr.source.type):
        return tree.method(source, "get", tree.text(expr.name))
    return tree.index(source, tree.text(expr.name))


def _element(cx: Context, expr: core.Index, *, followed: bool = False) -> tree.Expr:
    """`source[key]`, with a helper for an index that may be negative: Python counts it from the end of the list.

    In `try` and `can`, an index into a text must fail, so a helper rejects it. With `followed`, a member of the character is
    read next, which fails by itself.
    """
    source, key = cx.present(expr.source), cx.lower(expr.key)
    if cx.tried and not followed and _may_be_character(expr):
        return tree.call(tree.Helper(key="entry_of"), source, key)
    is_list = isinstance(ty.without_none(ty.resolve(expr.source.type)), ty.ListType | ty.TupleType)
    if not is_list or is_eventual(expr.source.type) or is_natural(expr.key, cx.naturals):
        return tree.index(source, key)
    return tree.call(tree.Helper(key="item_at"), source, key)


def _may_be_character(expr: core.Index) -> bool:
    """Return whether the key may select a character of a text in Python."""
    source = ty.without_none(ty.resolve(expr.source.type))
    sources = source.members if isinstance(source, ty.UnionType) else (source,)
    is_text = not is_eventual(expr.source.type) and any(member in (ty.DYNAMIC, ty.STRING) for member in sources)
    key = ty.resolve(expr.key.type)
    keys = key.members if isinstance(key, ty.UnionType) else (key,)
    return is_text and any(member in (ty.INT, ty.NUMBER, ty.DYNAMIC) for member in keys)


def _path(cx: Context, expr: core.Expr) -> tree.Expr:
    """The operand of a check for None.

    If an object of a package on the path is None, the result is None, so that the check can name the missing value.
    """
    if not isinstance(expr, core.Attr) or expr.field is None or is_eventual(expr.source.type):
        return cx.lower(expr)
    if not ty.is_optional(ty.resolve(expr.source.type)):
        return cx.lower(expr)
    if objects.is_plain_dict(cx, expr.source):
        source = tree.Binary(operator="or", left=_path(cx, expr.source), right=tree.DictDisplay(entries=()))
        return _unwrapped_member(expr, source, followed=False)
    name = tree.text(names.attribute(expr.name))
    return tree.call(tree.Builtin(name="getattr"), _path(cx, expr.source), name, tree.NONE)


def _unwrapped_member(expr: core.Attr, source: tree.Expr, *, followed: bool) -> tree.Expr:
    """A member of an object that has become a dict, which may lack optional members."""
    key = tree.text(names.attribute(expr.name))
    if followed or expr.field is None or not ty.is_optional(expr.field.type):
        return tree.index(source, key)
    if not is_eventual(expr.source.type):
        return tree.method(source, "get", key)
    item = tree.Variable(preferred_names=("value",))
    return tree.method(source, "apply", tree.Lambda(parameters=(item,), body=tree.method(tree.name(item), "get", key)))


def _is_unknown_object(cx: Context, expr: core.Expr) -> bool:
    """Return whether `expr` is a resource or the result of a function without a schema."""
    match expr:
        case core.Ref():
            return expr.symbol in cx.objects
        case core.Index() | core.Convert():
            return _is_unknown_object(cx, expr.source if isinstance(expr, core.Index) else expr.value)
        case core.Invoke():
            return expr.function is None
        case _:
            return False


def _hook_argument(cx: Context, expr: core.Attr) -> tree.Expr:
    """A member of a hook's arguments; the operation decides which of the four maps are present."""
    value = tree.Attribute(value=cx.lower(expr.source), name=names.attribute(expr.name))
    if not isinstance(expr.type, ty.MapType):
        return value
    return tree.Binary(operator="or", left=value, right=tree.DictDisplay(entries=()))


def present(cx: Context, expr: core.Expr) -> tree.Expr:
    """`expr` as the operand of a step, in a form that checkers accept even if `expr` may be None.

    A step into None fails at run time, as in PCL.
    """
    hidden = isinstance(expr, core.Convert) and expr.hidden
    if isinstance(expr, core.Convert) and expr.narrowed:
        expr = expr.value
    value = lower_attr(cx, expr, followed=True) if isinstance(expr, core.Attr) else cx.receiver(expr)
    if hidden and isinstance(expr, core.Ref) and is_untyped(cx, expr):
        return modules.cast(modules.any_type(), value)  # a checker infers an optional type from a comparison with None
    if is_eventual(expr.type) or modules.is_any(value):
        return definite(expr, value)
    untyped = is_untyped(cx, expr)
    if chooses_mixed_literals(expr) or (_is_mixed(expr.type) and (isinstance(expr, core.Conditional) or not untyped)):
        return modules.cast(modules.any_type(), value)
    if untyped or not ty.is_optional(expr.type):
        return definite(expr, value)
    if isinstance(expr, core.Ref) and expr.symbol in cx.narrowed:
        return value
    plain = ty.without_none(ty.resolve(expr.type))
    if has_attributes(plain) or isinstance(plain, ty.EnumType):
        return modules.cast(modules.any_type(), value)
    if cx.tried and isinstance(plain, ty.ObjectType):
        return modules.cast(modules.any_type(), value)  # a step to an optional member of None fails
    return tree.Binary(operator="or", left=value, right=empty(plain))


def _is_mixed(t: ty.Type) -> bool:
    """Return whether a value may be a dict or something else, so that a checker refuses its steps."""
    plain = ty.without_none(ty.resolve(t))
    if not isinstance(plain, ty.UnionType):
        return False
    return len({isinstance(ty.resolve(member), ty.ObjectType | ty.MapType) for member in plain.members}) == 2


def lower_convert(cx: Context, expr: core.Convert) -> tree.Expr:
    """A conversion, inside an `apply` if it changes an output at run time."""
    if is_checked(expr.value):
        return cx.lower(expr.value)
    by_branch = _by_branch(expr) if expr.unset is None else None
    if by_branch is not None:
        return cx.lower(by_branch)
    value = cx.lower(expr.value) if expr.unset is None else _path(cx, expr.value)
    change = conversions.conversion(expr.value.type, expr.type, expr.unset)
    if change is not None and ty.resolve(expr.type) is ty.DYNAMIC:
        change = objects.to_wire(cx, expr.value)
    if conversions.conversion(expr.value.type, expr.type) is not None and enumtexts.may_be_hidden(cx, expr.value):
        change = enumtexts.before(change)
    if change is not None:
        if ty.without_none(ty.resolve(expr.type)) in (ty.INT, ty.NUMBER) and _is_union(expr.value):
            value = modules.cast(modules.any_type(), value)
        elif expr.unset is None:
            value = _definite(cx, expr, value)
        if is_eventual(expr.value.type):
            item = tree.Variable(preferred_names=("value",))
            return tree.method(value, "apply", tree.Lambda(parameters=(item,), body=change(tree.name(item))))
        return change(value)
    if is_untyped(cx, expr.value) or not conversions.needs_cast(expr.value.type, expr.type):
        return value
    only_null_differs = not conversions.needs_cast(ty.without_none(ty.resolve(expr.value.type)), expr.type)
    if only_null_differs and operators.is_present(expr.value, cx.narrowed):
        return value
    annotation = conversions.cast_type(expr.type, valuetypes.annotation(expr.type))
    if is_eventual(expr.value.type):
        return modules.cast(modules.output(annotation), value)
    if only_null_differs and isinstance(ty.without_none(ty.resolve(expr.type)), ty.ListType | ty.MapType):
        return tree.Binary(operator="or", left=value, right=empty(ty.resolve(expr.type)))
    return modules.cast(annotation, value)


def _by_branch(expr: core.Convert) -> core.Conditional | None:
    """`None if c else [str(x) for x in xs]`: the conversion of a choice between a value and null converts the value."""
    choice = expr.value
    if not isinstance(choice, core.Conditional) or is_eventual(choice.type):
        return None
    if is_null(choice.then) == is_null(choice.otherwise):
        return None
    branches = (choice.then, choice.otherwise)
    then, otherwise = (branch if is_null(branch) else replace(expr, value=branch) for branch in branches)
    return replace(choice, then=then, otherwise=otherwise, type=expr.type)


def _is_union(expr: core.Expr) -> bool:
    """Return whether a checker infers a union for an untyped `expr`: it looks up a member of a typed map with an untyped
    default, or a branch is null."""
    if ty.resolve(expr.type) is not ty.DYNAMIC:
        return False
    if isinstance(expr, core.Conditional):
        return any(ty.is_optional(ty.resolve(branch.type)) or _is_union(branch) for branch in (expr.then, expr.otherwise))
    if not isinstance(expr, core.Call) or expr.function.name != "lookup":
        return False
    members = iteration(expr.args[0].type)
    return members is not None and ty.resolve(members.element) is not ty.DYNAMIC


def _definite(cx: Context, expr: core.Convert, value: tree.Expr) -> tree.Expr:
    """`value`, cast if it is converted to a number but may be None, which checkers refuse; text takes any value."""
    source, target = expr.value.type, ty.without_none(ty.resolve(expr.type))
    if not ty.is_optional(source) or ty.is_optional(expr.type) or is_eventual(source) or is_untyped(cx, expr.value):
        return value
    if operators.is_present(expr.value, cx.narrowed):
        return value
    if target in (ty.INT, ty.NUMBER):
        return modules.cast(valuetypes.annotation(ty.without_none(ty.resolve(source))), value)
    return value


# -- templates --------------------------------------------------------------------------------------------------------------

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
