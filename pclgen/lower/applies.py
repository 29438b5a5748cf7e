"""Eventual values: from "outputs are allowed anywhere" to explicit applies.

There are two kinds of places.

    eventual   the place takes outputs: a resource input, a local
    plain      the place needs the value: an operand, a condition, an argument of `split`

An operation that needs values opens a *region* and takes every eventual value inside it as an argument:

    "x${r.out}"                        ->  i"x${r.out}"                                      an interpolation
    r.int + 1                          ->  apply(r.int as int => int + 1)
    r.out == "q" ? r2.out : "n"        ->  apply(r.out as out => (out == "q") ? r2.out : "n")
    flag ? r.out : "z"                 ->  the same
    join("-", [r.out, r2.out])         ->  apply(r.out as rOut, r2.out as r2Out => join("-", [rOut, r2Out]))

A region is as large as possible, so that there are few; but a value is not moved out of a branch if only that branch
waits for it, nor out of a branch or a loop that guards its evaluation (`lower.facts`: chooses, risky).
Then the whole expression is awaited, and a function passed to `apply` may return an output itself:

    "${length(rs) > 0 ? rs[0].out : "-"}!"  ->  i"${(length(rs) > 0) ? rs[0].out : "-"}!"
    (flag ? r.int : 2) + 1                  ->  apply(flag ? r.int : 2 as int => int + 1)

A conversion without code in the target stays around the output; the others run on the value:

    text = r.id                      ->  convert<output(string)>(r.id)         when an id is a string there
    text = r.int                     ->  apply(r.int as int => convert<string>(int))
    texts = [r.int, 5]               ->  [apply(r.int as int => convert<string>(int)), convert<string>(5)]

    flag ? {p = r.out} : {q = 1}     ->  flag ? {p = r.out, q = null} : {p = null, q = 1}

The last form matters for locals: a plain structure of outputs stays plain.

This module has the two dispatchers and the conversions; paths, loops and failures have separate modules, which call back
through the context (`Lowering.eventual`, `Lowering.plain`).
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_eventual, is_given, is_lazy
from pclgen.core.walk import children, with_children
from pclgen.lower import failures, loops, paths
from pclgen.lower.facts import is_access, key_of, spreads
from pclgen.lower.optionals import unguarded
from pclgen.lower.region import Lowering, PlainPlace, Region, applied, as_output, fitted, flat, plain_parts, take
from pclgen.lower.retype import joined_type, plain_type, retyped, settled, takes, with_items, with_type
from pclgen.stdlib.model import Lifting
from pclgen.types import model as ty
from pclgen.types.convert import unify
from pclgen.types.declarations import Shape
from pclgen.types.traverse import iteration


def eventual(cx: Lowering, expr: core.Expr) -> core.Expr:
    """Lower `expr` for a place that takes outputs: eventual parts stay unless an operation needs their value."""
    if not cx.facts.of(expr).waits:
        return expr
    match expr:
        case core.Literal() | core.PropertyPath() | core.Invalid() | core.Apply() | core.All():
            return expr
        case core.Ref():
            return cx.at_hand.get(key_of(expr), expr)
        case core.Attr() | core.Index():
            return paths.eventual_path(cx, expr)
        case core.ListExpr():
            return _eventual_list(cx, expr)
        case core.ObjectExpr():
            return _eventual_object(cx, expr)
        case core.Template():
            return _eventual_template(cx, expr)
        case core.Unary():
            return applied(cx, expr)
        case core.Binary():
            return _eventual_binary(cx, expr)
        case core.Conditional():
            return _eventual_conditional(cx, expr)
        case core.For():
            return loops.eventual_for(cx, expr)
        case core.Call():
            return _eventual_call(cx, expr)
        case core.Invoke() | core.MethodCall():
            return _eventual_remote(cx, expr)
        case core.Convert():
            return eventual_convert(cx, expr)
        case _:
            assert_never(expr)


def plain(cx: Lowering, expr: core.Expr, place: PlainPlace) -> core.Expr:
    """Lower `expr` for a place that needs its value: eventual parts become arguments of the region."""
    if not cx.facts.of(expr).waits and plain_type(expr.type) is expr.type:
        return expr
    match expr:
        case core.Literal() | core.PropertyPath() | core.Invalid():
            return expr
        case core.Attr() | core.Index():
            return paths.plain_path(cx, expr, place)
        case core.ObjectExpr():
            return _plain_object(cx, expr, place)
        case core.Ref() if key_of(expr) in cx.at_hand:
            return cx.at_hand[key_of(expr)]
        case core.Ref() | core.Apply() | core.All():
            return take(cx, expr, place) if expr.type.eventual else expr
        case core.ListExpr() | core.Template() | core.Unary() | core.Convert():
            return plain_parts(cx, expr, place)
        case core.Binary() | core.Conditional() | core.For() | core.Call() | core.Invoke() | core.MethodCall():
            return take(cx, expr, place) if _is_unit(cx, expr) else plain_parts(cx, expr, place)
        case _:
            assert_never(expr)


def _is_unit(
    cx: Lowering, expr: core.Binary | core.Conditional | core.For | core.Call | core.Invoke | core.MethodCall
) -> bool:
    """Return whether `expr` is a unit (see `lower.facts`)."""
    match expr:
        case core.Conditional():
            return cx.facts.chooses(expr)
        case core.Binary():
            return cx.facts.guards(expr)
        case core.For():
            return cx.facts.is_blocked(expr)
        case core.Call():
            return expr.function.lifting is Lifting.OUTPUT or cx.facts.attempts(expr)
        case core.Invoke() | core.MethodCall():
            return expr.type.eventual
        case _:
            assert_never(expr)


def _eventual_list(cx: Lowering, expr: core.ListExpr) -> core.Expr:
    lowered = settled(with_children(expr, [cx.eventual(element) for element in expr.elements]))
    if lowered is expr or not isinstance(lowered.type, ty.TupleType):
        return lowered
    return with_type(lowered, ty.tuple_of(element.type for element in lowered.elements))


def _eventual_object(cx: Lowering, expr: core.ObjectExpr) -> core.Expr:
    if cx.facts.is_strict_object(expr):
        region = Region()
        return region.close(_plain_object(cx, expr, PlainPlace(region)), expr.span)
    parts = [part for item in expr.items for part in core.item_parts(replace(item, value=_eventual_member(cx, item)))]
    lowered = settled(with_children(expr, parts))
    if lowered is expr or not isinstance(expr.type, ty.ObjectType):
        return lowered
    return with_type(lowered, with_items(expr.type, lowered.items))


def _eventual_member(cx: Lowering, item: core.ObjectItem) -> core.Expr:
    value = cx.eventual(item.value)
    return value if item.field is None else fitted(value, item.field.type)


def _plain_object(cx: Lowering, expr: core.ObjectExpr, place: PlainPlace) -> core.Expr:
    """Return an object of plain values, in plain shape."""
    lowered = plain_parts(cx, expr, place)
    if not isinstance(lowered, core.ObjectExpr) or not isinstance(lowered.type, ty.NominalType) or lowered.type is expr.type:
        return lowered
    fields = lowered.type.declaration.fields(Shape.PLAIN)
    items = tuple(
        item if item.field is None else replace(item, field=fields.get(item.field.name, item.field))
        for item in lowered.items
    )
    return replace(lowered, items=items)


def _eventual_template(cx: Lowering, expr: core.Template) -> core.Expr:
    if len(expr.parts) == 1 and plain_type(expr.parts[0].type) in (ty.STRING, ty.ID):
        return cx.eventual(expr.parts[0])
    if not cx.facts.of(expr).direct:
        return applied(cx, with_children(expr, [_unchecked(cx, part) for part in expr.parts]))
    return settled(with_children(expr, [cx.eventual(part) for part in expr.parts]))


def _unchecked(cx: Lowering, part: core.Expr) -> core.Expr:
    """Return a part of an interpolation without the null check if null is possible only by the schema."""
    if not isinstance(part, core.Convert) or part.unset is None or not is_given(part.value):
        return part
    return replace(part, unset=None) if cx.capabilities.is_free(part) else part


def _eventual_binary(cx: Lowering, expr: core.Binary) -> core.Expr:
    return _eventual_conditional(cx, _as_choices(cx, expr)) if cx.facts.guards(expr) else applied(cx, expr)


def _as_choices(cx: Lowering, expr: core.Binary) -> core.Conditional:
    """Return a chain of `&&` or `||` as conditionals; operands without new units stay together.

    r.a > 0 && r.b > 0 && r.b < 9  ->  (r.a > 0) ? ((r.b > 0) && (r.b < 9)) : false
    """
    operands: list[core.Expr] = []
    left: core.Expr = expr
    while isinstance(left, core.Binary) and left.operator == expr.operator:
        operands.append(left.right)
        left = left.left
    groups = [left]
    for operand in reversed(operands):
        joined = core.Binary(operator=expr.operator, left=groups[-1], right=operand, type=expr.type, span=expr.span)
        if cx.facts.guards(joined):
            groups.append(operand)
        else:
            groups[-1] = retyped(joined, children(joined))
    constant = core.Literal(value=expr.operator == "||", type=ty.BOOL, span=expr.span)
    choice = groups.pop()
    for group in reversed(groups):
        then, otherwise = (constant, choice) if expr.operator == "||" else (choice, constant)
        choice = core.Conditional(condition=group, then=then, otherwise=otherwise, type=expr.type, span=expr.span)
    assert isinstance(choice, core.Conditional)
    return choice


def _eventual_conditional(cx: Lowering, expr: core.Conditional) -> core.Expr:
    if not cx.facts.of(expr.condition).waits:
        parts = [expr.condition, cx.eventual(expr.then), cx.eventual(expr.otherwise)]
        return with_type(with_children(expr, parts), joined_type(expr.type, parts[1:]))
    if not _is_unit(cx, expr):
        return applied(cx, expr)
    region = Region()
    condition = cx.plain(expr.condition, PlainPlace(region))
    with cx.inside(region):
        sides = ((cx.eventual(expr.then), True), (cx.eventual(expr.otherwise), False))
        branches = [flat(cx, unguarded(branch, condition, holds=holds)) for branch, holds in sides]
    body = with_children(expr, [condition, *branches])
    return region.close(with_type(body, joined_type(plain_type(expr.type), branches)), expr.span)


def _eventual_call(cx: Lowering, expr: core.Call) -> core.Expr:
    if is_lazy(expr):
        return failures.eventual_lazy(cx, expr)
    lifting = expr.function.lifting
    keeps = lifting is Lifting.KEEP and cx.capabilities.json_over_outputs
    if not keeps and lifting not in (Lifting.OUTPUT, Lifting.NEVER):
        return applied(cx, expr)
    args = [cx.eventual(arg) for arg in expr.args]
    if expr.failure is not None:
        args[0] = as_output(args[0])
    return with_children(expr, args)


def _eventual_remote(cx: Lowering, expr: core.Invoke | core.MethodCall) -> core.Expr:
    """Lower a provider function or method: its input-shaped arguments take outputs, everything else needs values.

        invoke(t, {a = r.out})      ->  the same, when it is the Output form
        invoke(t, r.settings)       ->  apply(r.settings as settings => invoke(t, settings))
    """
    if _needs_values(cx, expr):
        return applied(cx, expr)
    return with_children(expr, [cx.eventual(part) for part in children(expr)])


def _needs_values(cx: Lowering, expr: core.Invoke | core.MethodCall) -> bool:
    if isinstance(expr, core.MethodCall) and cx.facts.of(expr.receiver).waits:
        return True
    if isinstance(expr, core.Invoke) and not expr.output_form and any(cx.facts.of(part).waits for part in children(expr)):
        return True
    args = expr.args
    if args is None:
        return False
    if isinstance(args, core.ObjectExpr):
        return cx.facts.is_strict_object(args)
    return cx.facts.of(args).waits


# -- conversions ------------------------------------------------------------------------------------------------------------

def eventual_convert(cx: Lowering, expr: core.Convert) -> core.Expr:
    """Lower a conversion for a place that takes outputs."""
    if cx.capabilities.is_free(expr):
        value = cx.eventual(expr.value)
        kind = ty.output_of(plain_type(expr.type)) if is_eventual(value.type) else expr.type
        return with_type(replace(expr, value=value, unset=None), kind)
    if holds_eventual(expr.value.type):
        spread = _spread(expr.value, ty.without_none(ty.resolve(expr.type)), expr.unset)
        if spread is not None:
            return cx.eventual(spread)
    return applied(cx, expr)


def _spread(value: core.Expr, target: ty.Type, unset: str | None) -> core.Expr | None:
    """Convert the elements of a plain structure to `target`; None if it must be converted as a whole."""
    if isinstance(value, core.Conditional):
        then, otherwise = _converted(value.then, target, unset), _converted(value.otherwise, target, unset)
        return replace(value, then=then, otherwise=otherwise, type=unify((then.type, otherwise.type)))
    match target:
        case ty.ObjectType():
            return _spread_object(value, target, unset)
        case ty.NominalType():
            return _spread_declared(value, target, unset)
        case ty.MapType():
            literal = value if isinstance(value, core.ObjectExpr) else _as_literal(value)
            return None if literal is None else _spread_map(literal, ty.resolve(target.element), unset)
        case ty.TupleType() if isinstance(value, core.ListExpr) and len(value.elements) == len(target.elements):
            pairs = zip(value.elements, target.elements, strict=True)
            return _list(value, [_converted(e, ty.resolve(t), unset) for e, t in pairs])
        case ty.ListType() if isinstance(value, core.ListExpr):
            return _list(value, [_converted(e, ty.resolve(target.element), unset) for e in value.elements])
        case ty.ListType() if isinstance(value, core.For) and value.result_key is None:
            result = _converted(value.result, ty.resolve(target.element), unset)
            return replace(value, result=result, splat=False, type=ty.list_of(result.type))
        case ty.ListType():
            return _loop_over(value, ty.resolve(target.element), unset)
        case _:
            return None


def _spread_map(value: core.ObjectExpr, element: ty.Type, unset: str | None) -> core.Expr:
    items = tuple([replace(item, value=_converted(item.value, element, unset), field=None) for item in value.items])
    return replace(value, items=items, type=ty.map_of(unify(item.value.type for item in items)))


def _spread_declared(value: core.Expr, target: ty.NominalType, unset: str | None) -> core.Expr | None:
    """Return `value` as an object of a package whose members take the outputs in it."""
    literal, fields = _as_literal(value), target.declaration.fields(target.shape)
    if literal is None or target.shape is not Shape.INPUT or not takes(target, value.type) or not spreads(value.type):
        return None
    items: list[core.ObjectItem] = []
    for item in literal.items:
        field = (
            fields.get(item.key.value) if isinstance(item.key, core.Literal) and isinstance(item.key.value, str) else None
        )
        if field is None:
            return None
        items.append(replace(item, value=_converted(item.value, ty.resolve(field.type), unset), field=field))
    return replace(literal, items=tuple(items), type=target)


def _as_literal(value: core.Expr) -> core.ObjectExpr | None:
    """Rewrite a path to a structural object as a literal of its members; None if a member may be missing."""
    if not is_access(value) or not isinstance(value.type, ty.ObjectType) or value.type.lacking:
        return None
    items = tuple([_item(name, t, value) for name, t in value.type.members.items()])
    return core.ObjectExpr(items=items, type=value.type, span=value.span)


def _list(value: core.ListExpr, elements: list[core.Expr]) -> core.ListExpr:
    return replace(value, elements=tuple(elements), type=ty.tuple_of(e.type for e in elements))


def _spread_object(value: core.Expr, target: ty.ObjectType, unset: str | None) -> core.Expr | None:
    """Return `value` as an object with the members of `target`: missing members that it must have are null."""
    if isinstance(value, core.ObjectExpr):
        written = {item.key.value: item for item in value.items if isinstance(item.key, core.Literal)}
        names = [name for name in target.members if name in written or name not in target.lacking]
        items = [written[name] if name in written else _item(name, None, value) for name in names]
    elif is_access(value) and isinstance(value.type, ty.ObjectType) and value.type.lacking:
        return value if _has_members_of(value.type, target) else None
    elif is_access(value) and isinstance(value.type, ty.ObjectType):
        have = value.type.members
        names = [name for name in target.members if name in have or name not in target.lacking]
        items = [_item(name, have.get(name), value) for name in names]
    else:
        return None
    types = [ty.resolve(target.lacking.get(name, target.members[name])) for name in names]
    converted = [replace(item, value=_converted(item.value, t, unset)) for item, t in zip(items, types, strict=True)]
    members = ty.object_of({name: item.value.type for name, item in zip(names, converted, strict=True)})
    if isinstance(value, core.ObjectExpr):
        return replace(value, items=tuple(converted), type=members)
    return core.ObjectExpr(items=tuple(converted), type=members, span=value.span)


def _has_members_of(have: ty.ObjectType, target: ty.ObjectType) -> bool:
    """Return whether an object fits `target` as it is: its members have the types there, others may be missing."""
    have_all = all(name in have.members or name in target.lacking for name in target.members)
    common = have.members.keys() & target.members.keys()
    return have_all and all(_present(have, name) is _present(target, name) for name in common)


def _present(t: ty.ObjectType, name: str) -> ty.Type:
    return ty.resolve(t.lacking.get(name, t.members[name]))


def _item(name: str, member: ty.Type | None, owner: core.Expr) -> core.ObjectItem:
    span = owner.span
    value: core.Expr = core.Literal(value=None, type=ty.NONE, span=span)
    if member is not None:
        value = core.Attr(source=owner, name=name, field=None, type=member, span=span)
    return core.ObjectItem(key=core.Literal(value=name, type=ty.STRING, span=span), value=value, span=span)


def _loop_over(value: core.Expr, element: ty.Type, unset: str | None) -> core.Expr | None:
    """Return `[for item in value : item converted]`."""
    way = iteration(value.type)
    if way is None or way.keyed:
        return None
    item = core.Symbol(name="item", kind=core.SymbolKind.LOOP, type=way.element, span=value.span)
    result = _converted(core.Ref(symbol=item, type=item.type, span=value.span), element, unset)
    return core.For(
        collection=value,
        key=None,
        value=item,
        result_key=None,
        result=result,
        condition=None,
        group=False,
        splat=False,
        type=ty.list_of(result.type),
        span=value.span,
    )


def _converted(value: core.Expr, target: ty.Type, unset: str | None) -> core.Expr:
    actual = ty.resolve(value.type)
    if actual is target or actual is ty.NONE or actual is ty.without_none(target):
        return value
    kind = ty.output_of(target) if is_eventual(value.type) else target
    return core.Convert(value=value, type=kind, span=value.span, unset=unset)
