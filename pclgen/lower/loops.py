"""For-expressions over eventual values, or with eventual values inside.

The form depends on what waits:

    the collection      [for o in r.list : o.s]       ->  apply(r.list as list => [for o in list : o.s])
    only the elements   [for p in pets : p.id]        ->  the same: a plain list of outputs
    the same, as plain  join(",", [for p in pets : p.id])
                                                      ->  apply(all([for p in pets : p.id]) as ids => join(",", ids))
    condition or key    {for p in pets : p.name => p.id}
        ->  apply(all([for p in pets : {name = p.name, id = p.id}]) as values => {for p in values : p.name => p.id})

The last form is two loops: the first collects, element by element, the values that the second needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.walk import binds, children, references, walk, with_children
from pclgen.lower.facts import key_of
from pclgen.lower.region import Lowering, PlainPlace, Region, applied, as_output, flat, parameter_names, plain_parts
from pclgen.lower.retype import plain_type, replaced, type_of_loop
from pclgen.source.text import Span
from pclgen.types.model import STRING, ObjectType, Type, list_of, object_of
from pclgen.types.traverse import iteration


def eventual_for(cx: Lowering, expr: core.For) -> core.Expr:
    """Lower a loop for a place that takes outputs."""
    if is_eventual(expr.collection.type):
        return _over_eventual(cx, expr)
    deciding = [part for part in (expr.result_key, expr.condition) if part is not None]
    if not any(cx.facts.of(part).waits for part in deciding):
        return _loop(cx, expr, None)
    if not cx.facts.is_blocked(expr):
        return applied(cx, expr)
    own = binds(expr)
    if _only_looks_at_elements(expr):
        return _over_resolved(cx, expr)
    if any(cx.facts.of(part).risky or not cx.facts.of(part).unit_free.isdisjoint(own) for part in deciding):
        return _in_two_loops(cx, expr)
    region = Region()
    return region.close(_loop(cx, expr, PlainPlace(region)), expr.span)


def _over_eventual(cx: Lowering, expr: core.For) -> core.Expr:
    region = Region()
    place = PlainPlace(region)
    if not cx.facts.is_blocked(expr):
        return region.close(plain_parts(cx, expr, place), expr.span)
    inner = replace(expr, collection=cx.plain(expr.collection, place))
    return region.close(flat(cx, eventual_for(cx, inner)), expr.span)


def _loop(cx: Lowering, expr: core.For, place: PlainPlace | None) -> core.For:
    """Lower a loop over a plain collection; its results may be eventual, its key and condition become plain in `place`."""
    deciding = {}
    for name, part in (("result_key", expr.result_key), ("condition", expr.condition)):
        deciding[name] = part if part is None or place is None else cx.plain(part, place)
    parts = [cx.eventual(expr.collection)]
    parts += [deciding["result_key"]] if deciding["result_key"] is not None else []
    parts.append(cx.eventual(expr.result))
    parts += [deciding["condition"]] if deciding["condition"] is not None else []
    loop = with_children(expr, parts)
    # Bound over an eventual collection the loop had an output type; the collection is plain now.
    return loop if loop is expr and not is_eventual(expr.type) else replace(loop, type=type_of_loop(loop))


def _only_looks_at_elements(expr: core.For) -> bool:
    """Return whether a loop only selects and compares the visited elements: `{ for k, v in m : k => v if v != null }`."""
    own = binds(expr)
    nodes = [node for part in children(expr)[1:] for node in walk(part)]
    return all(isinstance(node, core.Ref | core.Convert | core.Binary | core.Literal) for node in nodes) and all(
        symbol in own or not symbol.type.eventual for node in nodes for symbol, _ in references(node)
    )


def _over_resolved(cx: Lowering, expr: core.For) -> core.Expr:
    """Return a loop over the resolved collection: `apply(all(m) as m => { for k, v in m : … })`."""
    region = Region()
    collection = region.take(as_output(cx.eventual(expr.collection)), key_of(expr.collection), expr.span)
    way = iteration(collection.type)
    assert way is not None, "what a loop visits"
    item = replace(expr.value, type=way.element)
    element = core.Ref(symbol=item, type=item.type, span=item.span)
    parts = [collection, *(replaced(part, {expr.value: element}) for part in children(expr)[1:])]
    loop = replace(with_children(expr, parts), value=item)
    return region.close(replace(loop, type=type_of_loop(loop)), expr.span)


def _in_two_loops(cx: Lowering, expr: core.For) -> core.Expr:
    """Return two loops: the first creates a record per element, with all values that the second needs; see the module."""
    later = [part for part in (expr.result_key, expr.result) if part is not None]
    chooses = expr.condition is not None and cx.facts.of(expr.condition).waits
    if expr.condition is not None and chooses and any(cx.facts.of(part).risky for part in later):
        return _filtered_first(cx, expr, expr.condition)
    record = Region()
    place = PlainPlace(record)
    result_key = None if expr.result_key is None else cx.plain(expr.result_key, place)
    condition = None if expr.condition is None else cx.plain(expr.condition, place)
    result = cx.plain(expr.result, place)
    second = replace(expr, result_key=result_key, condition=condition, result=result)
    region = Region()
    return region.close(split_loop(cx, expr, second, record=record, region=region), expr.span)


def _filtered_first(cx: Lowering, expr: core.For, condition: core.Expr) -> core.Expr:
    """Lower a loop whose eventual condition guards risky units: it selects the elements before it uses them.

        [for i in xs : rs[i].out if r.names[i] == "a"]
            ->  apply(r.names as names => all([for v in [for i in xs : {i = i} if names[i] == "a"] : rs[v.i].out]))
    """
    own = binds(expr)
    variables = {symbol.name: core.Ref(symbol=symbol, type=symbol.type, span=symbol.span) for symbol in own}
    entry = _record(variables, expr.value.span)
    choice = replace(expr, result_key=None, result=entry, condition=condition, group=False, type=list_of(entry.type))
    region = Region()
    chosen = _chosen(cx, choice, region)
    element = chosen.result.type
    assert isinstance(element, ObjectType)
    item = core.Symbol(name=expr.value.name, kind=core.SymbolKind.LOOP, type=element, span=expr.value.span)
    members = {symbol: _member(item, symbol.name, element.members[symbol.name], symbol.span) for symbol in own}
    parts = [chosen, *(replaced(part, members) for part in (expr.result_key, expr.result) if part is not None)]
    rest = replace(with_children(replace(expr, condition=None), parts), key=None, value=item, splat=False)
    return region.close(flat(cx, cx.eventual(replace(rest, type=type_of_loop(rest)))), expr.span)


def _chosen(cx: Lowering, choice: core.For, region: Region) -> core.For:
    """Return the loop `choice` inside the apply of `region`."""
    assert choice.condition is not None
    record = Region()
    second = replace(choice, condition=cx.plain(choice.condition, PlainPlace(record)))
    return split_loop(cx, choice, second, record=record, region=region)


def split_loop(cx: Lowering, expr: core.For, second: core.For, *, record: Region, region: Region) -> core.For:
    """Return `second`, which is `expr` without the values in `record`, over the records that a first loop collects.

    The collected records become an argument of `region`.
    """
    _take_loop_variables(expr, children(second)[1:], record)
    names = parameter_names(record.args)
    first = _collecting_loop(expr, names, record)
    records = region.take(as_output(cx.eventual(first)), key_of(first), expr.span)
    record_type = plain_type(first.result.type)
    item = core.Symbol(name=expr.value.name, kind=core.SymbolKind.LOOP, type=record_type, span=expr.value.span)
    pairs = zip(record.parameters, names, strict=True)
    members = {symbol: _member(item, name, symbol.type, symbol.span) for symbol, name in pairs}
    for symbol, parameter in _loop_variable_parameters(expr, record):
        members[symbol] = members[parameter]
    parts = [records, *(replaced(part, members) for part in children(second)[1:])]
    loop = replace(with_children(second, parts), key=None, value=item, splat=False)
    return replace(loop, type=type_of_loop(loop))


def _member(item: core.Symbol, name: str, t: Type, span: Span) -> core.Attr:
    source = core.Ref(symbol=item, type=item.type, span=span)
    return core.Attr(source=source, name=name, field=None, type=t, span=span)


def _take_loop_variables(expr: core.For, parts: Sequence[core.Expr], record: Region) -> None:
    """Add the loop variables whose plain values `parts` use to the record."""
    used = {symbol for part in parts for symbol, _ in references(part)}
    for symbol in binds(expr):
        if symbol in used:
            ref = core.Ref(symbol=symbol, type=symbol.type, span=symbol.span)
            record.take(ref, key_of(ref), symbol.span)


def _loop_variable_parameters(expr: core.For, record: Region) -> list[tuple[core.Symbol, core.Symbol]]:
    own = binds(expr)
    pairs = []
    for arg, parameter in zip(record.args, record.parameters, strict=True):
        value = arg.value if isinstance(arg, core.All) else arg
        if isinstance(value, core.Ref) and value.symbol in own:
            pairs.append((value.symbol, parameter))
    return pairs


def _collecting_loop(expr: core.For, names: list[str], record: Region) -> core.For:
    entry = _record(dict(zip(names, record.args, strict=True)), expr.result.span)
    kind = list_of(entry.type)
    return replace(expr, result_key=None, result=entry, condition=None, group=False, splat=False, type=kind)


def _record(values: Mapping[str, core.Expr], span: Span) -> core.ObjectExpr:
    """Return an object with these members."""
    items = tuple(
        core.ObjectItem(key=core.Literal(value=name, type=STRING, span=value.span), value=value, span=value.span)
        for name, value in values.items()
    )
    return core.ObjectExpr(items=items, type=object_of({name: v.type for name, v in values.items()}), span=span)
