"""Conversions of eventual values.

A conversion without code in the target stays around the output; the others run on the value:

    text = r.id                      ->  convert<output(string)>(r.id)         when an id is a string there
    text = r.int                     ->  apply(r.int as int => convert<string>(int))
    texts = [r.int, 5]               ->  [apply(r.int as int => convert<string>(int)), convert<string>(5)]

    flag ? {p = r.out} : {q = 1}     ->  flag ? {p = r.out, q = null} : {p = null, q = 1}

The last form matters for locals: a plain structure of outputs stays plain.
"""

from __future__ import annotations

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.lower.facts import is_access, spreads
from pclgen.lower.region import Lowering, applied
from pclgen.lower.retype import plain_type, takes, with_type
from pclgen.types import model as ty
from pclgen.types.declarations import Shape
from pclgen.types.traverse import iteration
from pclgen.types.unify import unify


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
