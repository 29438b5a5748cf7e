"""References and steps: `x`, `x.member`, `x[key]`, on every representation of a value.

`Ref`, `Attr` and `Index` nodes become fields, accessors of the SDK (`.Foo()`, `.Index(…)`, `.MapIndex(…)`), Go indexing, or
a traversal of a dynamic value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_lacking
from pclgen.core.predicates import is_natural
from pclgen.core.walk import root_of
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, begin_lift, coerce, finish_lift, lift, to_output
from pclgen.targets.go.context import Block, CannotWriteError, Frame, MissingNameError, Place, Value
from pclgen.targets.go.lookups import as_map
from pclgen.targets.go.names import type_name
from pclgen.targets.go.natives import as_used, asserted, chosen, describe, member_of_map, single_value
from pclgen.targets.go.sdk import accessor_name, field_names, property_name
from pclgen.targets.go.spelling import is_of_structs, native_type, type_expr
from pclgen.types import model as ty
from pclgen.types.declarations import Shape

_STANDARD_OUTPUTS = {"id": ("ID", gt.ID), "urn": ("URN", gt.URN)}


def natural_ref(b: Block, e: core.Ref) -> Value:
    """Return the value bound to a name."""
    value = b.file.bindings.get(e.symbol)
    if value is None:
        raise MissingNameError(f'the reference to "{e.symbol.name}"', e.span)
    return value


# ------------------------------------------------------------------------------------------------ attributes


def natural_attr(b: Block, e: core.Attr, hint: str) -> Value:
    """`source.name`."""
    if isinstance(e.source, core.Ref) and e.source.symbol.kind is core.SymbolKind.HOOK_ARGS:
        return _hook_argument(e, natural_ref(b, e.source))
    if _is_hook_properties(e.source):
        return _hook_property(b, e.source, go.Text(e.name), hint)
    if e.type is ty.NONE and _is_sure(e.source) and _has_member(e):
        return Value(make.NIL, gt.plain(gt.NIL))
    path, root = _dynamic_path(b, e)
    if path:
        return _traverse(b, e, root, path, hint=hint)
    if root is not _NOWHERE:
        return root
    source = _of_known_type(b, e.source, hint)
    return member(b, source, Step(e.name, b.file.session.natives.native(e.type), Place(e.span, hint), e.proved))


def _is_sure(e: core.Expr) -> bool:
    """Return whether a step into `e` cannot fail: it is a path of members and elements that are there and never null."""
    while not ty.is_optional(e.type) and ((isinstance(e, core.Attr) and not is_lacking(e)) or _is_there(e)):
        e = e.source
    return isinstance(e, core.Ref) and not ty.is_optional(e.type)


def _is_there(e: core.Expr) -> TypeGuard[core.Index]:
    """Return whether `e` is a certain element of a list whose elements are known."""
    return isinstance(e, core.Index) and isinstance(e.key, core.Literal) and isinstance(e.source.type, ty.TupleType)


def _has_member(e: core.Attr) -> bool:
    """Return whether each value that the source of a step may have is an object with the member."""
    return isinstance(ty.resolve(e.source.type), ty.ObjectType) and (e.proved or not is_lacking(e))


def _of_known_type(b: Block, e: core.Expr, hint: str) -> Value:
    """Return `e` as the source of a step; if Go stores it as an `any`, it is asserted to its known type."""
    source = b.natural(e, hint)
    is_dynamic = source.type.is_plain and isinstance(source.type.native, gt.AnyNative)
    return _known_element(b, source, e.type, hint, computed=False) if is_dynamic else source


class Step(Struct, frozen=True):
    """A step to the member `name`; `native` is the member's type in the program, `proved` as in `core.Attr`."""

    name: str
    native: gt.Native
    place: Place
    proved: bool = False


def member(b: Block, source: Value, step: Step) -> Value:
    """Return a member of a value."""
    have = source.type
    if isinstance(have.native, gt.Single):
        return Value(source.node, gt.GoType(have.native.element, have.form))
    if isinstance(have.native, gt.ResourceNative) and have.is_plain:
        return resource_member(source, have.native, step)
    match have.form:
        case gt.Form.PLAIN:
            return _plain_member(b, source, step)
        case gt.Form.OUTPUT:
            return _lifted_member(b, source, step)
        case gt.Form.COMPOSITE if isinstance(have.native, gt.Map):
            element = have.native.element
            return Value(go.Index(source.node, go.Text(step.name)), gt.input_(element))
        case _:
            return _lifted_member(b, as_output(b, source), step)


def resource_member(source: Value, resource: gt.ResourceNative, step: Step) -> Value:
    """Return an output of a resource or a component."""
    declaration, name = resource.declaration, step.name
    if name in _STANDARD_OUTPUTS and resource.component is None:
        accessor, own = _STANDARD_OUTPUTS[name]
        return Value(make.method(source.node, accessor), gt.output(own))
    if declaration is None and resource.component is None:
        raise CannotWriteError(
            f'the property "{name}" of a resource of unknown type',
            step.place.at,
            why="Go needs the struct field that holds it",
        )
    owner = resource.component
    field = property_name(name) if owner is None else field_names(owner.fields(Shape.OUTPUT))[name]
    return Value(make.select(source.node, field), gt.output(step.native))


def _hook_argument(e: core.Attr, args: Value) -> Value:
    member_ = make.select(args.node, {"urn": "URN", "id": "ID"}.get(e.name, property_name(e.name)))
    if e.name in ("urn", "id", "type"):
        return Value(make.call(make.STRING, member_), gt.plain(gt.STRING))
    if e.name == "name":
        return Value(member_, gt.plain(gt.STRING))
    return Value(member_, gt.GoType(gt.Map(gt.ANY), gt.Form.COMPOSITE))


def _is_hook_properties(e: core.Expr) -> bool:
    """Return whether `e` is a property map of the engine, such as `args.newInputs`."""
    return isinstance(e, core.Attr) and isinstance(e.source, core.Ref) and e.source.symbol.kind is core.SymbolKind.HOOK_ARGS


def _hook_property(b: Block, source: core.Expr, key: go.Expr, hint: str) -> Value:
    properties = b.natural(source, hint)
    return Value(make.select(go.Index(properties.node, key), "V"), gt.plain(gt.ANY))


def _lifted_member(b: Block, source: Value, step: Step) -> Value:
    have, name, native = source.type.native, step.name, step.native
    if not source.type.erased and gt.has_family(native):
        pointer = isinstance(have, gt.Pointer)
        pointed = gt.without_pointer(have)
        standard = isinstance(pointed, gt.ResourceNative) and name in _STANDARD_OUTPUTS
        if isinstance(pointed, gt.PackageStruct | gt.ResourceNative) and not standard:
            accessor = accessor_name(name, pointer=pointer)
            # An optional element is present after an index, or the program fails.
            own = native if pointer or not isinstance(pointed, gt.PackageStruct) else _own_native(b, pointed, step)
            return Value(make.method(source.node, accessor), gt.output(own))
        if isinstance(have, gt.Map) and not have.members:
            return _accessed(b, source, have, go.Text(name))

    def body(inner: Block, argument: Value) -> go.Expr:
        result = member(inner, argument, step)
        return coerce(inner, result, gt.plain(native), step.place) if result.type.is_plain else result.node

    if isinstance(gt.without_pointer(have), gt.ResourceNative):
        return _flattened_member(b, source, step)
    return lift(b, source, native, body, hint=step.place.hint)


def _flattened_member(b: Block, source: Value, step: Step) -> Value:
    """Return an output of a deferred resource; the callback returns an output."""
    inner = b.function(Frame(zeros=(make.NIL,)))
    callback, argument = begin_lift(inner, as_output(b, source), step.place.hint)
    output = as_output(inner, member(inner, argument, step))
    return finish_lift(b, callback, output.node, output.type, static=type_expr(b.file, output.type))


def _plain_member(b: Block, source: Value, step: Step) -> Value:
    have, name = source.type.native, step.name
    pointed = gt.without_pointer(have)
    if isinstance(pointed, gt.PackageStruct):
        return _field(b, source, property_name(name), (_own_native(b, pointed, step), step))
    if isinstance(pointed, gt.LocalStruct):
        own = dict(pointed.members).get(name, step.native)
        if isinstance(own, gt.Pointer) and isinstance(own.element, gt.Slice | gt.Map):
            step = replace(step, native=own)
        return as_used(b, _field(b, source, type_name(name), (own, step)))
    if isinstance(have, gt.Map):
        if have.members:
            return member_of_map(b, source.node, replace(have, lacking=frozenset()) if step.proved else have, name)
        return _entry(b, source, go.Text(name), step.place.hint)
    raise CannotWriteError(f'the step ".{name}" into {describe(have)}', step.place.at)


def _own_native(b: Block, struct: gt.PackageStruct, step: Step) -> gt.Native:
    """Return the type of the struct's field, which is optional only if the package declares it so."""
    declared = struct.declaration.fields(Shape.OUTPUT).get(step.name)
    return b.file.session.natives.native(declared.type) if declared is not None else step.native


def _field(b: Block, source: Value, name: str, types: tuple[gt.Native, Step]) -> Value:
    """Return a struct field, with a nil check if the struct, and thus the field, may be missing."""
    own, step = types
    native, hint = step.native, step.place.hint
    if not isinstance(source.type.native, gt.Pointer) or b.frame.checked or (native == own and not gt.can_be_nil(own)):
        return Value(make.select(source.node, name), gt.plain(own))
    pointer = b.reusable(source, hint).node
    into = native if gt.can_be_nil(native) else own
    selected = make.select(pointer, name)
    assigned = make.address(selected) if isinstance(into, gt.Pointer) and not isinstance(own, gt.Pointer) else selected
    return Value(b.unless_nil(pointer, native_type(b.file, into), hint, lambda _: assigned), gt.plain(into))


# --------------------------------------------------------------------------------------------------- indexes


def natural_index(b: Block, e: core.Index, hint: str) -> Value:
    """`source[key]`."""
    if _is_hook_properties(e.source):
        return _hook_property(b, e.source, b.into(e.key, gt.plain(gt.STRING), "key"), hint)
    path, root = _dynamic_path(b, e)
    if path:
        return _traverse(b, e, root, path, hint=hint)
    source = _of_known_type(b, e.source, hint)
    have = source.type.native
    native = b.file.session.natives.native(e.type)
    if isinstance(gt.without_pointer(have), gt.Map | gt.LocalStruct | gt.PackageStruct):
        place, has_members = Place(e.span, hint), not isinstance(have, gt.Map) or have.members
        if isinstance(e.key, core.Literal) and isinstance(e.key.value, str) and has_members:
            return member(b, source, Step(e.key.value, native, place))
        key: go.Expr = b.into(e.key, gt.plain(gt.STRING), "key")
        return _map_element(b, _members(b, source, e), key, e.type, place=place)
    if isinstance(have, gt.Slice):
        is_inside = is_natural(e.key, b.file.naturals) and not b.frame.checked
        key = b.into(e.key, gt.plain(gt.INT), "index")
        element = _list_element(b, source, key, e.type, checked=not is_inside, hint=hint)
        if element.type.native == gt.ANY and element.type.is_plain and is_of_structs(b, e.source.type):
            return Value(make.call(b.file.session.helper("propertiesOf"), element.node), element.type)
        return element
    raise CannotWriteError(f"an index into {describe(have)}", e.span)


def _members(b: Block, source: Value, e: core.Index) -> Value:
    """Return the members of the object into which `e` is a computed step, as a map; those that are not set are not there."""
    have = source.type.native
    if isinstance(have, gt.Map):
        return source
    known = gt.without_pointer(have) if b.frame.checked else have  # an attempt fails at nil
    if not isinstance(known, gt.LocalStruct) or not source.type.is_plain:
        raise CannotWriteError("a computed member of an object", e.key.span)
    element = b.file.session.natives.native(e.type)
    if not isinstance(element, gt.AnyNative | gt.Pointer):
        known_source = b.reusable(Value(source.node, gt.plain(known)), "members")
        return as_map(b, known_source, Place(e.source.span, "members"), element)
    node = make.call(b.file.session.helper("propertiesOf"), source.node)
    any_map = gt.Map(gt.ANY)
    return Value(go.TypeAssertion(node, native_type(b.file, any_map)), gt.plain(any_map))


def _list_element(b: Block, source: Value, key: go.Expr, t: ty.Type, *, checked: bool, hint: str) -> Value:
    have = source.type.native
    assert isinstance(have, gt.Slice)
    if source.type.is_plain:
        if checked:
            item = b.attempt(hint, make.call(b.file.session.helper("itemAt"), source.node, key))
            return Value(item, gt.element_of(have))
        element = Value(go.Index(source.node, key), gt.element_of(have))
        return _known_element(b, element, t, hint, computed=not isinstance(key, go.Number))
    return _later_element(b, source, key, hint)


def _later_element(b: Block, source: Value, key: go.Expr, hint: str) -> Value:
    """Return an element of a list or map of inputs, or of one that is an output."""
    have = source.type.native
    assert isinstance(have, gt.Slice | gt.Map)
    if source.type.form is gt.Form.COMPOSITE:
        return Value(go.Index(source.node, key), gt.input_(have.element))
    operand = as_output(b, source)
    if operand.type.erased or not gt.has_family(have.element) or isinstance(have.element, gt.ResourceNative):
        return lift(b, operand, have.element, lambda _, argument: go.Index(argument.node, key), hint=hint)
    return _accessed(b, operand, have, key)


def _accessed(b: Block, source: Value, have: gt.Slice | gt.Map, key: go.Expr) -> Value:
    """Return `source.Index(key)` or `source.MapIndex(key)`."""
    method, kind = ("Index", "Int") if isinstance(have, gt.Slice) else ("MapIndex", "String")
    node: go.Expr = make.method(source.node, method, make.call(b.file.pulumi(kind), key))
    if isinstance(have.element, gt.AnyNative):
        node = go.TypeAssertion(node, b.file.pulumi("AnyOutput"))
    return Value(node, gt.output(have.element))


def _known_element(b: Block, value: Value, t: ty.Type, hint: str, *, computed: bool = True) -> Value:
    """Return an element of known type of a `[]any` or `map[string]any`; `computed`: the index is not a constant."""
    native = b.file.session.natives.native(t)
    if isinstance(native, gt.Pointer):
        single = single_value(b, value, t, hint)
        if single is not value:
            return single
    if not isinstance(value.type.native, gt.AnyNative) or isinstance(native, gt.AnyNative | gt.Nil):
        return _with_own_members(b, value, t)
    node = (chosen if computed else asserted)(b, value.node, native, hint)
    return Value(node, gt.plain(native))


def _with_own_members(b: Block, value: Value, t: ty.Type) -> Value:
    """Return an element of a literal list as the type that it has itself.

    Only other elements may be null, have certain members, or have scalars of other types there.
    """
    native, own = value.type.native, ty.without_none(ty.resolve(t))
    if gt.is_nullable(native) and own is ty.resolve(t) and own is not ty.DYNAMIC:
        native = gt.definite(native)
        value = replace(value, type=replace(value.type, native=native))
    if not isinstance(native, gt.Map) or not isinstance(own, ty.ObjectType):
        return value
    members = tuple(
        (name, _own_scalar(b, member, own.members[name])) for name, member in native.members if name in own.members
    )
    lacking = native.lacking & own.lacking.keys()
    return replace(value, type=replace(value.type, native=replace(native, members=members, lacking=lacking)))


def _own_scalar(b: Block, native: gt.Native, t: ty.Type) -> gt.Native:
    own = b.file.session.natives.native(t) if isinstance(native, gt.AnyNative) else native
    return own if isinstance(own, gt.Scalar) else native


def _held_element(b: Block, value: Value, forms: Sequence[gt.GoType], native: gt.Native, *, place: Place) -> Value:
    """Return a member, chosen at run time, of an object with outputs; it has one of `forms`, which may be outputs."""
    first = forms[0]
    if first.form is gt.Form.OUTPUT and all(form == first for form in forms):
        return Value(go.TypeAssertion(value.node, type_expr(b.file, first)), first)
    awaited = Value(make.call(b.file.pulumi("Any"), value.node), gt.output(gt.ANY))
    return to_output(b, awaited, gt.output(native), place)


def _with_any_members(native: gt.Native) -> gt.Native:
    """Return the type of one of several objects, in which an optional member may be a pointer or not."""
    if not isinstance(native, gt.Map) or not isinstance(native.element, gt.AnyNative):
        return native
    members = tuple((name, gt.ANY if isinstance(member, gt.Pointer) else member) for name, member in native.members)
    return replace(native, members=members)


def _map_element(b: Block, source: Value, key: go.Expr, t: ty.Type, *, place: Place) -> Value:
    have = source.type.native
    assert isinstance(have, gt.Map)
    if source.type.is_plain:
        element = _entry(b, source, key, place.hint)
        native = b.file.session.natives.native(t)
        if any(not held.is_plain for _, held in have.forms):
            return _held_element(b, element, [held for _, held in have.forms], native, place=place)
        if gt.holds_struct(native) or not any(gt.holds_struct(member) for _, member in have.members):
            return _known_element(b, element, t, place.hint)
        node = make.call(b.file.session.helper("propertiesOf"), element.node)
        element = _known_element(b, Value(node, gt.plain(gt.ANY)), t, place.hint)
        return replace(element, type=replace(element.type, native=_with_any_members(element.type.native)))
    return _later_element(b, source, key, place.hint)


def _entry(b: Block, source: Value, key: go.Expr, hint: str) -> Value:
    have = source.type.native
    assert isinstance(have, gt.Map)
    if isinstance(have.element, gt.ResourceNative) and not b.frame.checked:
        return Value(go.Index(source.node, key), gt.element_of(have))
    entry = b.attempt(hint, make.call(b.file.session.helper("entryOf"), source.node, key))
    return Value(entry, gt.element_of(have))


# --------------------------------------------------------------------------------------------- dynamic values


def _dynamic_path(b: Block, e: core.Attr | core.Index) -> tuple[list[core.Expr | str], Value]:
    """Return the steps from a dynamic value to `e`, and that value; no steps if `e` does not traverse a dynamic value."""
    natives = b.file.session.natives
    chain: list[core.Attr | core.Index] = []
    current: core.Expr = e
    while isinstance(current, core.Attr | core.Index):
        chain.append(current)
        current = current.source
        is_from_any = isinstance(current, core.Attr | core.Index) and isinstance(
            natives.native(current.source.type), gt.AnyNative
        )
        if not is_from_any and not isinstance(natives.native(current.type), gt.AnyNative):
            break
    if isinstance(current, core.Ref) and current.symbol.kind is core.SymbolKind.HOOK_ARGS:
        return [], _NOWHERE
    if not isinstance(natives.native(current.type), gt.AnyNative):
        # the outermost source of the chain has a known type
        if len(chain) < 2:
            return [], _NOWHERE
        current = chain.pop()
    root = b.natural(current)
    if isinstance(root.type.native, gt.ResourceNative) and root.type.is_plain and isinstance(chain[-1], core.Attr):
        # The type of the resource is unknown, but it is a resource.
        first = chain.pop()
        assert isinstance(first, core.Attr)
        root = resource_member(root, root.type.native, Step(first.name, gt.ANY, Place(first.span, first.name)))
    return [c.name if isinstance(c, core.Attr) else c.key for c in reversed(chain)], root


_NOWHERE = Value(make.NIL, gt.plain(gt.ANY))


def _is_decoded(b: Block, e: core.Attr | core.Index) -> bool:
    """Return whether the steps of the path `e` can be type assertions, because its values are decoded JSON."""
    step: core.Expr = e
    while isinstance(step, core.Attr | core.Index):
        if isinstance(step, core.Index) and ty.resolve(step.key.type) not in (ty.INT, ty.NUMBER, ty.STRING):
            return False
        step = step.source
    return b.file.session.decoded.holds(e)


def _may_hold_struct(b: Block, e: core.Expr) -> bool:
    """Return whether a dynamic value on the path `e`, but not at its end, may be a struct of the program."""
    natives = b.file.session.natives
    if not natives.structs or gt.holds_struct(natives.native(e.type)):
        return False
    root = root_of(e)
    return not isinstance(root, core.Ref) or root.symbol.kind is not core.SymbolKind.CONFIG


def _traverse(b: Block, e: core.Attr | core.Index, root: Value, path: list[core.Expr | str], *, hint: str) -> Value:
    """Return `e`, the value at `path` in the dynamic value `root`."""
    decoded = _is_decoded(b, e)

    def walk(inner: Block, argument: Value) -> go.Expr:
        if decoded and not inner.frame.checked:
            return _asserted(inner, argument, path)
        steps = [_path_step(inner, step) for step in path]
        is_any = any(isinstance(step.type.native, gt.AnyNative) for step in steps)
        helper = inner.file.session.helper("traverseAny" if is_any else "traverse")
        node = argument.node
        if not decoded and _may_hold_struct(inner, e):
            node = make.call(inner.file.session.helper("propertiesOf"), node)
        return inner.attempt(hint, make.call(helper, node, *(step.node for step in steps)))

    if root.type.is_plain:
        return Value(walk(b, root), gt.plain(gt.ANY))
    return lift(b, root, gt.ANY, walk, hint=hint)


def _asserted(b: Block, source: Value, path: list[core.Expr | str]) -> go.Expr:
    """Return `source.(map[string]any)["pools"].([]any)[0]`; a map or slice as source needs no assertion."""
    node, known = source.node, isinstance(source.type.native, gt.Map | gt.Slice)
    for step in path:
        is_position = not isinstance(step, str) and ty.resolve(step.type) in (ty.INT, ty.NUMBER)
        key = _path_step(b, step).node
        of = go.SliceType(element=make.ANY) if is_position else go.MapType(element=make.ANY)
        node = go.Index(node if known else go.TypeAssertion(node, of), key)
        known = False
    return node


def _path_step(b: Block, step: core.Expr | str) -> Value:
    """Return a step as a text, an int, or a key of type `any`."""
    if isinstance(step, str):
        return Value(go.Text(step), gt.plain(gt.STRING))
    value = b.plain_value(step, "key")
    if value.type.native in (gt.STRING, gt.INT) or isinstance(value.type.native, gt.AnyNative):
        return value
    target = gt.INT if isinstance(value.type.native, gt.Scalar) else gt.STRING
    return Value(coerce(b, value, gt.plain(target), Place(step.span, "key")), gt.plain(target))
