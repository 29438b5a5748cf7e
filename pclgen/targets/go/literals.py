"""Literals, lists and objects, built in the type of their destination, and JSON text of them (targets.md, JSON).

The inputs are `Literal`, `ListExpr` and `ObjectExpr` nodes and the wanted type.

    ["a", x] into a StringArrayInput  ->  pulumi.StringArray{pulumi.String("a"), pulumi.String(x)}
    { port = 80 } into a RuleInput    ->  &pkg.RuleArgs{Port: pulumi.Int(80)}

If resources use the literal of a local only as inputs of a single type, the literal is created in that type and needs no
conversion at its uses:

    connection := &remote.ConnectionArgs{Host: server.PublicIp, User: pulumi.String("root")}

For JSON text, objects become maps under their wire names; Go's encoder sorts the keys of maps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.expr import Call, Expr, ListExpr, ObjectExpr
from pclgen.core.jsontext import Trait, traits
from pclgen.core.plurals import singular
from pclgen.core.predicates import is_null
from pclgen.core.program import Input, Local, Program, Resource
from pclgen.core.walk import expressions_of, walk
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.build import fractional, is_int64, number_text
from pclgen.targets.go.coerce import as_output, awaited_elements, coerce, nothing, scalar_input
from pclgen.targets.go.context import Block, CannotWriteError, Place, Value
from pclgen.targets.go.names import type_name
from pclgen.targets.go.natives import boxed, describe, plain_fields
from pclgen.targets.go.sdk import CORE_PATH, property_name, sdk_of
from pclgen.targets.go.spelling import is_of_structs, native_type, natural_type, symbol_expr, type_expr
from pclgen.targets.origins import member_of
from pclgen.types import model as ty
from pclgen.types.declarations import Field, Shape
from pclgen.types.model import InputType


def referenced_symbol(e: core.Expr) -> core.Symbol | None:
    """Return the symbol that `e` refers to, directly or through conversions, `All` and identity applies; else None."""
    match e:
        case core.Ref():
            return e.symbol
        case core.Convert() | core.All():
            return referenced_symbol(e.value)
        case core.Apply(args=(argument,), parameters=(parameter,)) if referenced_symbol(e.body) is parameter:
            return referenced_symbol(argument)
        case _:
            return None


def locals_as_inputs(program: Program, natives: gt.Natives) -> Mapping[core.Symbol, gt.GoType]:
    """Return the input type of each local whose only uses are inputs of that type."""
    literals = {n.symbol: n.value for n in program.nodes if isinstance(n, Local) and _has_elements(n.value)}
    if not literals:
        return {}
    uses = Counter(
        e.symbol for n in program.nodes for root in expressions_of(n) for e in walk(root) if isinstance(e, core.Ref)
    )
    as_inputs: dict[core.Symbol, list[gt.GoType]] = {}
    for node in program.nodes:
        if isinstance(node, Resource) and node.declaration is not None:
            fields = (node.declaration.inputs if node.read_id is None else node.declaration.state).fields(Shape.INPUT)
            for item in node.inputs:
                symbol, declared = referenced_symbol(item.value), fields.get(item.name)
                if symbol in literals and declared is not None and isinstance(declared.type, InputType):
                    as_inputs.setdefault(symbol, []).append(gt.input_(gt.definite(natives.native(declared.type))))
    return {
        symbol: types[0]
        for symbol, types in as_inputs.items()
        if len(types) == uses[symbol] and all(t == types[0] for t in types) and _can_hold(types[0], literals[symbol])
    }


def _has_elements(value: core.Expr) -> bool:
    elements = value.items if isinstance(value, core.ObjectExpr) else isinstance(value, core.ListExpr) and value.elements
    return bool(elements)


def _can_hold(t: gt.GoType, literal: core.Expr) -> bool:
    native = gt.without_pointer(t.native)
    assert t.form is gt.Form.INPUT
    return isinstance(
        native, gt.Slice if isinstance(literal, core.ListExpr) else gt.PackageStruct | gt.Map
    ) and gt.has_family(native)


# ------------------------------------------------------------------------------------------------- scalars


def natural_literal(b: Block, e: core.Literal) -> Value:
    """Return a constant in its own type."""
    value = e.value
    if value is None:
        return Value(make.NIL, gt.plain(gt.NIL))
    if isinstance(e.type, ty.EnumType):
        return _enum_literal(b, e, e.type)
    if isinstance(value, bool):
        return Value(make.TRUE if value else make.FALSE, gt.plain(gt.BOOL))
    if isinstance(value, str):
        return Value(go.Text(value, multiline=e.multiline or value.count("\n") > 4), gt.plain(gt.STRING))
    is_whole = isinstance(value, int) and is_int64(value)
    if is_whole and b.file.session.natives.native(e.type) == gt.INT:
        return Value(make.number(number_text(value)), gt.plain(gt.INT))
    return Value(fractional(make.number(number_text(value))), gt.plain(gt.FLOAT))


def _enum_literal(b: Block, e: core.Literal, t: ty.EnumType) -> Value:
    native = gt.EnumNative(t.declaration)
    value: object = float(e.value) if isinstance(e.value, Decimal) else e.value
    member = t.declaration.member(value)
    if member is None or member.python_name:
        inner = natural_literal(b, core.Literal(value=e.value, type=t.base, span=e.span))
        if member is not None:
            # The name of the constant is unknown. Code that needs the enum converts the value.
            return inner
        return Value(make.call(native_type(b.file, native), inner.node), gt.plain(native))
    symbol = sdk_of(t.declaration.package).enum_member(t.declaration, member)
    return Value(symbol_expr(b.file, symbol), gt.plain(native))


def literal_into(b: Block, e: core.Literal, want: gt.GoType, hint: str) -> go.Expr:
    """Return a constant as a `want`."""
    value = natural_literal(b, e)
    native = gt.without_pointer(want.native)
    if isinstance(value.node, go.Number) and native in gt.NUMBERS:
        value = Value(make.number(value.node.text.removesuffix(".0")), gt.plain(native))
    if want.form is gt.Form.INPUT and isinstance(native, gt.Scalar) and e.value is not None:
        return scalar_input(b, value, native, Place(e.span, hint))
    return coerce(b, value, want, Place(e.span, hint))


# ------------------------------------------------------------------------------------------ lists and objects


def into_literal(b: Block, e: core.ListExpr | core.ObjectExpr, want: gt.GoType, hint: str) -> go.Expr:
    """Return a list or an object as a `want`."""
    native = gt.without_pointer(want.native)
    if want.form is gt.Form.OUTPUT:
        inner = natural_type(b, e.type)
        container = gt.Slice if isinstance(e, core.ListExpr) else gt.Map
        if e.type.eventual and isinstance(native, container) and gt.has_family(native):
            inner = gt.composite(native)
        if inner.is_plain and inner.native == native:
            inner = gt.plain(native)  # whose members may be optional
        return coerce(b, Value(into_literal(b, e, inner, hint), inner), want, Place(e.span, hint))
    if isinstance(native, gt.AnyNative):
        return _into_any(b, e, want, hint)
    if isinstance(native, gt.Slice if isinstance(e, core.ListExpr) else gt.Map):
        return _container(b, e, want, hint)
    if isinstance(e, core.ObjectExpr) and isinstance(native, gt.PackageStruct):
        return _struct(b, e, native, want)
    if isinstance(e, core.ObjectExpr) and isinstance(native, gt.LocalStruct):
        return _local_struct(b, e, want, hint)
    raise CannotWriteError(f"{'a list' if isinstance(e, core.ListExpr) else 'an object'} as {describe(native)}", e.span)


def _into_any(b: Block, e: core.ListExpr | core.ObjectExpr, want: gt.GoType, hint: str) -> go.Expr:
    """Coerce to an `any`-typed destination: a composite input, or plain values boxed as `any`."""
    native = b.file.session.natives.native(e.type)
    if isinstance(e.type, ty.NominalType):
        return into_literal(b, e, gt.GoType(native, want.form), hint)
    if want.form is gt.Form.PLAIN:
        decoded = isinstance(want.native, gt.AnyNative) and want.native.decoded
        container = gt.Slice(want.native) if isinstance(e, core.ListExpr) else gt.Map(want.native)
        return into_literal(b, e, gt.plain(container) if decoded else natural_type(b, e.type), hint)
    anything = gt.Slice(gt.ANY) if isinstance(e, core.ListExpr) else gt.Map(gt.ANY)
    if not _has_elements(e) or not isinstance(native, type(anything)) or not _has_core_family(native):
        native = anything
    return into_literal(b, e, gt.input_(native), hint)


def _has_core_family(native: gt.Native) -> bool:
    """Return whether the core SDK has the list or map type; it is unknown which ones a package has for its types."""
    type_family = gt.family(native)
    return type_family is not None and type_family.path == CORE_PATH


def _element_type(native: gt.Native, want: gt.GoType) -> gt.GoType:
    """Return the element type, from the native type `native`, of a container that becomes a `want`."""
    if want.form is gt.Form.PLAIN or isinstance(native, gt.EnumNative):
        return gt.GoType(native, arguments=want.arguments)
    return gt.input_(native)


def _container(b: Block, e: core.ListExpr | core.ObjectExpr, want: gt.GoType, hint: str) -> go.Expr:
    """Return a list or a map; with deferred enum values, it is converted from a list or map of scalars."""
    native = gt.without_pointer(want.native)
    assert isinstance(native, gt.Slice | gt.Map)
    if want.form is gt.Form.COMPOSITE and not gt.has_family(native):
        want = gt.plain(native)
    scalars = gt.with_scalars(native)
    values = e.elements if isinstance(e, core.ListExpr) else [item.value for item in e.items]
    if not want.is_plain and scalars is not native and any(value.type.eventual for value in values):
        composite = gt.composite(scalars)
        return coerce(b, Value(_container(b, e, composite, hint), composite), want, Place(e.span, hint))
    if not want.is_plain and not gt.has_family(native):
        native = gt.like(native, gt.ANY)
    own = replace(want, native=native)
    node = _list(b, e, own, hint) if isinstance(e, core.ListExpr) else _map(b, e, own, hint)
    return make.address(node) if want.is_plain and isinstance(want.native, gt.Pointer) else node


def _literal_type(b: Block, native: gt.Slice | gt.Map, want: gt.GoType) -> go.Expr:
    return type_expr(b.file, gt.GoType(native, arguments=want.arguments) if want.is_plain else gt.composite(native))


def _list(b: Block, e: core.ListExpr, want: gt.GoType, hint: str) -> go.Expr:
    native = want.native
    assert isinstance(native, gt.Slice)
    element = _element_type(native.element, want)
    items = []
    for at, item in enumerate(e.elements):
        if is_null(item) and want.form is gt.Form.COMPOSITE and isinstance(native.element, gt.Slice | gt.Map):
            node = nothing(b, gt.output(native.element))  # the program may call methods of an element
        else:
            node = _elided(by_value(b.into(item, element, singular(hint) or hint), element), element, want)
        comments = e.comments[at] if at < len(e.comments) else None
        items.append(go.Element(value=node, comments=comment_lines(comments)))
    return tidy(go.Composite(type=_literal_type(b, native, want), elements=tuple(items), closing=e.closing))


def by_value(node: go.Expr, element: gt.GoType) -> go.Expr:
    """Return a struct by value, as SDK lists hold it: `RuleArray{RuleArgs{…}}`; other expressions unchanged."""
    is_struct = isinstance(gt.without_pointer(element.native), gt.PackageStruct) and element.form is gt.Form.INPUT
    if is_struct and isinstance(node, go.Unary) and node.operator == "&" and isinstance(node.operand, go.Composite):
        return node.operand
    return node


def _elided(node: go.Expr, element: gt.GoType, want: gt.GoType) -> go.Expr:
    """Return a literal without the type that Go infers inside a literal of plain values: `[][]int{{1}, {2}}`."""
    if want.form is not gt.Form.PLAIN or isinstance(element.native, gt.AnyNative):
        return node
    if isinstance(element.native, gt.Slice | gt.Map | gt.LocalStruct | gt.PackageStruct) and isinstance(node, go.Composite):
        return go.Composite(type=None, elements=node.elements, closing=node.closing, block=node.block)
    return node


def comment_lines(comments: core.Comments | None) -> tuple[str, ...]:
    """Return all comments of a piece of source, in order."""
    return () if comments is None else (*comments.leading, *comments.trailing)


def tidy(literal: go.Composite) -> go.Composite:
    """Return `literal`, without comments if it is empty: gofmt would move comments inside an empty literal."""
    if literal.closing and not literal.elements:
        return go.Composite(type=literal.type)
    return literal


def _map(b: Block, e: core.ObjectExpr, want: gt.GoType, hint: str) -> go.Expr:
    native = want.native
    assert isinstance(native, gt.Map)
    items = _last_of_each(e.items)
    elements = tuple(_map_element(b, item, want, hint) for item in items if item.when is None)
    literal = tidy(go.Composite(type=_literal_type(b, native, want), elements=elements, closing=e.closing))
    if len(elements) == len(items):
        return literal
    node = b.declare(hint, literal)
    for item in items:
        _add_member(b, node, item, want)
    return node


def _map_element(b: Block, item: core.ObjectItem, want: gt.GoType, hint: str) -> go.Element:
    native = want.native
    assert isinstance(native, gt.Map)
    wanted_members = dict(native.members)
    key = b.into(item.key, gt.plain(gt.STRING), "key")
    name = _literal_key(item)
    member = wanted_members.get(name) if name is not None and want.form is gt.Form.PLAIN else None
    element = _element_type(member if member and isinstance(native.element, gt.AnyNative) else native.element, want)
    if item.value.type.eventual and wanted_members.get(name or "") == gt.STRING and isinstance(element.native, gt.AnyNative):
        element = gt.output(gt.STRING)  # an ID too: code that reads the object expects a string
    value = _member(b, item.value, dict(native.forms).get(name or ""), element, hint=name or hint)
    if isinstance(native.element, gt.AnyNative) and element == gt.plain(gt.FLOAT) and isinstance(value, go.Number):
        value = fractional(value)  # otherwise Go would infer int
    if isinstance(native.element, gt.AnyNative) and element.is_plain:
        value = boxed(b, Value(value, element))
    value = _elided(value, gt.plain(native.element), want)
    return go.Element(key=key, value=value, comments=comment_lines(item.comments), origin=member_of(item))


def _add_member(b: Block, whole: go.Expr, item: core.ObjectItem, want: gt.GoType) -> None:
    """Add a conditional member to the map `whole`:

    if !anonymous {
        tags["Owner"] = pulumi.String(owner)
    }
    """
    if item.when is None:
        return
    condition = b.into(item.when, gt.plain(gt.BOOL), "condition")
    then = b.where(condition, True)
    element = _map_element(then, item, want, "value")
    assert element.key is not None, "members of maps have keys"
    then.emit(make.assign(go.Index(whole, element.key), element.value))
    b.emit_if(condition, then)


def _member(b: Block, value: core.Expr, form: gt.GoType | None, element: gt.GoType, *, hint: str) -> go.Expr:
    if element.is_plain and form is not None:
        return b.into(value, form, hint)
    if element.is_plain and isinstance(element.native, gt.AnyNative) and value.type.eventual:
        return b.natural(value, hint).node
    return by_value(b.into(value, element, hint), element)


def _literal_key(item: core.ObjectItem) -> str | None:
    return item.key.value if isinstance(item.key, core.Literal) and isinstance(item.key.value, str) else None


def _last_of_each(items: tuple[core.ObjectItem, ...]) -> list[core.ObjectItem]:
    """Return the last item for each literal key (Go rejects duplicate keys)."""
    last_items: dict[object, core.ObjectItem] = {}
    for item in items:
        name = _literal_key(item)
        key: object = name if name is not None else item
        last_items.pop(key, None)
        last_items[key] = item
    return list(last_items.values())


def _local_struct(b: Block, e: core.ObjectExpr, want: gt.GoType, hint: str) -> go.Expr:
    native = gt.without_pointer(want.native)
    assert isinstance(native, gt.LocalStruct)
    if want.form is not gt.Form.PLAIN:
        return into_literal(b, e, gt.GoType(gt.Map(gt.ANY), want.form), hint)
    members = dict(native.members)
    items = []
    for item in _last_of_each(e.items):
        name = _literal_key(item)
        if name is None or name not in members or is_null(item.value):
            continue
        value = b.into(item.value, gt.plain(members[name]), name)
        key, comments = go.Field(type_name(name)), comment_lines(item.comments)
        items.append(go.Element(key=key, value=value, comments=comments, origin=member_of(item)))
    node = tidy(go.Composite(type=go.Declared(native.name), elements=tuple(items), closing=e.closing))
    return make.address(node) if isinstance(want.native, gt.Pointer) else node


def _struct(b: Block, e: core.ObjectExpr, native: gt.PackageStruct, want: gt.GoType) -> go.Expr:
    """Return a declared object: `XArgs` in input-shaped places, `X` in plain places."""
    as_arguments = want.form is not gt.Form.PLAIN or want.arguments
    declaration = native.declaration
    fields = declaration.fields(Shape.INPUT) if as_arguments else plain_fields(declaration)
    type_ = symbol_expr(b.file, gt.struct_symbol(native.declaration), "Args" if as_arguments else "")
    node = struct_literal(b, e, type_, fields)
    return make.address(node) if want.form is not gt.Form.PLAIN or isinstance(want.native, gt.Pointer) else node


def struct_literal(
    b: Block, e: core.ObjectExpr, type_: go.Expr, fields: Mapping[str, Field], *, in_method: bool = False
) -> go.Composite:
    """Return `type{Field: value, …}` of an object with declared members; null members are omitted."""
    elements = []
    for item in _last_of_each(e.items):
        name = _literal_key(item)
        if name is None:
            raise CannotWriteError("a computed key of a declared object", item.key.span)
        elements.append(struct_element(b, name, fields.get(name) or item.field, item, in_method=in_method))
    return tidy(go.Composite(type=type_, elements=tuple(e for e in elements if e is not None), closing=e.closing))


def struct_element(
    b: Block, name: str, declared: Field | None, item: core.ObjectItem | Input, *, in_method: bool = False
) -> go.Element | None:
    """Return a field of an argument struct; None if the value is null, which omits the field."""
    value, comments = item.value, comment_lines(item.comments)
    origin = item if isinstance(item, Input) else member_of(item)
    if is_null(value):
        return None
    if declared is None:
        raise CannotWriteError(f'the undeclared property "{name}"', value.span)
    want = field_type(b, declared)
    named = referenced_symbol(value)
    held = b.file.bindings.get(named) if named is not None and named.kind is core.SymbolKind.LOCAL else None
    if held is not None and held.type == want and want.form is gt.Form.INPUT:
        node = held.node
    else:
        node = b.into(value, _of_method(want) if in_method else want, name)
    if node is make.NIL:
        return None
    return go.Element(key=go.Field(property_name(name)), value=node, comments=comments, origin=origin)


def _of_method(want: gt.GoType) -> gt.GoType:
    """Return `want` as a method argument: a plain list or map of resources has inputs as elements."""
    native = want.native
    if want.is_plain and isinstance(native, gt.Slice | gt.Map) and isinstance(native.element, gt.ResourceNative):
        return gt.GoType(replace(native, element=gt.Held(gt.input_(native.element))))
    return want


def field_type(b: Block, declared: Field) -> gt.GoType:
    """Return the Go SDK's type of a field of an argument struct."""
    known = b.file.session.natives.fields
    declared_type = known.get(declared.type)
    if declared_type is None:
        declared_type = known[declared.type] = _declared_type(b, declared.type)
    return replace(declared_type, arguments=True) if declared.plain else declared_type


def _declared_type(b: Block, declared: ty.Type) -> gt.GoType:
    """Return the Go SDK's type for a type in an argument struct; elements of a plain list may be inputs."""
    native = gt.definite(b.file.session.natives.native(declared))
    if isinstance(declared, ty.InputType):
        return gt.input_(native)
    inner = ty.without_none(declared)
    if isinstance(native, gt.Slice | gt.Map) and isinstance(inner, ty.ListType | ty.MapType):
        element = _declared_type(b, inner.element)
        held = isinstance(element.native, gt.Slice | gt.Map) and isinstance(element.native.element, gt.Held)
        if held or not element.is_plain:
            native = replace(native, element=gt.Held(element))
    return gt.GoType(native)


# -- JSON text --------------------------------------------------------------------------------------------------------------

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
        return _json_object(b, e)
    if isinstance(e, ListExpr):
        return _json_list(b, e)
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


def _json_list(b: Block, e: ListExpr) -> go.Expr:
    noted = e.comments or (None,) * len(e.elements)
    items = tuple(
        go.Element(value=json_value(b, item), comments=comment_lines(comments))
        for item, comments in zip(e.elements, noted, strict=True)
    )
    return go.Composite(type=go.SliceType(element=make.ANY), elements=items, closing=e.closing)


def _json_object(b: Block, e: ObjectExpr) -> go.Expr:
    items: dict[object, go.Element] = {}
    for item in e.items:
        key = b.into(item.key, gt.plain(gt.STRING), "key")
        name: object = key.value if isinstance(key, go.Text) else item
        items.pop(name, None)
        value, comments = json_value(b, item.value), comment_lines(item.comments)
        items[name] = go.Element(key=key, value=value, comments=comments, origin=member_of(item))
    return go.Composite(type=go.MapType(element=make.ANY), elements=tuple(items.values()), closing=e.closing)
