"""Coercion of a typed expression to an expected type: mismatches, folded literals and explicit conversions.

length = "24"        "24" where an int is expected      -> Literal(24)
create = pw.length   output(int) where text is expected -> Convert(pw.length, output(string))
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from msgspec.structs import replace

from pclgen.bind.awaited import why_not_awaited
from pclgen.bind.context import Context, Want
from pclgen.bind.presence import described, is_own, may_be_null, path_key, root_of
from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual, is_given
from pclgen.core.origins import with_origin
from pclgen.core.predicates import is_null, unconverted
from pclgen.core.walk import postorder
from pclgen.diagnostics import expressions
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity, note
from pclgen.source.load import is_yaml
from pclgen.source.numbers import decimal_text, read_bool, read_integer, read_number
from pclgen.source.text import Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.types import model as ty
from pclgen.types.convert import Conversion, Mismatch, conversion, explain, is_resource, members_of, unify
from pclgen.types.show import show, show_value, with_article
from pclgen.types.traverse import Step, attribute

_SAFE_INTEGER = 2**53  # values travel as IEEE doubles
_ARITHMETIC: Final[Mapping[str, Callable[[float, float], float]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": math.fmod,
}  # fmt: skip  # short entries
_SCALARS = frozenset((ty.BOOL, ty.INT, ty.NUMBER, ty.STRING, ty.ID))


def invalid(span: Span) -> core.Invalid:
    """The replacement of an expression that was reported."""
    return core.Invalid(type=ty.ERROR, span=span)


def fit(cx: Context, value: core.Expr, want: Want) -> core.Expr:
    """Convert `value` to the expected type; report a mismatch if there is no conversion."""
    if want.type is ty.ERROR or value.type is ty.ERROR or want.type is ty.DYNAMIC:
        return value
    if isinstance(value, core.Literal) and not isinstance(value.type, ty.EnumType):
        return fit_literal(cx, value, want)
    if ty.without_none(ty.resolve(want.type)) is ty.INT and value.type is ty.NUMBER:
        number = constant_number(value)
        if number is not None:
            return fit_literal(cx, core.Literal(value=number, type=ty.NUMBER, span=value.span), want)
    if want.omits and ty.resolve(value.type) is ty.NONE:
        return value
    if conversion(want.type, value.type) is Conversion.NONE:
        resource_id = _id_of(cx, value, want)
        return _report_mismatch(cx, value, want) if resource_id is None else fit(cx, resource_id, want)
    attempts = _fit_attempts(cx, value, want)
    if attempts is not None:
        return attempts
    if want.omits and _is_omitted(cx, value):
        want = want.inner(ty.input_of(ty.optional_of(ty.resolve(want.type))))
    target = converted_type(ty.resolve(want.type), ty.resolve(value.type))
    if target is None:
        return value
    value = _fit_parts(cx, value, target)
    if converted_type(target, ty.resolve(value.type)) is None:
        return value
    is_present = ty.is_optional(ty.resolve(value.type)) and not may_be_null(value, cx.nulls.present)
    if is_present:
        target = ty.without_none(target)
    unset = None if is_present else _unset(cx, value, target, want)
    may_stay_null = ty.resolve(value.type) is ty.DYNAMIC and ty.is_optional(ty.resolve(want.type))
    if may_stay_null:
        target = ty.optional_of(target)  # only its components must not be null
    type_ = _eventual_like(target, value.type)
    hidden = is_present and path_key(value) in cx.nulls.hidden
    return core.Convert(value=value, type=type_, span=value.span, unset=unset, narrowed=is_present, hidden=hidden)


def _is_omitted(cx: Context, value: core.Expr) -> bool:
    """Return whether `value`, a member of a map of inputs, is omitted if it is null.

    An output that only its schema lets be null is passed to the SDK as it is, which omits null by itself.
    """
    if not ty.is_optional(ty.resolve(value.type)) or not may_be_null(value, cx.nulls.present):
        return False
    return is_own(value, cx.definitions) or not _is_output(value)


def _is_output(value: core.Expr) -> bool:
    """Return whether `value` is an output of a package, or a choice between such outputs."""
    value = unconverted(value)
    if isinstance(value, core.Conditional):
        return all(_is_output(part) for part in (value.then, value.otherwise) if ty.is_optional(ty.resolve(part.type)))
    return is_given(value)


def _id_of(cx: Context, value: core.Expr, want: Want) -> core.Expr | None:
    """The id of a resource where a string is expected, as in Pulumi YAML, after a warning; None for other values."""
    if not (cx.lenient or is_yaml(value.span.file.name)) or not is_resource(ty.resolve(value.type)):
        return None
    step = attribute(value.type, "id")
    if not isinstance(step, Step) or conversion(want.type, step.type) is Conversion.NONE:
        return None
    from pclgen.diagnostics.pulumiyaml import resource_for_text

    cx.report(resource_for_text(value.span.text, value.span))
    return core.Attr(source=value, name="id", field=step.field, type=step.type, span=value.span)


def narrowed(cx: Context, value: core.Expr) -> core.Expr:
    """Remove null from the type of `value` if the conditions around this place exclude null."""
    if not cx.nulls.present or not ty.is_optional(ty.resolve(value.type)) or may_be_null(value, cx.nulls.present):
        return value
    return value if is_resource(ty.without_none(value.type)) else not_null(cx, value)


def not_null(cx: Context, value: core.Expr) -> core.Expr:
    """`value` with its non-null type; the conditions around this place show that it is not null."""
    hidden = path_key(value) in cx.nulls.hidden
    return core.Convert(value=value, type=ty.without_none(value.type), span=value.span, narrowed=True, hidden=hidden)


def null_if_known(cx: Context, value: core.Expr) -> core.Expr:
    """Return null in place of `value` if the conditions around this place make it null.

    A path into a resource that was not created is null everywhere, so it stays as it is, and so does a value that is never
    null. Null keeps the declared type: in `c != null ? 5 : c` this type decides the conversion of 5.
    """
    if not cx.nulls.absent or path_key(value) not in cx.nulls.absent or is_resource(ty.without_none(root_of(value).type)):
        return value
    declared = ty.resolve(value.type)
    if declared is not ty.DYNAMIC and not ty.is_optional(declared):
        return value
    return core.Literal(value=None, type=ty.NONE if declared is ty.DYNAMIC else declared, span=value.span)


def untyped_null(value: core.Expr) -> core.Expr:
    """Return `value`; null of a declared type becomes untyped null, which has no members, elements or text."""
    return replace(value, type=ty.NONE) if is_null(value) else value


def _unset(cx: Context, value: core.Expr, target: ty.Type, want: Want) -> str | None:
    """The run-time message for a `value` with null where `target` has no null; None if no check is needed.

    Warns if the program itself is the cause.
    """
    have = ty.resolve(value.type)
    may_be_null = ty.loses_null(ty.resolve(want.type) if have is ty.DYNAMIC else target, have)
    parts = _takes_null_away(target, have)
    if not (may_be_null or parts):
        return None
    own = is_own(value, cx.definitions)
    if is_eventual(value.type) and not own and (have is ty.DYNAMIC or not (want.used or may_be_null)):
        return None
    name = described(value) if may_be_null else f"a part of {described(value)}"
    if have is ty.DYNAMIC:  # nothing suggests null here: no reason to warn
        return f"{cx.place(value.span)}: {f'{name}, or a part of it,' if may_be_null and parts else name} is not set"
    if own and not cx.attempted:
        shown = f"`{name}`" if may_be_null and path_key(value) is not None else name
        path = (described(value), want.whole or described(value))
        cx.report(expressions.may_be_null(shown, with_article(target), value.span, want.because, path=path))
    return f"{cx.place(value.span)}: {name} is not set"


def _takes_null_away(target: ty.Type, have: ty.Type) -> bool:
    """Return whether a part of a `have` may be null where `target` does not allow null."""
    target, have = ty.without_none(target), ty.without_none(have)
    if target is have:
        return False
    if have is ty.DYNAMIC:
        return isinstance(target, ty.ListType | ty.MapType) and _loses_null(ty.resolve(target.element), ty.DYNAMIC)
    if isinstance(target, ty.ListType | ty.MapType) and isinstance(have, ty.ListType | ty.MapType):
        return _loses_null(target.element, have.element)
    if isinstance(target, ty.ListType) and isinstance(have, ty.TupleType):
        return any(_loses_null(target.element, element) for element in have.elements)
    if isinstance(target, ty.TupleType) and isinstance(have, ty.TupleType):
        return any(_loses_null(t, h) for t, h in zip(target.elements, have.elements, strict=False))
    if isinstance(have, ty.ObjectType):
        expected_members = {} if isinstance(target, ty.MapType) else members_of(target) or {}
        element = target.element if isinstance(target, ty.MapType) else None
        pairs = ((element or expected_members.get(name), member) for name, member in have.members.items())
        return any(expected is not None and _loses_null(ty.resolve(expected), member) for expected, member in pairs)
    return False


def _loses_null(target: ty.Type, have: ty.Type) -> bool:
    if ty.loses_null(target, have):
        return True
    return _takes_null_away(target, have)


def _fit_attempts(cx: Context, value: core.Expr, want: Want) -> core.Expr | None:
    """Fit each alternative of `try(a, b)` where null is not allowed, so that the program skips a null alternative."""
    if not isinstance(value, core.Call) or value.function.name != "try" or ty.is_optional(ty.resolve(want.type)):
        return None
    if not ty.is_optional(ty.resolve(value.type)):
        return None
    if len(value.args) > 1 and not value.expand and _may_be_unset(value.args[0]):
        return _unless_null(cx, value, want)
    *first, last = value.args
    fitted = (_fit_attempt(cx, arg, replace(want, omits=False)) for arg in first)
    args = [*(arg for arg in fitted if arg is not None), fit(cx, last, want)]
    if len(args) == 1 and not value.expand:
        return args[0]
    if any(arg.type is ty.ERROR for arg in args):
        return invalid(value.span)
    common = unify(ty.resolve(arg.type) for arg in args)
    return replace(value, args=tuple(args), type=ty.output_of(common) if value.type.eventual else common)


def _fit_attempt(cx: Context, value: core.Expr, want: Want) -> core.Expr | None:
    """An argument of `try` where null is not allowed; None if it never fits, so that the program skips it."""
    trial = replace(cx.attempting(), bag=DiagnosticBag())
    fitted = fit(trial, value, want)
    if trial.bag.has_errors:
        return None
    cx.bag.extend(trial.bag)
    return fitted


def _may_be_unset(value: core.Expr) -> bool:
    """Return whether `value` is a plain variable that may be null, so that the program can test it."""
    asked = isinstance(value, core.Ref) and not value.type.eventual
    return asked and ty.is_optional(value.type) and not is_resource(ty.without_none(value.type))


def _unless_null(cx: Context, value: core.Call, want: Want) -> core.Conditional:
    """Rewrite `try(x, …)` of a variable as `x != null ? x : try(…)`, which does not hide a failing conversion."""
    variable, *rest = value.args
    null = core.Literal(value=None, type=ty.NONE, span=variable.span)
    test = core.Binary(operator="!=", left=variable, right=null, type=ty.BOOL, span=variable.span)
    other = rest[0] if len(rest) == 1 else replace(value, args=tuple(rest), type=unify(arg.type for arg in rest))
    then, otherwise = fit(cx.where(test, True), variable, want), fit(cx.where(test, False), other, want)
    common = unify((then.type, otherwise.type))
    return core.Conditional(condition=test, then=then, otherwise=otherwise, type=common, span=value.span)


def _fit_branches(cx: Context, value: core.Conditional, want: Want) -> core.Conditional:
    """Convert the branches of a conditional.

    A branch whose value never fits fails when it is taken. If a branch has null in a nested value, the conditional is
    converted as one value.
    """
    then, no_then = _fit_branch(cx.where(value.condition, True), value.then, want)
    otherwise, no_otherwise = _fit_branch(cx.where(value.condition, False), value.otherwise, want)
    holds_null = any(
        problem is not None and ty.is_optional(ty.resolve(branch.type))
        for branch, problem in ((value.then, no_then), (value.otherwise, no_otherwise))
    )
    if holds_null or (no_then is not None and no_otherwise is not None):
        return value
    if no_then is not None:
        then = failing(no_then.message, value.then.span, otherwise.type)
    if no_otherwise is not None:
        otherwise = failing(no_otherwise.message, value.otherwise.span, then.type)
    return replace(value, then=then, otherwise=otherwise, type=unify((then.type, otherwise.type)))


def _fit_branch(cx: Context, value: core.Expr, want: Want) -> tuple[core.Expr, Diagnostic | None]:
    """The converted branch, or the first error about its value; null where a value is required is reported."""
    trial = replace(cx, bag=DiagnosticBag())
    fitted = fit(trial, value, want)
    if trial.bag.has_errors and ty.resolve(untyped_null(value).type) is not ty.NONE:
        if isinstance(value, core.Conditional):
            again = replace(cx, bag=DiagnosticBag())
            inner = _fit_branches(again, value, want)
            if inner is not value and not again.bag.has_errors:
                cx.bag.extend(again.bag)  # the common type of the branches does not fit, but one branch does
                return inner, None
        return value, next(diagnostic for diagnostic in trial.bag if diagnostic.severity is Severity.ERROR)
    cx.bag.extend(trial.bag)
    return fitted, None


def failing(message: str, span: Span, as_type: ty.Type = ty.DYNAMIC) -> core.Call:
    """A call that fails at run time, typed `as_type`."""
    text = core.Literal(value=message, type=ty.STRING, span=span)
    return core.Call(function=FUNCTIONS["notImplemented"], args=(text,), expand=False, type=as_type, span=span)


def _fit_parts(cx: Context, value: core.Expr, target: ty.Type) -> core.Expr:
    """Convert the parts of a list, object or conditional literal in place."""
    if isinstance(value, core.Conditional) and not value.type.eventual:
        return _fit_branches(cx, value, Want(ty.input_of(target)))
    if isinstance(value, core.ListExpr) and isinstance(value.type, ty.TupleType) and isinstance(target, ty.ListType):
        elements = tuple(fit(cx, element, Want(ty.input_of(target.element))) for element in value.elements)
        return replace(value, elements=elements, type=ty.tuple_of(element.type for element in elements))
    if isinstance(value, core.ListExpr) and isinstance(value.type, ty.TupleType) and isinstance(target, ty.TupleType):
        pairs = zip(value.elements, target.elements, strict=True)
        elements = tuple(fit(cx, element, Want(ty.input_of(t))) for element, t in pairs)
        return replace(value, elements=elements, type=ty.tuple_of(element.type for element in elements))
    if isinstance(value, core.ObjectExpr) and isinstance(value.type, ty.ObjectType) and isinstance(target, ty.ObjectType):
        items = tuple(_fit_item(cx, item, target) for item in value.items)
        names = [item.key.value for item in items if isinstance(item.key, core.Literal)]
        if len(names) == len(items) == len(value.type.members):
            members = {str(name): item.value.type for name, item in zip(names, items, strict=True)}
            return replace(value, items=items, type=ty.object_of(members))
    if isinstance(value, core.ObjectExpr) and isinstance(value.type, ty.ObjectType) and isinstance(target, ty.NominalType):
        return _fit_declared(cx, value, target)
    if isinstance(value, core.ObjectExpr) and isinstance(value.type, ty.ObjectType) and isinstance(target, ty.MapType):
        return _fit_entries(cx, value, target)
    return value


def _fit_declared(cx: Context, value: core.ObjectExpr, target: ty.NominalType) -> core.ObjectExpr:
    """Convert an object literal to a declared type; unchanged if it has members that the type does not declare."""
    fields = target.declaration.fields(target.shape)
    declared = [fields.get(str(item.key.value)) if isinstance(item.key, core.Literal) else None for item in value.items]
    items = tuple(
        replace(item, value=fit(cx, item.value, Want(field.type)), field=field)
        for item, field in zip(value.items, declared, strict=True)
        if field is not None
    )
    if len(items) < len(value.items):
        return value
    cx.packages.object_type(target.declaration, value.span)
    return replace(value, items=items, type=target)


def _fit_item(cx: Context, item: core.ObjectItem, target: ty.ObjectType) -> core.ObjectItem:
    member_type = target.members.get(str(item.key.value)) if isinstance(item.key, core.Literal) else None
    return item if member_type is None else replace(item, value=fit(cx, item.value, Want(ty.input_of(member_type))))


def _fit_entries(cx: Context, value: core.ObjectExpr, target: ty.MapType) -> core.ObjectExpr:
    """Convert an object literal to a map; unchanged if a member may be null, since nulls are handled for the whole map."""
    if any(ty.is_optional(ty.resolve(item.value.type)) for item in value.items):
        return value
    items = tuple(replace(item, value=fit(cx, item.value, Want(ty.input_of(target.element)))) for item in value.items)
    return replace(value, items=items, type=ty.map_of(unify(item.value.type for item in items)))


def _eventual_like(target: ty.Type, have: ty.Type) -> ty.Type:
    """`target` with outputs where `have`, the type of the converted value, has outputs; memoized, as types share parts."""
    if not have.eventual:
        return target
    if ty.resolve(have) is target:
        return have
    if is_eventual(have) or is_eventual(ty.without_none(have)):
        return ty.output_of(target)
    key = ("eventual like", have)
    result = target.memo.get(key)
    if result is None:
        result = target.memo[key] = _structure_like(target, have)
    return result  # type: ignore[return-value]  # the memo holds what _structure_like returned


def _structure_like(target: ty.Type, have: ty.Type) -> ty.Type:
    match target:
        case ty.ListType():
            return ty.list_of(ty.output_of(target.element))
        case ty.MapType():
            return ty.map_of(ty.output_of(target.element))
        case ty.TupleType() if isinstance(have, ty.TupleType):
            pairs = zip(target.elements, have.elements, strict=True)
            return ty.tuple_of([_eventual_like(t, h) for t, h in pairs])
        case ty.ObjectType() if isinstance(have, ty.ObjectType):
            members = target.members.items()
            like = {
                name: _eventual_like(target.lacking.get(name, t), have.members.get(name, ty.NONE)) for name, t in members
            }
            return ty.object_of(like, {name: like[name] for name in target.lacking})
        case ty.UnionType() if ty.is_optional(target):
            return ty.optional_of(_eventual_like(ty.without_none(target), ty.without_none(have)))
        case _:
            return target


def fit_key(cx: Context, key: core.Expr, key_type: ty.Type) -> core.Expr:
    """Convert the computed key of an object or an index to `key_type`."""
    plain = ty.resolve(key.type)
    if plain is not ty.ERROR and conversion(key_type, plain) is Conversion.NONE:
        cx.report(expressions.bad_key(with_article(plain), key.span))
        return invalid(key.span)
    return fit(cx, key, Want(ty.input_of(key_type)))


def converted_type(want: ty.Type, have: ty.Type) -> ty.Type | None:
    """The type that a resolved `have` must be converted to for a `want`; None if no conversion is needed."""
    if want is have or want is ty.DYNAMIC or want is ty.ERROR or have is ty.ERROR or have is ty.NONE:
        return None
    if ty.is_optional(have) and not ty.is_optional(want):
        return converted_type(want, ty.without_none(have)) or ty.without_none(have)
    inner_want, inner_have = ty.without_none(want), ty.without_none(have)
    target = _converted(inner_want, inner_have)
    if target is None or not ty.is_optional(have):
        return target
    return ty.optional_of(target)


def _converted(want: ty.Type, have: ty.Type) -> ty.Type | None:
    if want is have or want is ty.DYNAMIC:
        return None
    if have is ty.DYNAMIC:
        return want
    if isinstance(want, ty.UnionType):
        if isinstance(have, ty.UnionType) and all(_converted_to_member(want, member) is None for member in have.members):
            return None
        if isinstance(have, ty.UnionType) and any(isinstance(member, ty.NominalType) for member in have.members):
            return want  # only the running program knows the type of the object
        if isinstance(have, ty.UnionType) and not any(_takes_all(member, have) for member in want.members):
            return None  # each alternative has another one to stand for it
        return _converted_to_member(want, have)
    if isinstance(have, ty.UnionType):
        return want
    if isinstance(have, ty.ConstType):
        return _converted(want, have.base)
    if isinstance(want, ty.ConstType):
        return want
    if isinstance(want, ty.EnumType) or isinstance(have, ty.EnumType):
        same = isinstance(want, ty.EnumType) and isinstance(have, ty.EnumType) and want.declaration is have.declaration
        return None if same else want
    if want in _SCALARS:
        return None if {want, have} <= {ty.STRING, ty.ID} else want
    return _converted_collection(want, have)


def _takes_all(want: ty.Type, have: ty.UnionType) -> bool:
    return all(conversion(want, member) is not Conversion.NONE for member in have.members)


def _converted_to_member(want: ty.UnionType, have: ty.Type) -> ty.Type | None:
    for member in want.members:
        base = member.base if isinstance(member, ty.ConstType) else member  # the value may be any of the constants
        if member is have or (conversion(member, have) is not Conversion.NONE and _converted(base, have) is None):
            return None
    best = max(want.members, key=lambda member: conversion(member, have))
    return _converted(best, have)


def _converted_collection(want: ty.Type, have: ty.Type) -> ty.Type | None:
    if isinstance(want, ty.ListType):
        if isinstance(have, ty.ListType):
            element = converted_type(want.element, have.element)
            return None if element is None else ty.list_of(element)
        if isinstance(have, ty.TupleType):
            parts = [converted_type(want.element, e) for e in have.elements]
            return None if all(p is None for p in parts) else ty.list_of(want.element)
        return None
    if isinstance(want, ty.TupleType) and isinstance(have, ty.TupleType):
        pairs = zip(want.elements, have.elements, strict=True)
        changed = [converted_type(w, h) for w, h in pairs]
        if all(c is None for c in changed):
            return None
        return ty.tuple_of([c or h for c, h in zip(changed, have.elements, strict=True)])
    if isinstance(want, ty.MapType):
        if isinstance(have, ty.MapType):
            element = converted_type(want.element, have.element)
            return None if element is None else ty.map_of(element)
        members = members_of(have) or {}
        changes = [converted_type(want.element, m) for m in members.values()]
        return None if all(c is None for c in changes) else ty.map_of(want.element)
    members_wanted = members_of(want)
    if members_wanted is None or is_resource(want):
        return None
    return want if want is not have else None


def fit_literal(cx: Context, value: core.Literal, want: Want) -> core.Expr:
    """Check a literal against the expected type: enum members, constants, text of numbers and bools, integer ranges."""
    target = ty.resolve(want.type)
    if target is ty.DYNAMIC or target is ty.ERROR:
        return value
    if value.value is None:
        if ty.is_optional(target) or want.omits:
            return untyped_null(value)
        cx.report_softly(expressions.null_for_required(with_article(target), value.span, want.because))
        return _refused(cx, value)
    if isinstance(target, ty.UnionType):
        return _fit_union(cx, value, target, want)
    folded = _fold(value.value, target)
    if folded is not None:
        if isinstance(target, ty.EnumType):
            _warn_of_member(cx, target, folded, value.span)
        kind = target if not isinstance(target, ty.ConstType) else target.base
        kind = ty.STRING if kind is ty.ID else kind
        return core.Literal(value=folded, type=kind, span=value.span, multiline=value.multiline)
    _report_literal(cx, value, target, want)
    return _refused(cx, value)


def _warn_of_member(cx: Context, target: ty.EnumType, value: core.LiteralValue, span: Span) -> None:
    member = target.declaration.member(value)
    if member is not None and member.deprecated:
        cx.report(expressions.deprecated(f"{show_value(value)} of {show(target)}", member.deprecated, span))


def _refused(cx: Context, value: core.Expr) -> core.Expr:
    """The replacement of a value that does not fit; in lenient mode the value itself (language.md, Lenient mode)."""
    return value if cx.lenient else invalid(value.span)


def _fit_union(cx: Context, value: core.Literal, target: ty.UnionType, want: Want) -> core.Expr:
    members = [m for m in target.members if m is not ty.NONE]
    enums = [m for m in members if isinstance(m, ty.EnumType | ty.ConstType)]
    same = [m for m in members if m is value.type or (m is ty.ID and value.type is ty.STRING)]
    wider = [m for m in members if m is ty.NUMBER and value.type is ty.INT]
    for member in (*enums, *same, *wider, *members):
        folded = _fold(value.value, member)
        if folded is not None:
            return fit_literal(cx, value, want.inner(member))
    _report_literal(cx, value, members[0] if len(members) == 1 else target, want)
    return _refused(cx, value)


def _fold(value: core.LiteralValue, target: ty.Type) -> core.LiteralValue:
    """`value` as a literal of `target`, or None if it is not a literal of that type."""
    if target is ty.DYNAMIC:
        return value
    if isinstance(target, ty.EnumType):
        folded = _fold(value, target.base)
        member = target.declaration.member(folded) if folded is not None else None
        return folded if member is not None else None
    if isinstance(target, ty.ConstType):
        folded = _fold(value, target.base)
        return folded if folded is not None and ty.const_of(target.base, folded) is target else None
    if target is ty.STRING or target is ty.ID:
        return literal_text(value)
    if target is ty.BOOL:
        truth = read_bool(value) if isinstance(value, str) else value
        return truth if isinstance(truth, bool) else None
    if target is ty.INT or target is ty.NUMBER:
        number = read_integer(value) if target is ty.INT and isinstance(value, str) else literal_number(value)
        if number is None or target is ty.NUMBER:
            return number
        return number if isinstance(number, int) and abs(number) <= _SAFE_INTEGER else None
    return None


def literal_text(value: core.LiteralValue) -> str | None:
    """The text of a literal inside a template; None for null."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            return decimal_text(value)
        case _:
            return value


def literal_number(value: core.LiteralValue) -> int | Decimal | None:
    """The number in a literal or in its text; None if there is none."""
    if isinstance(value, bool) or value is None:
        return None
    return read_number(value) if isinstance(value, str) else value


def constant_number(expr: core.Expr) -> int | Decimal | None:
    """The value of arithmetic on number literals; None for other operands, or if there is no result."""
    numbers: dict[int, float] = {}
    for node in postorder(expr):
        match node:
            case core.Literal(value=bool()):
                return None
            case core.Literal(value=int() | Decimal() as value):
                numbers[id(node)] = float(value)
            case core.Unary(operator="-"):
                numbers[id(node)] = -numbers[id(node.operand)]
            case core.Binary(operator=sign) if sign in _ARITHMETIC:
                left, right = numbers[id(node.left)], numbers[id(node.right)]
                if (right == 0 and sign in "/%") or not math.isfinite(computed := _ARITHMETIC[sign](left, right)):
                    return None
                numbers[id(node)] = computed
            case _:
                return None
    result = numbers[id(expr)]
    return int(result) if result.is_integer() and abs(result) <= _SAFE_INTEGER else Decimal(repr(result))


def _report_literal(cx: Context, value: core.Literal, target: ty.Type, want: Want) -> None:
    text, span, notes = show_value(value.value), value.span, want.because
    if isinstance(target, ty.EnumType):
        members = [show_value(m.value) for m in target.declaration.members]
        cx.report_softly(expressions.not_a_member(text, show(target), members, span, notes=notes))
    elif isinstance(target, ty.ConstType):
        cx.report_softly(expressions.wrong_constant(text, show(target), span, notes))
    elif target is ty.INT and isinstance(value.value, int | Decimal) and not isinstance(value.value, bool):
        is_whole = value.value == int(value.value)
        reason = "is too large for one" if is_whole else "has a fraction"
        cx.report_softly(expressions.bad_integer(text, reason, span, notes))
    elif target in (ty.INT, ty.NUMBER, ty.BOOL) and isinstance(value.value, str):
        cx.report_softly(expressions.bad_text(text, with_article(target), span, notes))
    else:
        hint = hint_for(target, value.type)
        cx.report_softly(expressions.mismatch(with_article(target), with_article(value.type), span, notes, hint=hint))


def _report_mismatch(cx: Context, value: core.Expr, want: Want) -> core.Expr:
    have, target = value.type, want.type
    if have.eventual and conversion(target, ty.resolve(have)) is not Conversion.NONE:
        cx.early.too_late.append(value)
        hint = why_not_awaited(value, cx.definitions, in_component=cx.directory != ".")
        cx.report(expressions.eventual_in_plain(value.span, want.because, hint=hint))
        return invalid(value.span)
    plain_target, plain_have = ty.resolve(target), ty.resolve(have)
    place = explain(plain_target, plain_have)
    if place.path and place.path != "[*]":
        cx.report_softly(with_origin(_inside(place, value.span, want), value, cx.definitions))
    else:
        hint = hint_for(plain_target, have)
        expected, present = with_article(plain_target), with_article(have)
        diagnostic = expressions.mismatch(expected, present, value.span, want.because, hint=hint)
        cx.report_softly(with_origin(diagnostic, value, cx.definitions))
    return _refused(cx, value)


def _inside(place: Mismatch, span: Span, want: Want) -> Diagnostic:
    actual = with_article(place.actual) if place.actual is not None else None
    notes = [*want.because, note(f"the whole is expected to be {with_article(ty.resolve(want.type))}")]
    return expressions.mismatch_inside(place.path.lstrip("."), with_article(place.expected), actual, span, notes=notes)


def _is_like_an_element(element: ty.Type, plain: ty.Type) -> bool:
    """Return whether a value is meant to be an element: it fits, or both are objects, whose members may be wrong."""
    is_object = isinstance(plain, ty.ObjectType) and isinstance(
        ty.without_none(ty.resolve(element)), ty.NominalType | ty.ObjectType
    )
    return is_object or conversion(element, plain) is not Conversion.NONE


def hint_for(target: ty.Type, have: ty.Type) -> str | None:
    """A suggestion for a common mistake, or None."""
    plain = ty.resolve(have)
    expected = ty.without_none(target)
    if is_resource(plain) and expected in (ty.STRING, ty.ID, ty.DYNAMIC):
        return "take one of its attributes, such as .id"
    if isinstance(plain, ty.ListType | ty.TupleType) and expected in _SCALARS:
        return "take one element with [0], or join(…) them"
    if isinstance(expected, ty.ListType) and _is_like_an_element(expected.element, plain):
        return "write it in brackets, [ … ], for a list of one"
    if expected is ty.STRING and members_of(plain) is not None:
        return "toJSON(…) turns it into text"
    if expected in (ty.ASSET, ty.ARCHIVE) and plain is ty.STRING:
        return 'use fileAsset("…"), stringAsset("…") or fileArchive("…")'
    return None
