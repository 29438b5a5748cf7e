"""For-expressions over eventual values, or with eventual values inside.

Comes in: a `For` that waits for something.  Goes out, by what waits:

    the collection      [for o in r.list : o.s]       ->  apply(r.list as list => [for o in list : o.s])
    only the elements   [for p in pets : p.id]        ->  the same: a plain list of outputs
    that, needed plain  join(",", [for p in pets : p.id])
                                                      ->  apply(all([for p in pets : p.id]) as ids => join(",", ids))
    condition or key    {for p in pets : p.name => p.id}
        ->  apply(all([for p in pets : {name = p.name, id = p.id}]) as values => {for p in values : p.name => p.id})

The last is two loops: the first collects, element by element, what the second needs to know.
"""

from __future__ import annotations

from dataclasses import replace

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Attr, Expr, For, Literal, ObjectExpr, ObjectItem, Ref, Symbol, SymbolKind
from pclgen.core.walk import binds, references, rewrite, with_children
from pclgen.lower import applies
from pclgen.lower.params import parameter_names
from pclgen.lower.region import Context, Place, Region, as_output, flat, key_of
from pclgen.lower.shapes import plain_type
from pclgen.types.model import STRING, ObjectType, Type, list_of, map_of, object_of


def eventual_for(cx: Context, expr: For) -> Expr:
    """A loop for a place that takes outputs."""
    if is_eventual(expr.collection.type):
        return _over_eventual(cx, expr)
    deciding = [part for part in (expr.result_key, expr.condition) if part is not None]
    if not any(cx.facts.of(part).waits for part in deciding):
        return _loop(cx, expr, None)
    if not cx.facts.is_blocked(expr):
        return applies.applied(cx, expr)
    own = binds(expr)
    if any(cx.facts.of(part).risky or not cx.facts.of(part).unit_free.isdisjoint(own) for part in deciding):
        return _in_two_loops(cx, expr)
    region = Region()
    return region.close(_loop(cx, expr, Place(region)), expr.span)


def _over_eventual(cx: Context, expr: For) -> Expr:
    region = Region()
    place = Place(region)
    if not cx.facts.is_blocked(expr):
        return region.close(applies.plain_parts(cx, expr, place), expr.span)
    inner = replace(expr, collection=applies.plain(cx, expr.collection, place))
    return region.close(flat(eventual_for(cx, inner)), expr.span)


def _loop(cx: Context, expr: For, place: Place | None) -> For:
    """A loop over a plain collection whose results may be eventual; what decides is made plain in `place`."""
    deciding = {}
    for name, part in (("result_key", expr.result_key), ("condition", expr.condition)):
        deciding[name] = part if part is None or place is None else applies.plain(cx, part, place)
    parts = [applies.eventual(cx, expr.collection)]
    parts += [deciding["result_key"]] if deciding["result_key"] is not None else []
    parts.append(applies.eventual(cx, expr.result))
    parts += [deciding["condition"]] if deciding["condition"] is not None else []
    made = with_children(expr, parts)
    assert isinstance(made, For)
    # Bound over an eventual collection the loop had an output type; the collection is plain now.
    return made if made is expr and not is_eventual(expr.type) else replace(made, type=_type_of(made))


def _type_of(expr: For) -> Type:
    element: Type = list_of(expr.result.type) if expr.group else expr.result.type
    return list_of(element) if expr.result_key is None else map_of(element)


def _in_two_loops(cx: Context, expr: For) -> Expr:
    """The first loop makes a record an element, of all that the second needs; see the head of the module."""
    record = Region()
    place = Place(record)
    result_key = None if expr.result_key is None else applies.plain(cx, expr.result_key, place)
    condition = None if expr.condition is None else applies.plain(cx, expr.condition, place)
    result = applies.plain(cx, expr.result, place)
    _take_loop_variables(expr, [part for part in (result_key, condition, result) if part is not None], record)
    names = parameter_names(record.args)
    first = _collecting_loop(cx, expr, names, record)
    region = Region()
    records = region.take(as_output(first), key_of(first), expr.span)
    item = Symbol(name=expr.value.name, kind=SymbolKind.LOOP, type=_element(first), span=expr.value.span)
    replaced = {
        symbol: Attr(
            source=Ref(symbol=item, type=item.type, span=symbol.span),
            name=name,
            field=None,
            type=symbol.type,
            span=symbol.span,
        )
        for symbol, name in zip(record.parameters, names, strict=True)
    }
    for symbol, parameter in _loop_variable_parameters(expr, record):
        replaced[symbol] = replaced[parameter]
    second = For(
        collection=records,
        key=None,
        value=item,
        result_key=None if result_key is None else _with_record(result_key, replaced),
        result=_with_record(result, replaced),
        condition=None if condition is None else _with_record(condition, replaced),
        group=expr.group,
        splat=False,
        type=plain_type(expr.type),
        span=expr.span,
    )
    return region.close(second, expr.span)


def _take_loop_variables(expr: For, parts: list[Expr], record: Region) -> None:
    """The loop's own variables, as far as `parts` use their plain values, become members of the record too."""
    used = {symbol for part in parts for symbol, _ in references(part)}
    for symbol in binds(expr):
        if symbol in used:
            ref = Ref(symbol=symbol, type=symbol.type, span=symbol.span)
            record.take(ref, key_of(ref), symbol.span)


def _loop_variable_parameters(expr: For, record: Region) -> list[tuple[Symbol, Symbol]]:
    own = binds(expr)
    pairs = zip(record.args, record.parameters, strict=True)
    return [(arg.symbol, parameter) for arg, parameter in pairs if isinstance(arg, Ref) and arg.symbol in own]


def _collecting_loop(cx: Context, expr: For, names: list[str], record: Region) -> For:
    items = tuple(
        ObjectItem(key=Literal(value=name, type=STRING, span=arg.span), value=arg, span=arg.span)
        for name, arg in zip(names, record.args, strict=True)
    )
    members = object_of({name: arg.type for name, arg in zip(names, record.args, strict=True)})
    return replace(
        expr,
        collection=applies.eventual(cx, expr.collection),
        result_key=None,
        result=ObjectExpr(items=items, type=members, span=expr.result.span),
        condition=None,
        group=False,
        splat=False,
        type=list_of(members),
    )


def _element(first: For) -> Type:
    t = plain_type(first.result.type)
    assert isinstance(t, ObjectType)
    return t


def _with_record(expr: Expr, replaced: dict[Symbol, Attr]) -> Expr:
    def change(node: Expr) -> Expr:
        return replaced.get(node.symbol, node) if isinstance(node, Ref) else node

    return rewrite(expr, change)
