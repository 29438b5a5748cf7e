"""JSON text (targets.md, JSON).

Objects become maps under their wire names; Go's encoder sorts the keys of maps.
"""

from __future__ import annotations

from pclgen.core.expr import Call, Expr, ListExpr, ObjectExpr
from pclgen.core.jsontext import Trait, traits
from pclgen.core.predicates import is_null
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, awaited_elements, coerce
from pclgen.targets.go.context import Block, Place, Value
from pclgen.targets.go.literals import comment_lines
from pclgen.targets.go.shapes import is_of_structs
from pclgen.targets.origins import member_of


def call_to_json(b: Block, e: Call, hint: str) -> Value:
    """`toJSON(value)`."""
    node = json_value(b, e.args[0])
    if e.args[0].type.eventual:
        return Value(make.call(b.file.pulumi("JSONMarshal"), node), gt.output(gt.STRING))
    return _marshaled(b, node, hint)


def call_to_canonical_json(b: Block, e: Call, hint: str) -> Value:
    """`canonicalJSON(value)`, with helpers where the encoder would escape HTML characters."""
    argument = e.args[0]
    node = json_value(b, argument)
    if argument.type.eventual:
        return Value(make.call(b.file.session.helper("jsonOutput"), node), gt.output(gt.STRING))
    if traits(argument) & (Trait.TEXT | Trait.MARKUP):
        return Value(b.attempt(_json_name(hint), make.call(b.file.session.helper("toJSON"), node)), gt.plain(gt.STRING))
    return _marshaled(b, node, hint)


def _marshaled(b: Block, node: go.Expr, hint: str) -> Value:
    data = b.attempt(_json_name(hint), make.call(b.file.qualified("encoding/json", "Marshal"), node))
    return Value(make.call(make.STRING, data), gt.plain(gt.STRING))


def _json_name(hint: str) -> str:
    return hint if hint.lower().endswith("json") else f"{hint}_json"


def json_value(b: Block, e: Expr) -> go.Expr:
    """Return a value for the JSON encoder: literals as `map[string]any` and `[]any`, other values unchanged."""
    if isinstance(e, ObjectExpr):
        return _object(b, e)
    if isinstance(e, ListExpr):
        return _list(b, e)
    if is_null(e):
        return make.NIL
    value = b.natural(e, "value")
    if value.type.form is gt.Form.INPUT or value.type.form is gt.Form.COMPOSITE:
        value = as_output(b, value)
    native = value.type.native
    if not gt.holds_struct(native) and not is_of_structs(b, e.type):
        return coerce(b, value, gt.input_(gt.ANY), Place(e.span, "value")) if gt.holds_forms(native) else value.node
    if isinstance(native, gt.Slice | gt.Map) and gt.holds_forms(native):
        value = awaited_elements(b, value, native, Place(e.span))
    # JSON text has no structs: their members are written under wire names, in key order.
    helper = b.file.session.helper("propertiesOf")
    return make.call(helper, value.node) if value.type.is_plain else make.method(value.node, "ApplyT", helper)


def _list(b: Block, e: ListExpr) -> go.Expr:
    noted = e.comments or (None,) * len(e.elements)
    items = tuple(
        go.Element(value=json_value(b, item), comments=comment_lines(comments))
        for item, comments in zip(e.elements, noted, strict=True)
    )
    return go.Composite(type=go.SliceType(element=make.ANY), elements=items, closing=e.closing)


def _object(b: Block, e: ObjectExpr) -> go.Expr:
    items: dict[object, go.Element] = {}
    for item in e.items:
        key = b.into(item.key, gt.plain(gt.STRING), "key")
        name: object = key.value if isinstance(key, go.Text) else item
        items.pop(name, None)
        value, comments = json_value(b, item.value), comment_lines(item.comments)
        items[name] = go.Element(key=key, value=value, comments=comments, origin=member_of(item))
    return go.Composite(type=go.MapType(element=make.ANY), elements=tuple(items.values()), closing=e.closing)
