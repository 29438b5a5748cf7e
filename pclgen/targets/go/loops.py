"""For-expressions: a loop that fills a variable before the statement that uses it.

The variable replaces the `For` node (or splat).

    upper := make([]string, 0, len(names))
    for _, n := range names {
        upper = append(upper, "svc-"+n)
    }

Loops visit maps in key order, as in PCL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.predicates import is_natural, keys_may_collide
from pclgen.core.walk import free_symbols, walk
from pclgen.source.text import Span
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import coerce
from pclgen.targets.go.context import Block, CannotWriteError, Place, Value
from pclgen.targets.go.literals import by_value
from pclgen.targets.go.natives import boxed, chosen, describe, members_of_value, single_value
from pclgen.targets.go.spelling import native_type, natural_type, type_expr
from pclgen.types.model import ObjectType, OutputType


def natural_for(b: Block, e: core.For, hint: str) -> Value:
    """Return the result of a loop in the type of the node."""
    want = natural_type(b, e.type)
    return Value(for_into(b, e, want, hint), want)


def for_into(b: Block, e: core.For, want: gt.GoType, hint: str) -> go.Expr:
    """Return the result of a loop as a `want`; the loop builds the elements in a suitable type."""
    target = _target(b, e, want)
    node = _loop(b, e, target, hint)
    return coerce(b, Value(node, target), want, Place(e.span, hint))


def _target(b: Block, e: core.For, want: gt.GoType) -> gt.GoType:
    """Return the type that the loop builds, never null: plain if the body is plain and the whole result is convertible."""
    built = _built(b, e, want)
    return replace(built, native=gt.definite(built.native))


def _built(b: Block, e: core.For, want: gt.GoType) -> gt.GoType:
    own = natural_type(b, e.type)
    native = own.native
    if want == gt.input_(gt.ANY) and not e.group and isinstance(native, gt.Slice | gt.Map) and gt.holds_forms(native):
        return gt.composite(gt.like(native, gt.ANY))
    if want.form is gt.Form.PLAIN or not isinstance(want.native, gt.Slice | gt.Map) or e.group:
        return own if not _is_built_as(e, own.native, want) else gt.GoType(want.native, want.form, arguments=want.arguments)
    element = gt.without_pointer(want.native.element)
    if e.result.type.eventual or isinstance(element, gt.PackageStruct | gt.AnyNative):
        return gt.composite(gt.with_scalars(want.native)) if gt.has_family(want.native) else own
    return gt.plain(want.native)


def _is_built_as(e: core.For, own: gt.Native, want: gt.GoType) -> bool:
    if e.group and not (isinstance(want.native, gt.Map) and isinstance(want.native.element, gt.Slice)):
        return False  # a group grows
    return want.form is gt.Form.PLAIN and isinstance(want.native, type(own)) and isinstance(own, gt.Slice | gt.Map)


# -------------------------------------------------------------------------------------------------- the loop


def _loop(b: Block, e: core.For, target: gt.GoType, hint: str) -> go.Expr:
    variable = make.variable(hint)
    plan = plan_iteration(b, e.collection, (e.key, e.value), _used(e))
    out = go.Name(variable)
    groups = _group_type(b, e, target)
    b.emit(make.define([variable], _empty(b, e, target, plan) if groups is None else make.struct(groups, {})))
    body = plan.block
    if e.condition is None:
        _add(body, e, target, out)
    else:
        condition = body.into(e.condition, gt.plain(gt.BOOL), "condition")
        holder = body.inner()
        _add(holder, e, target, out)
        body.emit_if(condition, holder)
    if plan.unordered is not None and _shows_no_order(b, e, body):
        statements = body.statements if plan.unordered.value is None else body.statements[1:]
        b.emit(replace(plan.unordered, body=tuple(statements)))
    else:
        plan.emit(b)
    return out if groups is None else _as_inputs(b, out, target, hint)


def _shows_no_order(b: Block, e: core.For, body: Block) -> bool:
    """Return whether any order gives the same result: a map with distinct keys, and a body without effects or failures."""
    if e.result_key is None or e.group or keys_may_collide(e, b.file.distinct):
        return False
    acts = any(isinstance(part, core.Invoke | core.MethodCall) for part in walk(e))
    return not acts and all(isinstance(statement, go.Assign) for statement in body.statements)


def _group_type(b: Block, e: core.For, target: gt.GoType) -> go.Expr | None:
    """Return the type of a map with growable lists if the lists of `target` are SDK inputs; else None."""
    native = target.native
    if not e.group or target.form is gt.Form.PLAIN or not isinstance(native, gt.Map):
        return None
    return go.MapType(element=type_expr(b.file, gt.composite(native.element)))


def _as_inputs(b: Block, groups: go.Name, target: gt.GoType, hint: str) -> go.Expr:
    """Return the map of inputs with the lists of `groups`."""
    out = b.declare(hint, make.builtin("make", type_expr(b.file, target), make.length(groups)))
    key, items = make.variable("key"), make.variable("items")
    body = (make.assign(go.Index(out, go.Name(key)), go.Name(items)),)
    b.emit(go.ForRange(key=key, value=items, collection=groups, body=body))
    return out


def _used(e: core.For) -> frozenset[core.Symbol]:
    parts = [p for p in (e.result_key, e.result, e.condition) if p is not None]
    return frozenset(symbol for part in parts for symbol in free_symbols(part))


def _add(block: Block, e: core.For, target: gt.GoType, out: go.Expr) -> None:
    native = target.native
    assert isinstance(native, gt.Slice | gt.Map)
    element = native.element
    if e.group and isinstance(element, gt.Slice):
        element = element.element
    want = gt.GoType(element, arguments=target.arguments) if target.form is gt.Form.PLAIN else gt.input_(element)
    if e.result_key is None:
        node = block.into(e.result, want, "item")
        block.emit(make.append(out, by_value(node, want)))
        return
    key = block.into(e.result_key, gt.plain(gt.STRING), "key")
    node = by_value(block.into(e.result, want, "item"), want)
    if not make.is_simple(key) and (e.group or keys_may_collide(e, block.file.distinct)):
        key = block.declare("key", key)
    if keys_may_collide(e, block.file.distinct):
        _refuse_another(block, out, key)
    if not e.group:
        block.emit(make.assign(go.Index(out, key), node))
        return
    block.emit(make.append(go.Index(out, key), node))


def _refuse_another(block: Block, out: go.Expr, key: go.Expr) -> None:
    """`if _, ok := out[key]; ok { return fmt.Errorf(…) }`."""
    exists = make.variable("ok")
    problem = make.call(block.file.qualified("fmt", "Errorf"), go.Text("two elements have the key %q"), key)
    init = make.define([None, exists], go.Index(out, key))
    block.emit(go.If(condition=go.Name(exists), body=(block.leave(problem),), init=init))


def _empty(b: Block, e: core.For, target: gt.GoType, plan: Iteration) -> go.Expr:
    type_ = type_expr(b.file, target)
    if isinstance(target.native, gt.Map) or e.condition is not None or plan.size is None:
        return make.struct(type_, {})
    return make.builtin("make", type_, make.number(0), plan.size)


# ------------------------------------------------------------------------------------------------- collections


_Symbols: TypeAlias = tuple[core.Symbol | None, core.Symbol | None]
"""The key and the value of a loop."""


class Iteration(Struct, frozen=True):
    """A loop under construction: `header` has no body yet, `block` becomes the body.

    `unordered` is the header if the order does not matter. If it declares the value, the body must not: that is the first
    statement of `block`.
    """

    block: Block
    header: go.ForRange
    size: go.Expr | None = None
    unordered: go.ForRange | None = None

    def emit(self, outer: Block) -> None:
        """Put the loop into the surrounding block."""
        outer.emit(replace(self.header, body=tuple(self.block.statements)))


def plan_iteration(b: Block, collection: core.Expr, symbols: _Symbols, used: frozenset[core.Symbol]) -> Iteration:
    """Return a loop over `collection` that binds the symbols of key and value if they are used."""
    counter = _counting(b, collection)
    if counter is not None:
        loop = count_loop(b, counter, [s for s in symbols if s in used])
        assert isinstance(collection, core.Call)
        return loop if is_natural(collection.args[0], b.file.naturals) else replace(loop, size=None)
    hint = _collection_hint(collection)
    members = _members_of_literal(collection)
    if members:
        # The loop uses the members directly, without the object around them.
        place = Place(collection.span, hint)
        values = {name: b.natural(value, name) for name, value in members.items()}
        element = _element_of(b, symbols) or _awaited_element(b, _only(symbols, used), values.values())
        if element is not None:
            values = {name: Value(b.into(value, element, name), element) for name, value in members.items()}
        source = _as_map(b, values, place)
    else:
        source = b.natural(collection, hint)
    if isinstance(source.type.native, gt.AnyNative):
        decoded = b.file.session.decoded.holds(collection)
        return _dynamic_loop(b, source, _only(symbols, used), decoded=decoded)
    return iterate_value(b, source, symbols, used, hint=hint, at=collection.span)


def dynamic_entries(b: Block, source: Value, *, decoded: bool, hint: str) -> go.Expr:
    """Return the keys and values of a value that is a list or a map at run time."""
    helper = b.file.session.helper("entriesOf" if decoded else "entriesWithin")
    return b.attempt(hint, make.call(helper, source.node))


def _only(symbols: _Symbols, used: frozenset[core.Symbol]) -> _Symbols:
    """Return the symbols, None for unused ones."""
    key, value = symbols
    return key if key in used else None, value if value in used else None


def iterate_value(
    b: Block, source: Value, symbols: _Symbols, used: frozenset[core.Symbol], *, hint: str, at: Span
) -> Iteration:
    """Return a loop over a value that is already translated."""
    key, value = _only(symbols, used)
    native = source.type.native
    if source.type.form in (gt.Form.OUTPUT, gt.Form.INPUT):
        raise CannotWriteError("a loop over a value that is known later", at)
    if isinstance(native, gt.Slice):
        return _list_loop(b, source, native, (key, value), hint=hint)
    if isinstance(native, gt.Map) and not (native.members and isinstance(native.element, gt.AnyNative)):
        return _map_loop(b, source, native, (key, value), hint=hint)
    if isinstance(native, gt.Map | gt.LocalStruct | gt.PackageStruct):
        place, element = Place(at, hint), _element_of(b, symbols)
        source = b.reusable(source, hint)
        absent = gt.may_lack_members(native)
        if absent and value is None:
            assert isinstance(native, gt.Map)
            return _map_loop(b, source, native, (key, value), hint=hint)
        values = members_of_value(b, source, place)
        if element is not None:
            values = {name: Value(coerce(b, value, element, place), element) for name, value in values.items()}
        mapping = _as_map(b, values, place)
        assert isinstance(mapping.type.native, gt.Map)
        declared = b.declare(hint, mapping.node)
        members = Value(declared, mapping.type)
        return _map_loop(b, members, mapping.type.native, (key, value), hint=hint, keyed=source.node if absent else None)
    if isinstance(native, gt.AnyNative):
        return _dynamic_loop(b, source, (key, value))
    raise CannotWriteError(f"a loop over {describe(native)}", at)


def _element_of(b: Block, symbols: _Symbols) -> gt.GoType | None:
    """Return the form that the visited objects must share if they contain outputs; else None."""
    value = symbols[1]
    if value is None or not isinstance(value.type, ObjectType) or not value.type.eventual:
        return None
    return natural_type(b, value.type)


def _awaited_element(b: Block, symbols: _Symbols, values: Iterable[Value]) -> gt.GoType | None:
    """Return the form of visited outputs of structures if `values` have unlike types; else None."""
    value, natives = symbols[1], {value.type.native for value in values}
    if value is None or not isinstance(value.type, OutputType) or len(natives) < 2:
        return None
    element = natural_type(b, value.type)
    is_structure = isinstance(element.native, gt.Slice | gt.Map | gt.LocalStruct) and element.form is gt.Form.OUTPUT
    return element if is_structure else None


def _members_of_literal(collection: core.Expr) -> dict[str, core.Expr]:
    """Return the members of an object literal that contains outputs; {} for other expressions."""
    if (
        not isinstance(collection, core.ObjectExpr)
        or not isinstance(collection.type, ObjectType)
        or not collection.type.eventual
    ):
        return {}
    keys = [item.key.value if isinstance(item.key, core.Literal) else None for item in collection.items]
    return {key: item.value for key, item in zip(keys, collection.items, strict=True) if isinstance(key, str)}


def _as_map(b: Block, members: Mapping[str, Value], place: Place) -> Value:
    """Return the members of an object as a map; an SDK map if some members are deferred."""
    element = next((v.type.native for v in members.values()), gt.ANY)
    if any(v.type.native != element for v in members.values()):
        element = gt.ANY
    if all(v.type.is_plain for v in members.values()):
        result = gt.plain(gt.Map(element))
        nodes = {n: _untyped(v.node) if isinstance(element, gt.Map) else v.node for n, v in members.items()}
        if element == gt.ANY:
            nodes = {n: boxed(b, v) for n, v in members.items()}
        return Value(make.mapping(native_type(b.file, gt.Map(element)), nodes), result)
    if gt.holds_declared(element):
        # It is unknown which map types a package has for its types.
        held = gt.output(element)
        nodes = {n: coerce(b, v, held, place) for n, v in members.items()}
        native = gt.Map(gt.Held(held))
        return Value(make.mapping(native_type(b.file, native), nodes), gt.plain(native))
    result = gt.composite(gt.Map(element if gt.has_family(gt.Map(element)) else gt.ANY))
    assert isinstance(result.native, gt.Map)
    want = gt.input_(result.native.element)
    nodes = {n: coerce(b, v, want, place) for n, v in members.items()}
    return Value(make.mapping(type_expr(b.file, result), nodes), result)


def _untyped(node: go.Expr) -> go.Expr:
    """Return a literal without its type, which the enclosing literal implies."""
    return replace(node, type=None) if isinstance(node, go.Composite) else node


def _dynamic_loop(b: Block, source: Value, symbols: _Symbols, *, decoded: bool = False) -> Iteration:
    """Return a loop over a value that is a list or a map at run time."""
    entries = dynamic_entries(b, source, decoded=decoded, hint="entries")
    body = b.inner()
    entry = make.variable("entry")
    for symbol, member in zip(symbols, ("key", "value"), strict=True):
        if symbol is not None:
            held = make.variable(_loop_name(symbol, member))
            body.emit(make.define([held], go.Index(go.Name(entry), go.Text(member))))
            body.bind(symbol, Value(go.Name(held), gt.plain(gt.ANY)))
    header = go.ForRange(key=None, value=entry, collection=entries, body=())
    return Iteration(body, header, make.length(entries))


def _collection_hint(collection: core.Expr) -> str:
    if isinstance(collection, core.Ref):
        return collection.symbol.name
    return collection.name if isinstance(collection, core.Attr) else "items"


def _counting(b: Block, collection: core.Expr) -> go.Expr | None:
    """Return the limit of `range(n)`, which Go counts without a list; None for other collections."""
    if isinstance(collection, core.Call) and collection.function.name == "range" and len(collection.args) == 1:
        return b.into(collection.args[0], gt.plain(gt.INT), "count")
    return None


def count_loop(b: Block, limit: go.Expr, symbols: Sequence[core.Symbol]) -> Iteration:
    """Return a loop from zero to below `limit` that binds `symbols`."""
    body = b.inner()
    counter = make.variable(_loop_name(symbols[0], "i")) if symbols else None
    body.file.naturals.update(symbols)
    if counter is not None:
        for symbol in symbols:
            body.bind(symbol, Value(go.Name(counter), gt.plain(gt.INT)))
    header = go.ForRange(key=counter, value=None, collection=limit, body=())
    return Iteration(body, header, limit if make.is_simple(limit) else None)


def _loop_name(symbol: core.Symbol | None, fallback: str) -> str:
    """Return the name of a loop variable; `range.key` and `range.value` use `fallback`."""
    return symbol.name if symbol is not None and symbol.kind is core.SymbolKind.LOOP and symbol.name else fallback


def _element_type(source: Value, native: gt.Slice | gt.Map) -> gt.GoType:
    return gt.input_(native.element) if source.type.form is gt.Form.COMPOSITE else gt.element_of(native)


def _list_loop(b: Block, source: Value, native: gt.Slice, symbols: _Symbols, *, hint: str) -> Iteration:
    key, value = symbols
    collection = _header(b, source, hint)
    body = b.inner()
    key_variable = make.variable(_loop_name(key, "i")) if key is not None else None
    value_variable = make.variable(value.name, "value") if value is not None else None
    if key is not None and key_variable is not None:
        body.file.naturals.add(key)
        body.bind(key, Value(go.Name(key_variable), gt.plain(gt.INT)))
    if value is not None and value_variable is not None:
        body.bind(value, _bound_element(body, value, value_variable, _element_type(source, native)))
    header = go.ForRange(key=key_variable, value=value_variable, collection=collection, body=())
    return Iteration(body, header, _size(collection))


def _bound_element(body: Block, symbol: core.Symbol, variable: go.Variable, element: gt.GoType) -> Value:
    """Return a loop variable, asserted to its known type if its Go type is `any`."""
    native = body.file.session.natives.native(symbol.type)
    node = go.Name(variable)
    if (
        element.is_plain
        and isinstance(element.native, gt.AnyNative)
        and isinstance(native, gt.Map | gt.LocalStruct | gt.Slice)
    ):
        return Value(chosen(body, node, native, variable.preferred_names[0]), gt.plain(native))
    return single_value(body, Value(node, element), symbol.type, variable.preferred_names[0])


def _header(b: Block, source: Value, hint: str) -> go.Expr:
    """Return a collection that is valid in a loop header."""
    node = source.node
    if isinstance(node, go.Composite | go.Unary):
        return b.declare(hint, node)
    return node


def _map_loop(
    b: Block, source: Value, native: gt.Map, symbols: _Symbols, *, hint: str, keyed: go.Expr | None = None
) -> Iteration:
    """Return a loop over a map; `keyed`, if set, has the keys to visit."""
    key, value = symbols
    collection = _header(b, source, hint)
    if value is not None and not make.is_simple(collection):
        collection = b.declare(hint, collection)
    body = b.inner()
    key_variable = make.variable(_loop_name(key, "key"))
    if key is not None:
        body.bind(key, Value(go.Name(key_variable), gt.plain(gt.STRING)))
    keys = b.file.sorted_keys(keyed or collection)
    value_variable = None
    if value is not None:
        value_variable = make.variable(value.name, "value")
        body.emit(make.define([value_variable], go.Index(collection, go.Name(key_variable))))
        body.bind(value, _bound_element(body, value, value_variable, _element_type(source, native)))
    shown = key_variable if key is not None else None
    unordered = go.ForRange(key=shown, value=value_variable, collection=collection, body=())
    is_ordered = key is not None or value is not None
    header = go.ForRange(key=None, value=key_variable, collection=keys, body=()) if is_ordered else unordered
    return Iteration(body, header, _size(collection), unordered if keyed is None else None)


def _size(collection: go.Expr) -> go.Expr | None:
    """Return the number of elements of a collection that code can repeat."""
    return make.length(collection) if make.is_simple(collection) else None
