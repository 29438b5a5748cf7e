"""Conversion between representations of a value: the result is always Go code or a `CannotWriteError`.

A `Value` becomes an expression of the `GoType` of its destination. Required loops and error checks go into the block.

    names ([]string) into a StringArrayInput  ->  pulumi.ToStringArray(names)
    r.Note (StringPtrOutput) into a StringInput  ->  r.Note.Elem()
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.build import called, shortened
from pclgen.targets.go.context import Block, CannotWriteError, Frame, Place, Value
from pclgen.targets.go.natives import (
    add_each,
    convert_native,
    demanded,
    describe,
    each_converted,
    members_of_value,
    members_that_exist,
)
from pclgen.targets.go.sdk import CORE_PATH, property_name
from pclgen.targets.go.spelling import base_name, native_type, symbol_expr, type_expr, zero
from pclgen.types.declarations import Shape
from pclgen.types.model import InputType

_SINGLE = (gt.STRING, gt.BOOL, *gt.NUMBERS)


def coerce(b: Block, value: Value, want: gt.GoType, place: Place) -> go.Expr:
    """Return `value` as a `want`. Raises `CannotWriteError` at `place.at` if no conversion exists."""
    if isinstance(want.native, gt.Held):
        want = want.native.type
    if isinstance(value.type.native, gt.Held):
        value = Value(value.node, value.type.native.type)
    have = value.type
    if have.form is want.form is gt.Form.PLAIN and not _holds_alike(have.native, want.native):
        return _held_anew(b, value, want.native, place)
    same = have.native == want.native and have.form is want.form and have.erased == want.erased
    same = same and not gt.holds_other_scalars(have.native, want.native)
    if same and (have.arguments or not want.arguments):
        return value.node
    if isinstance(have.native, gt.Single):
        return coerce(b, _whole_object(b, value, have.native, place), want, place)
    match want.form:
        case gt.Form.PLAIN:
            return _to_plain(b, value, want, place)
        case gt.Form.OUTPUT:
            return to_output(b, value, want, place).node
        case gt.Form.INPUT:
            return _to_input(b, value, want.native, place)
        case gt.Form.COMPOSITE:
            return _to_composite(b, value, want, place)
        case _:
            assert_never(want.form)


def _whole_object(b: Block, value: Value, native: gt.Single, place: Place) -> Value:
    """Return the object around a value for which the SDK returned only the single member."""
    inner = Value(value.node, gt.GoType(native.element, value.type.form))
    members = {native.name: coerce(b, inner, gt.input_(gt.ANY), place)}
    return Value(make.mapping(b.file.pulumi("Map"), members), gt.GoType(gt.Map(gt.ANY), gt.Form.COMPOSITE))


def _holds_alike(have: gt.Native, want: gt.Native) -> bool:
    """Return whether each output member of objects in `want` is the same output in `have`."""
    if isinstance(have, gt.Held) or isinstance(want, gt.Held):
        return have == want
    if isinstance(want, gt.Map) and want.forms:
        forms = dict(have.forms) if isinstance(have, gt.Map) else {}
        return all(_is_alike(forms.get(name, gt.plain(gt.NIL)), form) for name, form in want.forms)
    if isinstance(want, gt.Slice | gt.Map):
        return _holds_alike(have.element if isinstance(have, gt.Slice | gt.Map) else gt.NIL, want.element)
    return True


def _is_alike(have: gt.GoType, want: gt.GoType) -> bool:
    return _holds_alike(have.native, want.native) if want.is_plain else have == want


def _held_anew(b: Block, value: Value, want: gt.Native, place: Place) -> go.Expr:
    """Rebuild objects with outputs, or lists and maps of such objects, with members in the forms of `want`."""
    have = value.type.native
    if isinstance(want, gt.Map) and want.forms:
        forms = dict(want.forms)

        def convert(there: Block, member: Value, name: str) -> go.Expr:
            return coerce(there, member, forms[name], place.named(name))

        return members_that_exist(b, value, native_type(b.file, want), place, names=forms, convert=convert)
    if not isinstance(want, gt.Slice | gt.Map) or not isinstance(have, type(want)):
        raise CannotWriteError(f"{describe(have)} as {describe(want)} of objects with outputs", place.at)
    return _each(b, value, gt.plain(want), place)


def lift(
    b: Block, value: Value, native: gt.Native, body: Callable[[Block, Value], go.Expr], *, hint: str = "value"
) -> Value:
    """`value.ApplyT(func(v T) U { return body(v) }).(UOutput)`; `native` is U."""
    inner = b.function(Frame(zeros=(zero(b.file, native),), checked=b.frame.checked))
    callback, argument = begin_lift(inner, as_output(b, value), hint, "value")
    return finish_lift(b, callback, body(inner, argument), gt.output(native))


class Callback(Struct, frozen=True):
    """A call of `ApplyT` under construction: operand, parameters, and body so far."""

    operand: go.Expr
    parameters: tuple[tuple[go.Variable, go.Expr], ...]
    body: Block


def begin_lift(body: Block, operand: Value, *preferred_names: str) -> tuple[Callback, Value]:
    """Return the callback with `body` on the output `operand`, and its argument, asserted if the output is erased."""
    variable = make.variable(*preferred_names)
    native, erased = operand.type.native, operand.type.erased
    type_ = native_type(body.file, native)
    node = go.TypeAssertion(go.Name(variable), type_) if erased else go.Name(variable)
    callback = Callback(operand.node, ((variable, make.ANY if erased else type_),), body)
    return callback, Value(node, gt.plain(native))


def finish_lift(
    b: Block, callback: Callback, result: go.Expr, into: gt.GoType, *, static: go.Expr | None = None
) -> Value:
    """Return the `ApplyT` call with its callback; `static` is the callback's result type if the result is not plain."""
    inner = callback.body
    failing = inner.frame.fails
    inner.emit(make.returns(result, make.NIL) if failing else make.returns(result))
    # The SDK may have an output type for this type, which `ApplyT` would use; a result of type `any` gives an AnyOutput.
    unsure = into.erased and gt.holds_declared(into.native)
    returned = static or (make.ANY if unsure else native_type(b.file, into.native))
    results = (returned, make.ERROR) if failing else (returned,)
    function = called(make.function(callback.parameters, results, shortened(inner.statements)))
    node = go.TypeAssertion(make.method(callback.operand, "ApplyT", function), type_expr(b.file, into))
    return Value(node, into)


# ---------------------------------------------------------------------------------------------------- plain


def _to_plain(b: Block, value: Value, want: gt.GoType, place: Place) -> go.Expr:
    if value.type.form is gt.Form.COMPOSITE and _is_its_literal(value.type.native, want.native):
        return value.node
    if value.type.form is not gt.Form.PLAIN:
        raise CannotWriteError(
            "a value that is known only after the deployment has started",
            place.at,
            why="here the Go SDK takes a plain value",
        )
    if want.arguments:
        return _to_plain_arguments(b, value, want.native, place)
    return convert_native(b, value, want.native, place)


def _is_its_literal(have: gt.Native, want: gt.Native) -> bool:
    """Return whether a literal type like `pulumi.StringArray` is the slice `want`, like `[]pulumi.StringInput`."""
    if not isinstance(have, gt.Slice | gt.Map) or not isinstance(want, gt.Slice | gt.Map):
        return False
    return isinstance(want, type(have)) and want.element == gt.Held(gt.input_(gt.definite(have.element)))


def _to_plain_arguments(b: Block, value: Value, native: gt.Native, place: Place) -> go.Expr:
    """Convert to `XArgs` structs that are nested in input-shaped structs without being inputs."""
    if isinstance(native, gt.Pointer):
        node = _to_plain_arguments(b, value, native.element, place)
        return make.address(node) if isinstance(node, go.Composite) else convert_native(b, value, native, place)
    if isinstance(native, gt.PackageStruct):
        return arguments_struct(b, value, native, place)
    if isinstance(native, gt.Slice | gt.Map) and isinstance(value.type.native, gt.Slice | gt.Map):
        return _each(b, value, gt.GoType(native, arguments=True), place)
    return convert_native(b, value, native, place)


def _each(b: Block, value: Value, want: gt.GoType, place: Place) -> go.Expr:
    """Emit a loop that converts each element of a plain list or map to the element type of `want`."""
    assert isinstance(want.native, gt.Slice | gt.Map)
    element = gt.GoType(want.native.element, arguments=want.arguments)

    def convert(loop: Block, item: Value) -> go.Expr:
        return coerce(loop, item, element, place)

    return each_converted(b, value, want, hint=place.hint, convert=convert)


# ---------------------------------------------------------------------------------------------------- inputs


def accepts_output(have: gt.Native, want: gt.Native) -> bool:
    """Return whether the output of `have` satisfies the input interface of `want` unchanged."""
    if have == want or isinstance(want, gt.AnyNative):
        return True
    if have in (gt.ID, gt.URN) and gt.without_pointer(want) == gt.STRING:
        return True
    if have in gt.ASSETS and want == gt.ASSET_OR_ARCHIVE:
        return True
    return isinstance(want, gt.Pointer) and want.element == have


def _to_input(b: Block, value: Value, native: gt.Native, place: Place) -> go.Expr:
    have = value.type
    if isinstance(native, gt.Slice | gt.Map) and isinstance(native.element, gt.ResourceNative) and not gt.has_family(native):
        native = replace(native, element=gt.ANY)
    match have.form:
        case gt.Form.PLAIN:
            return _plain_to_input(b, value, native, place)
        case gt.Form.INPUT | gt.Form.COMPOSITE:
            if have.native == native or isinstance(native, gt.AnyNative) or not gt.has_family(native):
                return value.node
            return _to_input(b, as_output(b, value), native, place)
        case gt.Form.OUTPUT:
            if isinstance(native, gt.AnyNative) or not gt.has_family(native):
                return _unasserted(value.node)
            if not have.erased and accepts_output(have.native, native):
                return value.node
            return to_output(b, value, gt.output(native), place).node
        case _:
            assert_never(have.form)


def _unasserted(node: go.Expr) -> go.Expr:
    """Return an output without its type assertion, for a destination that accepts any input."""
    if isinstance(node, go.TypeAssertion) and isinstance(node.operand, go.Call):
        return node.operand
    return node


def _plain_to_input(b: Block, value: Value, native: gt.Native, place: Place) -> go.Expr:
    have = value.type.native
    if isinstance(have, gt.Nil):
        return make.NIL
    if gt.is_nullable(have) and (isinstance(native, gt.AnyNative) or not gt.has_family(native)):
        return _present_to_input(b, value, gt.input_(gt.ANY), place)
    if isinstance(have, gt.Map) and isinstance(native, gt.AnyNative) and any(_holds_outputs(f) for _, f in have.forms):
        # In a preview, `pulumi.ToMap` would turn each inner object into a single unknown value.
        return _container_to_input(b, value, gt.Map(gt.ANY), place)
    if isinstance(have, gt.Slice | gt.Map) and gt.holds_forms(have.element) and isinstance(native, gt.AnyNative):
        return _container_to_input(b, value, gt.like(have, gt.ANY), place)
    if isinstance(native, gt.AnyNative) or not gt.has_family(native):
        return any_input(b, value)
    if isinstance(have, gt.AnyNative) and isinstance(native, gt.Pointer):
        # A null value is omitted.
        if isinstance(native.element, gt.PackageStruct):
            return maybe_null_output(b, convert_native(b, value, native, place), gt.output(native))
        if native.element in _SINGLE or isinstance(native.element, gt.EnumNative):
            value = Value(convert_native(b, value, native, place), gt.plain(native))
    if isinstance(value.type.native, gt.Pointer):
        return _pointer_to_input(b, value, native, place)
    return _solid_to_input(b, value, gt.without_pointer(native), place)


def _holds_outputs(form: gt.GoType) -> bool:
    """Return whether an object member is not an output but contains outputs."""
    native = form.native
    if not isinstance(native, gt.Slice | gt.Map) or form.form in (gt.Form.OUTPUT, gt.Form.INPUT):
        return False
    own = form.form is gt.Form.COMPOSITE or bool(isinstance(native, gt.Map) and native.forms)
    return own or _holds_outputs(gt.plain(native.element))


def _pointer_to_input(b: Block, value: Value, native: gt.Native, place: Place) -> go.Expr:
    have = value.type.native
    assert isinstance(have, gt.Pointer)
    if not isinstance(native, gt.Pointer):
        return _plain_to_input(b, demanded(b, value, place), native, place)
    if have == native and isinstance(native.element, gt.Scalar) and native.element not in gt.ASSETS:
        return make.call(b.file.pulumi(base_name(native) + "FromPtr"), value.node)
    pointer = b.reusable(value, place.hint).node
    is_struct = isinstance(have.element, gt.PackageStruct | gt.LocalStruct)
    there = Value(pointer if is_struct else go.Star(pointer), gt.plain(have.element))

    def input_of_present(inner: Block) -> go.Expr:
        return _plain_to_input(inner, there, native, place)

    return b.unless_nil(pointer, type_expr(b.file, gt.input_(native)), place.hint, input_of_present)


def _solid_to_input(b: Block, value: Value, native: gt.Native, place: Place) -> go.Expr:
    have = value.type.native
    match native:
        case gt.Scalar():
            return scalar_input(b, value, native, place)
        case gt.EnumNative():
            return convert_native(b, value, native, place)
        case gt.PackageStruct():
            if isinstance(have, gt.AnyNative):
                # A missing value is null, also in a list.
                return maybe_null_output(b, convert_native(b, value, native, place), gt.output(native))
            if have == native:
                return _registered_output(b, value.node, gt.output(native))
            return make.address(arguments_struct(b, value, native, place))
        case gt.ResourceNative():
            return value.node
        case gt.Slice() | gt.Map():
            return _container_to_input(b, value, native, place)
        case gt.LocalStruct() | gt.AnyNative() | gt.Pointer() | gt.Single() | gt.Held() | gt.Nil():
            return any_input(b, value)
        case _:
            assert_never(native)


def scalar_input(b: Block, value: Value, native: gt.Scalar, place: Place) -> go.Expr:
    """Return a scalar as an input, such as `pulumi.String(x)`."""
    have = value.type.native
    if native in gt.ASSETS:
        if have == gt.ASSET_OR_ARCHIVE:
            return go.TypeAssertion(value.node, b.file.pulumi("AssetOrArchiveInput"))
        return convert_native(b, value, native, place)
    if native in gt.TEXTS and have == native and native != gt.STRING:
        return value.node
    if isinstance(have, gt.EnumNative) and gt.enum_base(have) == native:
        return make.call(b.file.pulumi(native.kind), value.node)
    if not (native in gt.TEXTS and have in gt.TEXTS):
        value = Value(convert_native(b, value, native, place), gt.plain(native))
    return make.call(b.file.pulumi(native.kind), value.node)


def _container_to_input(
    b: Block, value: Value, native: gt.Slice | gt.Map, place: Place, *, form: gt.Form = gt.Form.INPUT
) -> go.Expr:
    have = value.type.native
    type_family = gt.family(native)
    assert type_family is not None
    if gt.is_nullable(have):
        return _present_to_input(b, value, gt.GoType(native, form), place)
    scalars = gt.with_scalars(native)
    if (
        scalars is not native
        and isinstance(have, gt.Slice | gt.Map)
        and (gt.holds_forms(have.element) or _members_wait(have))
    ):
        node = _container_to_input(b, value, scalars, place, form=gt.Form.COMPOSITE)
        return coerce(b, Value(node, gt.composite(scalars)), gt.GoType(native, form), place)
    if isinstance(have, gt.Map) and isinstance(native, gt.Map) and have.forms:
        element = gt.element_input(native)

        def convert(there: Block, member: Value, name: str) -> go.Expr:
            return coerce(there, member, element, place.named(name))

        composite = type_expr(b.file, gt.GoType(native, gt.Form.COMPOSITE))
        return members_that_exist(b, value, composite, place, convert=convert)
    if type_family.path == CORE_PATH and not (isinstance(have, gt.Slice | gt.Map) and gt.holds_forms(have.element)):
        node = convert_native(b, value, native, place)
        if isinstance(have, gt.AnyNative) or (
            form is gt.Form.INPUT and gt.holds_nullable(have) and gt.holds_nullable(native)
        ):
            return maybe_null_output(b, node, gt.output(native))
        return make.call(b.file.pulumi("To" + type_family.name), node)
    if have == native:
        return _registered_output(b, value.node, gt.output(native))
    if not isinstance(have, gt.Slice | gt.Map):
        return maybe_null_output(b, convert_native(b, value, native, place), gt.output(native))
    type_ = b.file.qualified(type_family.path, type_family.name)
    out = b.declare(place.hint, make.struct(type_, {}))
    element = gt.element_input(native)
    add_each(b, b.reusable(value, place.hint), out, lambda loop, item: coerce(loop, item, element, place))
    return out


def _members_wait(have: gt.Slice | gt.Map) -> bool:
    """Return whether an object has deferred members."""
    return isinstance(have, gt.Map) and any(form.form is not gt.Form.PLAIN for _, form in have.forms)


def _present_to_input(b: Block, value: Value, want: gt.GoType, place: Place) -> go.Expr:
    """Return nil for a null list or map, which the SDK's conversions of plain values would make empty."""
    node = b.reusable(value, place.hint).node
    there = Value(node, gt.plain(gt.definite(value.type.native)))
    return b.unless_nil(node, type_expr(b.file, want), place.hint, lambda inner: coerce(inner, there, want, place))


def _registered_output(b: Block, node: go.Expr, into: gt.GoType) -> go.Expr:
    """Return a value as its output type `into`, which its SDK has registered."""
    return go.TypeAssertion(make.call(b.file.pulumi("ToOutput"), node), type_expr(b.file, into))


def arguments_struct(b: Block, value: Value, native: gt.PackageStruct, place: Place) -> go.Composite:
    """Return `pkg.XArgs{…}`, filled from the members of an object in another representation."""
    if isinstance(value.type.native, gt.AnyNative):
        value = Value(convert_native(b, value, native, place), gt.plain(native))
    members = members_of_value(b, value, place)
    fields: dict[str, go.Expr] = {}
    for name, f in native.declaration.fields(Shape.INPUT).items():
        member = members.get(name)
        if member is not None:
            target = b.file.session.natives.native(f.type)
            want = gt.input_(target) if isinstance(f.type, InputType) else gt.GoType(target, arguments=True)
            fields[property_name(name)] = coerce(b, member, want, place.named(name))
    return make.struct(symbol_expr(b.file, gt.struct_symbol(native.declaration), "Args"), fields)


def any_input(b: Block, value: Value) -> go.Expr:
    """Return any plain value as a `pulumi.Input`."""
    have = value.type.native
    if have in gt.ASSETS:
        return value.node if have != gt.ASSET_OR_ARCHIVE else make.call(b.file.pulumi("Any"), value.node)
    match have:
        case gt.Scalar():
            return value.node if have in (gt.ID, gt.URN) else make.call(b.file.pulumi(have.kind), value.node)
        case gt.Pointer(element=gt.Scalar()) if b.knows(value.node):
            return any_input(b, Value(go.Star(value.node), gt.plain(have.element)))
        case gt.Pointer(element=gt.Scalar()):
            return make.call(b.file.pulumi(base_name(have) + "FromPtr"), value.node)
        case gt.EnumNative() | gt.ResourceNative():
            return value.node
        case gt.Slice() | gt.Map():
            if gt.holds_nullable(gt.definite(have)):
                return maybe_null(b, value.node)
            type_family = gt.family(have)
            if type_family is not None and type_family.path == CORE_PATH:
                return make.call(b.file.pulumi("To" + type_family.name), value.node)
            return make.call(b.file.pulumi("Any"), value.node)
        case gt.AnyNative(nullable=True):
            return maybe_null(b, value.node)
        case gt.AnyNative() | gt.PackageStruct() | gt.LocalStruct() | gt.Pointer() | gt.Single() | gt.Held() | gt.Nil():
            return make.call(b.file.pulumi("Any"), value.node)
        case _:
            assert_never(have)


# ---------------------------------------------------------------------------------------------------- outputs


def as_output(b: Block, value: Value) -> Value:
    """Return `value`, in any form, as an output of the same native type."""
    native = value.type.native
    match value.type.form:
        case gt.Form.OUTPUT:
            return value
        case gt.Form.INPUT | gt.Form.COMPOSITE:
            if isinstance(native, gt.AnyNative) or not gt.has_family(native):
                any_output = gt.GoType(native, gt.Form.OUTPUT, erased=not isinstance(native, gt.AnyNative))
                return Value(make.call(b.file.pulumi("Any"), value.node), any_output)
            return Value(make.method(value.node, f"To{base_name(native)}Output"), gt.output(native))
        case gt.Form.PLAIN:
            return _plain_to_output(b, value)
        case _:
            assert_never(value.type.form)


def _plain_to_output(b: Block, value: Value) -> Value:
    native = value.type.native
    into = gt.output(native)
    if gt.holds_nullable(native):
        return Value(maybe_null_output(b, value.node, into), into)
    if isinstance(native, gt.Nil | gt.AnyNative) or into.erased:
        any_output = gt.output(gt.ANY) if isinstance(native, gt.Nil) else into
        return Value(make.call(b.file.pulumi("Any"), value.node), any_output)
    if isinstance(native, gt.PackageStruct | gt.EnumNative | gt.ResourceNative) or family_is_foreign(native):
        return Value(_registered_output(b, value.node, into), into)
    if isinstance(native, gt.Pointer):
        # `StringPtrFromPtr` returns nil for a nil pointer, and nil has no methods.
        if value.node == make.NIL:
            return Value(nothing(b, into), into)
        return Value(_pointer_output(b, value.node, into), into)
    node = any_input(b, value)
    return Value(make.method(node, f"To{base_name(native)}Output"), into)


def maybe_null(b: Block, node: go.Expr) -> go.Expr:
    """Return a plain list, map or pointer as a `pulumi.Output`: nil becomes null.

    `pulumi.ToOutput` would make a list or a map empty, and panic for some pointers.
    """
    return make.call(b.file.session.helper("orNull"), node)


def maybe_null_output(b: Block, node: go.Expr, into: gt.GoType) -> go.Expr:
    """Like `maybe_null`, asserted to the output type `into`."""
    return go.TypeAssertion(maybe_null(b, node), type_expr(b.file, into))


def to_secret(b: Block, node: go.Expr, into: gt.GoType) -> go.Expr:
    """Return a plain value as the secret output `into`."""
    if gt.holds_nullable(into.native):
        node = maybe_null(b, node)
    elif into.erased or isinstance(into.native, gt.AnyNative):
        node = make.call(b.file.pulumi("Any"), node)
    return go.TypeAssertion(make.call(b.file.pulumi("ToSecret"), node), type_expr(b.file, into))


def _pointer_output(b: Block, node: go.Expr, into: gt.GoType) -> go.Expr:
    """Return a pointer that may be nil as an output; nil becomes null.

    `pulumi.ToOutput` calls the methods that IDs, URNs and enums have, which panics for nil.
    """
    assert isinstance(into.native, gt.Pointer)
    if into.native.element in (gt.ID, gt.URN) or isinstance(into.native.element, gt.EnumNative):
        return maybe_null_output(b, node, into)
    return _registered_output(b, node, into)


def family_is_foreign(native: gt.Native) -> bool:
    """Return whether the types around `native` belong to a provider's SDK."""
    type_family = gt.family(native)
    return type_family is not None and type_family.path != CORE_PATH


def to_output(b: Block, value: Value, want: gt.GoType, place: Place) -> Value:
    """Return `value` as the output `want`."""
    if value.type.is_plain and isinstance(value.type.native, gt.Slice | gt.Map) and gt.holds_forms(value.type.native):
        value = awaited_elements(b, value, value.type.native, place)
    have = value.type
    if have.native == want.native and have.is_plain and gt.holds_other_scalars(have.native, want.native):
        value = Value(convert_native(b, value, want.native, place), gt.plain(want.native))
    if have.form is gt.Form.PLAIN and have.native != want.native:
        if gt.is_nullable(have.native):
            node = convert_native(b, value, want.native, place)
            return Value(maybe_null_output(b, node, want), want)
        if isinstance(want.native, gt.AnyNative) or want.erased:
            if not isinstance(want.native, gt.AnyNative):  # who reads the output expects its type
                value = Value(convert_native(b, value, want.native, place), gt.plain(want.native))
            if gt.holds_nullable(value.type.native):
                return Value(maybe_null_output(b, value.node, want), want)
            return Value(make.call(b.file.pulumi("Any"), value.node), want)
        if isinstance(have.native, gt.Nil):
            return Value(nothing(b, want), want)
        node = _plain_to_input(b, value, want.native, place)
        if isinstance(node, go.Name | go.Builtin):
            return Value(_registered_output(b, node, want), want)
        return Value(make.method(node, f"To{base_name(want.native)}Output"), want)
    current = as_output(b, value)
    same = current.type.native == want.native and current.type.erased == want.erased
    if same and not gt.holds_other_scalars(current.type.native, want.native):
        return Value(current.node, want)
    return _convert_output(b, current, want, place)


def awaited_elements(b: Block, value: Value, native: gt.Slice | gt.Map, place: Place) -> Value:
    """Return a list or map of outputs as one output of a list or map, for an element type without SDK lists."""
    container = gt.like(native, gt.ANY)
    if isinstance(native.element, gt.Held):
        gathered = coerce(b, value, gt.composite(container), place)
    else:
        gathered = _awaited_inside(b, value, container, place)
    operand = as_output(b, Value(gathered, gt.composite(container)))
    target = gt.awaited(native)
    assert isinstance(target, gt.Slice | gt.Map)
    inner = b.function(Frame(zeros=(make.NIL,)))
    items = go.Name(make.variable("items"))
    type_ = native_type(b.file, target)
    sizes = (make.number(0),) if isinstance(target, gt.Slice) else ()
    result = inner.declare("found", make.builtin("make", type_, *sizes, make.length(items)))
    element = native_type(b.file, target.element)
    add_each(inner, Value(items, gt.plain(container)), result, lambda _, item: go.TypeAssertion(item.node, element))
    parameter = (items.variable, native_type(b.file, container))
    return finish_lift(
        b, Callback(operand.node, (parameter,), inner), result, gt.GoType(target, gt.Form.OUTPUT, erased=True)
    )


def _awaited_inside(b: Block, value: Value, whole: gt.Slice | gt.Map, place: Place) -> go.Expr:
    """Return a list or map whose elements are lists or maps of outputs, each converted to one output."""
    out = b.declare(place.hint, make.struct(type_expr(b.file, gt.composite(whole)), {}))

    def convert(loop: Block, item: Value) -> go.Expr:
        assert isinstance(item.type.native, gt.Slice | gt.Map)
        return awaited_elements(loop, item, item.type.native, place).node

    add_each(b, value, out, convert)
    return out


def nothing(b: Block, want: gt.GoType) -> go.Expr:
    """Return an output that resolves to null; `ToOutput` derives the output type from the type of its argument."""
    typed = make.call(native_type(b.file, want.native), make.NIL)
    if isinstance(want.native, gt.Slice | gt.Map):
        return maybe_null_output(b, typed, want)
    if isinstance(want.native, gt.Pointer):
        return _pointer_output(b, typed, want)
    return _registered_output(b, zero(b.file, want.native), want)


def _convert_output(b: Block, value: Value, want: gt.GoType, place: Place) -> Value:
    have, target = value.type.native, want.native
    if isinstance(target, gt.AnyNative):
        return Value(make.call(b.file.pulumi("Any"), value.node), want)
    if not value.type.erased and not want.erased:
        is_id_as_text = have in (gt.ID, gt.URN) and gt.without_pointer(target) == gt.STRING
        is_base = isinstance(have, gt.EnumNative) and target == gt.enum_base(have)
        if is_id_as_text or is_base or (isinstance(target, gt.Pointer) and target.element == have):
            return Value(make.method(value.node, f"To{base_name(target)}Output"), want)
        if isinstance(have, gt.Pointer) and not isinstance(target, gt.Pointer):
            inner = Value(make.method(value.node, "Elem"), gt.output(have.element))
            return to_output(b, inner, want, place)

    def body(inner: Block, argument: Value) -> go.Expr:
        return convert_native(inner, argument, target, place)

    lifted = lift(b, value, target, body, hint=place.hint)
    return Value(lifted.node, want)


def _to_composite(b: Block, value: Value, want: gt.GoType, place: Place) -> go.Expr:
    native = want.native
    if value.type.form is gt.Form.PLAIN and isinstance(native, gt.Slice | gt.Map):
        is_typed = gt.has_family(native)
        node = _container_to_input(b, value, native, place, form=want.form) if is_typed else any_input(b, value)
        if not isinstance(node, go.TypeAssertion):  # an output, whose elements Go cannot access
            return node
    raise CannotWriteError("a list whose elements are known later, made from this value,", place.at)
