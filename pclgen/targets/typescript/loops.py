"""For-expressions and splats: `map`, `filter`, `Object.fromEntries` (targets.md, Operators and loops).

Loops visit maps in the order of their keys, with the helper `sortedEntries`. Where the order does not matter (the result
is an object), `Object.entries` is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.predicates import keys_may_collide
from pclgen.core.walk import references, rewrite, walk
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, parameters, pattern, translate, unused
from pclgen.targets.typescript.conversions import (
    argument,
    choices,
    chooses_unlike_maps,
    have_no_common_type,
)
from pclgen.targets.typescript.operators import condition, narrowed
from pclgen.targets.typescript.steps import ANY_RECORD, is_keyed, with_common_type
from pclgen.types import model as ty
from pclgen.types.convert import member_type


def loop(cx: Context, expr: core.For) -> ts.TsExpr:
    """A list, an object, or groups."""
    if is_over_nothing(expr):
        # TypeScript infers `never`, which has no members, for the elements of an empty collection.
        return ts.Array(()) if expr.result_key is None else ts.Object(())
    expr, cx = _without_entries(expr), cx.in_function()
    plain = ty.without_none(ty.resolve(expr.collection.type))
    cx.file.naturals.update(_naturals(expr))
    if is_keyed(plain) or plain is ty.DYNAMIC:
        return _over_entries(cx, expr)
    return _over_list(cx, expr)


def is_over_nothing(expr: core.For) -> bool:
    """Return whether the collection of a loop has the type of `[]`, or is the result of such a loop."""
    kind = ty.without_none(ty.resolve(expr.collection.type))
    is_empty = isinstance(kind, ty.TupleType) and not kind.elements
    return is_empty or (isinstance(expr.collection, core.For) and is_over_nothing(expr.collection))


def _naturals(expr: core.For) -> Iterator[core.Symbol]:
    """The symbols of natural numbers: positions in a list, and elements of `range(n)`."""
    if expr.key is not None and isinstance(ty.without_none(ty.resolve(expr.collection.type)), ty.ListType | ty.TupleType):
        yield expr.key
    source = expr.collection
    if isinstance(source, core.Call) and source.function.name == "range" and len(source.args) == 1:
        yield expr.value


def _without_entries(expr: core.For) -> core.For:
    """A loop over the map itself for `[for e in entries(m) : f(e.key, e.value)]`."""
    source = expr.collection
    if not (isinstance(source, core.Call) and source.function.name == "entries" and is_keyed(source.args[0].type)):
        return expr
    parts = _parts(expr)
    steps = [n for p in parts for n in walk(p) if isinstance(n, core.Attr) and _is_ref(n.source, expr.value)]
    uses = [n for p in parts for n in walk(p) if _is_ref(n, expr.value)]
    if expr.key is not None or len(uses) != len(steps) or any(n.name not in ("key", "value") for n in steps):
        return expr
    types = {n.name: n.type for n in steps}
    symbols = {
        name: core.Symbol(name=name, kind=core.SymbolKind.LOOP, type=types.get(name, ty.DYNAMIC), span=expr.value.span)
        for name in ("key", "value")
    }

    def change(node: core.Expr) -> core.Expr:
        if isinstance(node, core.Attr) and _is_ref(node.source, expr.value):
            return core.Ref(symbol=symbols[node.name], type=node.type, span=node.span)
        return node

    return replace(
        expr,
        collection=source.args[0],
        key=symbols["key"],
        value=symbols["value"],
        result=rewrite(expr.result, change),
        result_key=None if expr.result_key is None else rewrite(expr.result_key, change),
        condition=None if expr.condition is None else rewrite(expr.condition, change),
    )


def _is_ref(expr: core.Expr, symbol: core.Symbol | None) -> bool:
    return isinstance(expr, core.Ref) and expr.symbol is symbol


def _parts(expr: core.For, *, tested: bool = True) -> list[core.Expr]:
    """Return the expressions evaluated for each element; `tested`: also the condition."""
    parts = (expr.result_key, expr.result, expr.condition if tested else None)
    return [part for part in parts if part is not None]


def _uses(expr: core.For, symbol: core.Symbol | None) -> bool:
    """Return whether an expression evaluated for each element reads `symbol`."""
    return any(used is symbol for part in _parts(expr) for used, _ in references(part))


def _collection(cx: Context, expr: core.For) -> ts.TsExpr:
    assert not is_eventual(expr.collection.type)
    node = translate(cx.with_null(False), expr.collection)
    node = with_common_type(cx, node, expr.collection)
    if not cx.is_promised(expr.collection) and ty.resolve(expr.collection.type) is not ty.DYNAMIC:
        empty: ts.TsExpr = ts.Object(()) if is_keyed(expr.collection.type) else ts.Array(())
        return ts.Binary("??", node, empty)
    return node


def _over_list(cx: Context, expr: core.For) -> ts.TsExpr:
    if _is_counted(expr):
        return _counted(cx, expr)
    source = _collection(cx, expr)
    if expr.condition is not None:
        if _uses(expr, expr.key):
            return _filtered_by_index(cx, expr, expr.condition, source)
        tested = parameters(cx.bind_parameters((expr.value,), (expr.condition,)))
        source = build.method(source, "filter", ts.Arrow(tested, condition(cx, expr.condition)))
    key, value = cx.bind_parameters((expr.key, expr.value), _parts(expr))
    result = _result(cx, expr)
    if isinstance(result, ts.Name) and result.variable is value:
        return source
    return _finish(cx, expr, build.method(source, "map", ts.Arrow(parameters([value, key]), result)))


def _is_counted(expr: core.For) -> bool:
    """`[for i in range(n) : f(i)]`, which needs no list of numbers."""
    source = expr.collection
    if not isinstance(source, core.Call) or source.function.name != "range" or len(source.args) != 1 or source.expand:
        return False
    return not _uses(expr, expr.key) and expr.condition is None and expr.result_key is None


def _counted(cx: Context, expr: core.For) -> ts.TsExpr:
    assert isinstance(expr.collection, core.Call)
    length = argument(cx, expr.collection.args[0])
    (value,) = cx.bind_parameters((expr.value,), (expr.result,))
    result = translate(cx.with_null(True), expr.result)
    return build.call("Array", "from", build.object_of(("length", length)), ts.Arrow(parameters([None, value]), result))


def _filtered_by_index(cx: Context, expr: core.For, test: core.Expr, source: ts.TsExpr) -> ts.TsExpr:
    """A filtered loop that uses positions in the unfiltered list: it pairs them with the elements before filtering."""
    key, value = cx.bind_parameters((expr.key, expr.value), _parts(expr))
    assert key is not None
    if expr.result_key is None:
        chosen = ts.Conditional(condition(cx, test), ts.Array((_result(cx, expr),)), ts.Array(()))
        return build.method(source, "flatMap", ts.Arrow(parameters([value, key]), chosen))
    value = value or ts.Variable(("value",))
    pair = ts.As(ts.Array((ts.Name(key), ts.Name(value))), ts.TypeName("const"))
    paired = build.method(source, "map", ts.Arrow(parameters([value, key]), pair))
    filtered = build.method(paired, "filter", _tested_entry(cx, expr, test))
    return _finish(cx, expr, build.method(filtered, "map", _entry(cx, expr)))


def _tested_entry(cx: Context, expr: core.For, test: core.Expr) -> ts.Arrow:
    """`([key, value]) => condition`."""
    parameters = cx.bind_parameters((expr.key, expr.value), (test,))
    return ts.Arrow(pattern(parameters), condition(cx, test))


def _entry(cx: Context, expr: core.For) -> ts.Arrow:
    """`([key, value]) => result`."""
    parameters = cx.bind_parameters((expr.key, expr.value), _parts(expr, tested=False))
    return ts.Arrow(pattern(parameters), _result(cx, expr))


def _over_entries(cx: Context, expr: core.For) -> ts.TsExpr:
    source = _collection(cx, expr)
    ordered = expr.result_key is None or expr.group
    untyped = ty.resolve(expr.collection.type) is ty.DYNAMIC
    if not _uses(expr, expr.value) and not untyped and expr.condition is None and ordered:
        keys = build.method(_keys(source) or build.call("Object", "keys", source), "sort")
        if expr.result_key is None and _is_ref(expr.result, expr.key):
            return keys
        (key,) = cx.bind_parameters((expr.key,), _parts(expr))
        return _finish(cx, expr, build.method(keys, "map", build.arrow([key or unused()], _result(cx, expr))))
    entries: ts.TsExpr = (
        entries_of(source, expr.collection)
        if ordered or untyped
        else build.call("Object", "entries", _as_map(source, expr.collection))
    )
    if expr.condition is not None:
        entries = build.method(entries, "filter", _tested_entry(cx, expr, expr.condition))
    if _is_ref(expr.result, expr.value) and expr.result_key is not None and _is_ref(expr.result_key, expr.key):
        return _finish(cx, expr, entries)
    return _finish(cx, expr, build.method(entries, "map", _entry(cx, expr)))


def _keys(source: ts.TsExpr) -> ts.TsExpr | None:
    """`[...new Set(users)]` for the keys of `groupByKey(users.map((u) => [u, u]))`."""
    match source:
        case ts.Call(
            callee=ts.Helper(name="groupByKey") | ts.Member(source=ts.Global(name="Object"), name="fromEntries"),
            args=(ts.Call(callee=ts.Member(source=each, name="map") as mapped, args=(ts.Arrow(body=body) as arrow,)),),
        ) if isinstance(body, ts.Array) and len(arrow.parameters) == 1:
            key = body.elements[0]
        case _:
            return None
    names = arrow.parameters[0].variables if not arrow.parameters[0].pattern else ()
    is_same = isinstance(key, ts.Name) and names == (key.variable,)
    values = each if is_same else ts.Call(mapped, (ts.Arrow(arrow.parameters, key),))
    return ts.Array((ts.Spread(ts.New(ts.Global("Set"), (values,))),))


def _result(cx: Context, expr: core.For) -> ts.TsExpr:
    cx = cx.having_tested(narrowed(cx, expr.condition)).after_filter(_unseen(expr))
    result = translate(cx, expr.result)
    return result if expr.result_key is None else ts.Array((translate(cx, expr.result_key), result))


def _unseen(expr: core.For) -> Iterator[core.Symbol]:
    """The names in the condition of a loop, a separate function: TypeScript follows only `(x) => x != null`."""
    test = expr.condition
    if test is None:
        return
    is_list = not (is_keyed(expr.collection.type) or ty.resolve(expr.collection.type) is ty.DYNAMIC)
    is_simple = isinstance(test, core.Binary) and test.operator == "!=" and _is_ref(test.left, expr.value)
    for symbol, _ in references(test):
        if not (symbol is expr.value and is_list and is_simple):
            yield symbol


def _finish(cx: Context, expr: core.For, entries: ts.TsExpr) -> ts.TsExpr:
    if expr.result_key is None:
        return entries
    if expr.group:
        return ts.Call(ts.Helper("groupByKey"), (entries,))
    if keys_may_collide(expr, cx.file.distinct):
        return ts.Call(ts.Helper("fromUniqueEntries"), (entries,))
    return build.call("Object", "fromEntries", entries)


def entries_of(source: ts.TsExpr, expr: core.Expr) -> ts.TsExpr:
    """The pairs of the map `expr`, translated to `source`, sorted by key."""
    helper = "entriesOf" if ty.without_none(ty.resolve(expr.type)) is ty.DYNAMIC else "sortedEntries"
    return ts.Call(ts.Helper(helper), (_as_map(source, expr),))


def _as_map(source: ts.TsExpr, expr: core.Expr) -> ts.TsExpr:
    """An object as a map.

    A declared object is copied: to TypeScript an interface is not a map.  Members of different types become `any`.
    """
    plain = ty.without_none(ty.resolve(expr.type))
    if isinstance(plain, ty.NominalType):
        return ts.Object((ts.Spread(source),))
    if isinstance(plain, ty.UnionType):
        return ts.As(source, ANY_RECORD)
    if isinstance(expr, core.Index) and chooses_unlike_maps(expr):
        return ts.As(source, ANY_RECORD)
    if not isinstance(plain, ty.ObjectType):
        return source
    element = ty.without_none(member_type(plain.members.values()))
    kinds = element.members if isinstance(element, ty.UnionType) else (element,)
    is_choice = any(isinstance(ty.without_none(ty.resolve(member)), ty.UnionType) for member in plain.members.values())
    may_choose = isinstance(expr, core.Conditional | core.Call | core.Index)
    if is_choice or (may_choose and have_no_common_type(tuple(choices(expr)))):
        return ts.As(source, ANY_RECORD)  # a choice of objects: TypeScript infers the type of one of them
    has_one_type = len(kinds) == 1 and not (isinstance(element, ty.ObjectType) and element.lacking)
    if (
        not plain.lacking
        and element is not ty.DYNAMIC
        and (has_one_type or all(isinstance(k, ty.PrimitiveType) for k in kinds))
    ):
        return source
    return ts.As(source, ANY_RECORD)
