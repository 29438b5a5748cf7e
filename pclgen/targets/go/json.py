"""JSON text (targets 6.10).

Comes in: calls of `toJSON`.  Goes out: `json.Marshal` of plain values, with its error returned; `pulumi.JSONMarshal` of
values with outputs inside.  Objects are given as maps under their wire names, which Go prints in the order of keys.
"""

from __future__ import annotations

from pclgen.core.expr import Call, Expr, ListExpr, Literal, ObjectExpr
from pclgen.targets.go import build as make
from pclgen.targets.go import expressions as ex
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, coerce
from pclgen.targets.go.context import Block, Place, Value
from pclgen.targets.go.gotypes import (
    ANY,
    STRING,
    AnyNative,
    Form,
    LocalStruct,
    Map,
    Native,
    Pointer,
    Slice,
    Struct,
    output,
    plain,
)
from pclgen.targets.go.natives import convert_native


def call_to_json(b: Block, e: Call, hint: str) -> Value:
    """`toJSON(value)`."""
    argument = e.args[0]
    if argument.type.eventual:
        node = json_value(b, argument)
        return Value(make.call(b.file.pulumi("JSONMarshal"), node), output(STRING))
    node = json_value(b, argument)
    data = b.attempt(f"{hint}JSON", make.call(b.file.qualified("encoding/json", "Marshal"), node))
    return Value(make.call(make.STRING, data), plain(STRING))


def json_value(b: Block, e: Expr) -> go.Expr:
    """A value for the JSON encoder: literals as `map[string]any` and `[]any`, everything else as it is."""
    if isinstance(e, ObjectExpr):
        return _object(b, e)
    if isinstance(e, ListExpr):
        items = [json_value(b, item) for item in e.elements]
        return make.listing(go.SliceType(element=make.ANY), items)
    if isinstance(e, Literal) and e.value is None:
        return make.NIL
    value = ex.natural(b, e, "value")
    if value.type.form is Form.INPUT or value.type.form is Form.COMPOSITE:
        value = as_output(b, value)
    if value.type.is_plain:
        return _plain_value(b, value, e)
    return value.node


def _object(b: Block, e: ObjectExpr) -> go.Expr:
    items: dict[object, go.Element] = {}
    for item in e.items:
        key = ex.into(b, item.key, plain(STRING), "key")
        name: object = key.value if isinstance(key, go.Text) else item
        items.pop(name, None)
        items[name] = go.Element(key=key, value=json_value(b, item.value))
    return go.Composite(type=go.MapType(element=make.ANY), elements=tuple(items.values()))


def _plain_value(b: Block, value: Value, e: Expr) -> go.Expr:
    """Structs have no place in JSON text: their members come by wire name, in the order of keys."""
    native = value.type.native
    if isinstance(native, LocalStruct | Struct):
        return convert_native(b, value, Map(ANY, _any_members(native)), Place(e.span))
    if isinstance(native, Slice) and isinstance(native.element, LocalStruct | Struct):
        target = Slice(Map(ANY, _any_members(native.element)))
        return coerce(b, value, plain(target), Place(e.span, "items"))
    if isinstance(native, Pointer) and isinstance(native.element, LocalStruct | Struct):
        kept = b.reusable(value, "value")
        out = b.variable("value", make.ANY)
        inner = b.inner()
        there = Value(kept.node, plain(native.element))
        node = convert_native(inner, there, Map(ANY, _any_members(native.element)), Place(e.span))
        inner.emit(make.assign(out, node))
        b.emit(go.If(condition=make.binary(kept.node, "!=", make.NIL), body=tuple(inner.statements)))
        return out
    return value.node


def _any_members(native: LocalStruct | Struct) -> tuple[tuple[str, Native], ...]:
    if isinstance(native, LocalStruct):
        return tuple((name, AnyNative()) for name, _ in native.members)
    return ()
