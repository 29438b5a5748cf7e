"""Lists and objects: list displays, dicts, and objects that a package declares (targets.md, Lists and objects).

An object of a package is a dict with the SDK's keys (its `TypedDict`) where type checkers infer its type. It is a class,
`XArgs(…)`, elsewhere: in lambdas, in unions of objects, and for SDKs without dict types.  A value uses the same form
throughout, as the SDKs do not mix them.
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.predicates import symbols_not_null
from pclgen.core.walk import walk
from pclgen.targets.origins import member_name, member_of
from pclgen.targets.python import conversions, enumtexts, modules, names, packages, tree, valuetypes
from pclgen.targets.python.context import Context
from pclgen.targets.python.valuetypes import is_untyped
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind, Field


def lower_keyword(cx: Context, field: Field | None, value: core.Expr) -> tree.Expr:
    """An input of a resource or an argument of an invoke.

    The SDKs declare all of them optional, so a value that may be None needs no cast.
    """
    if isinstance(value, core.Convert) and is_only_present(value):
        value = value.value
    return lower_input(cx, field, value)


def lower_property(cx: Context, field: Field | None, value: core.Expr) -> tree.Expr:
    """An input of a resource."""
    if isinstance(value, core.Convert) and is_eventual(value.type) and not packages.takes_optional_outputs(cx.package):
        return _as_output_of_something(cx, value, lower_input(cx, field, value))
    return _as_output_of_something(cx, value, lower_keyword(cx, field, value))


def _as_output_of_something(cx: Context, value: core.Expr, node: tree.Expr) -> tree.Expr:
    """An output that may carry None, for an optional input of a resource; cast where the SDK's types refuse it."""
    if packages.takes_optional_outputs(cx.package) or not _may_carry_none(cx, value):
        return node
    present = ty.without_none(ty.resolve(value.type))
    return modules.cast(modules.output(conversions.cast_type(present, valuetypes.annotation(present))), node)


def _may_carry_none(cx: Context, value: core.Expr) -> bool:
    """Return whether a checker sees `value` as an output of an optional type."""
    match value:
        case core.Conditional():
            return _may_carry_none(cx, value.then) or _may_carry_none(cx, value.otherwise)
        case core.Convert():
            # It may have its cast already.
            if conversions.needs_cast(value.value.type, value.type) or conversions.conversion(value.value.type, value.type):
                return False
            return _may_carry_none(cx, value.value)
        case _:
            plain = ty.resolve(value.type)
            optional = is_eventual(value.type) and plain is not ty.DYNAMIC and ty.is_optional(plain)
            return optional and not is_untyped(cx, value)


def is_only_present(expr: core.Convert) -> bool:
    """Return whether a conversion changes only an optional type to a required type."""
    return expr.unset is None and ty.without_none(ty.resolve(expr.value.type)) is ty.without_none(ty.resolve(expr.type))


def lower_input(cx: Context, field: Field | None, value: core.Expr) -> tree.Expr:
    """The value of a member of a resource or function, with all objects in it written in the same form."""
    return (cx if cx.classes or _fits_dicts(cx, field, value) else cx.with_classes()).lower(value)


def _fits_dicts(cx: Context, field: Field | None, value: core.Expr) -> bool:
    if field is not None and _is_choice(field.type):
        return False
    for part in walk(value):
        if type(part) is core.Literal:
            continue
        match part:
            case core.ObjectExpr(type=ty.NominalType(declaration=declaration)):
                owner = declaration.package
                if owner is None or not packages.has_dict_types(owner, inside=cx.package):
                    return False
                if any(item.field is not None and _is_choice(item.field.type) for item in part.items):
                    return False
                if not packages.takes_optional_outputs(owner) and any(_may_be_none(cx, item.value) for item in part.items):
                    return False
            case core.Convert(type=t) if conversions.holds_nominal(t):
                return False
            case core.Apply() if part is not value and any(is_declared(inner) for inner in walk(part.body)):
                return False
            case _:
                pass
    return True


def _may_be_none(cx: Context, value: core.Expr) -> bool:
    """Return whether a checker sees `value` as a plain value or None, which members of older dict types refuse."""
    match value:
        case core.Conditional():
            return _may_be_none(cx, value.then) or _may_be_none(cx, value.otherwise)
        case core.Convert() if not conversions.conversion(value.value.type, value.type):
            return _may_be_none(cx, value.value)
        case _:
            plain = ty.resolve(value.type)
            optional = not is_eventual(value.type) and plain is not ty.DYNAMIC and ty.is_optional(plain)
            return optional and not is_untyped(cx, value)


def is_declared(expr: core.Expr) -> bool:
    """Return whether `expr` is a literal of an object that a package declares."""
    return isinstance(expr, core.ObjectExpr) and isinstance(ty.without_none(ty.resolve(expr.type)), ty.NominalType)


def _is_choice(t: ty.Type) -> bool:
    """Return whether the type is, or holds, a union of several object types."""
    plain = ty.without_none(ty.resolve(t))
    match plain:
        case ty.ListType() | ty.MapType():
            return _is_choice(plain.element)
        case ty.UnionType():
            return sum(conversions.holds_nominal(member) for member in plain.members) > 1
        case _:
            return False


def lower_list(cx: Context, expr: core.ListExpr) -> tree.Expr:
    """`[a, b]`."""
    comments = expr.comments or (core.NO_COMMENTS,) * len(expr.elements)
    items = tuple(
        tree.Item(value=cx.lower(element), comments=comment)
        for element, comment in zip(expr.elements, comments, strict=True)
    )
    return tree.ListDisplay(items=items, closing=expr.closing)


def lower_object(cx: Context, expr: core.ObjectExpr) -> tree.Expr:
    """`{k = v}`: a dict, or the arguments class of a package's object type."""
    plain = ty.without_none(ty.resolve(expr.type))
    if isinstance(plain, ty.NominalType) and plain.declaration.kind is DeclarationKind.OBJECT:
        return _declared(cx, expr, plain)
    entries = tuple(_entry(cx, item) for item in expr.items)
    return tree.DictDisplay(entries=entries, closing=expr.closing)


def _entry(cx: Context, item: core.ObjectItem) -> tree.Entry:
    """An entry; a conditional entry is unpacked: `**({} if anonymous else {"Owner": owner})`."""
    key = enumtexts.exact(cx, item.key)
    condition = item.when
    if condition is None:
        return tree.Entry(key=key, value=cx.lower(item.value), comments=item.comments, origin=member_of(item))
    inner = cx.with_narrowed(symbols_not_null(condition, holds=True))
    value = inner.present(item.value) if _is_checked_member(inner, item.value) else inner.lower(item.value)
    entry = tree.Entry(key=key, value=value, origin=member_of(item))
    there, missing = tree.DictDisplay(entries=(entry,)), tree.DictDisplay(entries=())
    if isinstance(condition, core.Unary) and condition.operator == "!":
        condition, there, missing = condition.operand, missing, there
    chosen = tree.IfElse(condition=modules.as_condition(cx.lower(condition)), then=there, otherwise=missing)
    return tree.Entry(key=None, value=chosen, comments=item.comments)


def _is_checked_member(cx: Context, value: core.Expr) -> bool:
    """Return whether `value` is a member of an untyped dict that a condition has shown to be present."""
    is_member = isinstance(value, core.Convert) and value.narrowed and isinstance(value.value, core.Attr)
    return is_member and isinstance(value, core.Convert) and is_only_present(value) and is_untyped(cx, value.value)


def _declared(cx: Context, expr: core.ObjectExpr, t: ty.NominalType) -> tree.Expr:
    args = tuple(_argument(item, _as_output_of_something(cx, item.value, cx.lower(item.value))) for item in expr.items)
    if cx.classes:
        return tree.Call(function=packages.arguments_class(t.declaration), args=args, closing=expr.closing)
    entries = tuple(tree.Entry(key=tree.text(a.name), value=a.value, comments=a.comments, origin=a.origin) for a in args)
    return tree.DictDisplay(entries=entries, closing=expr.closing)


def _argument(item: core.ObjectItem, value: tree.Expr) -> tree.Argument:
    name = names.attribute(member_name(item))
    return tree.Argument(name=name, value=value, comments=item.comments, origin=member_of(item))


def keyword_arguments(cx: Context, expr: core.Expr | None, *, optional: bool = True) -> list[tree.Argument]:
    """The members of an arguments object as keyword arguments of a function; `optional`: all of them may be None."""
    if expr is None:
        return []
    if not isinstance(expr, core.ObjectExpr) or not all(isinstance(item.key, core.Literal) for item in expr.items):
        return [tree.Argument(name="**", value=cx.lower(expr))]
    lower = lower_keyword if optional else lower_input
    return [_argument(item, lower(cx, item.field, item.value)) for item in expr.items]
