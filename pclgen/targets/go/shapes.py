"""The natural representation of an expression, derived from its type.

The type of an expression determines its `GoType`. A list or map that contains outputs is a literal of the SDK
(`pulumi.StringArray`), which a resource accepts unchanged. An object that contains outputs is a `map[string]any`, also in a
list or a map, because it is known which of its members are outputs.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.expr import Expr
from pclgen.targets.go.context import Block
from pclgen.targets.go.gotypes import (
    AnyNative,
    GoType,
    Held,
    Map,
    Native,
    Pointer,
    Slice,
    composite,
    has_family,
    holds_declared,
    holds_nullable,
    input_,
    output,
    plain,
    present_members,
    without_ids,
)
from pclgen.types.model import (
    InputType,
    ListType,
    MapType,
    ObjectType,
    OutputType,
    PromiseType,
    TupleType,
    Type,
    UnionType,
    is_optional,
)
from pclgen.types.unify import element_type, unify


def natural_type(b: Block, t: Type) -> GoType:
    """Return the default representation of values of type `t`."""
    native = b.file.session.natives.native(t)
    if not t.eventual:
        return plain(native)
    match t:
        case OutputType() | PromiseType():
            return output(native)
        case InputType():
            return input_(native)
        case UnionType():
            return output(native)
        case ListType() | MapType() | TupleType():
            inner = t.element if isinstance(t, MapType) else element_type(t)
            if isinstance(inner, ObjectType) and inner.eventual:
                held = natural_type(b, inner).native
                return plain(Slice(held) if isinstance(native, Slice) else Map(held))
            if not isinstance(native, Slice | Map):
                return plain(native)
            if not holds_declared(native.element):
                if has_family(native):
                    return composite(native)
                if isinstance(native.element, Pointer):
                    # The SDK has no list or map of optional values: `pulumi.Array` and `pulumi.Map` accept any element.
                    return composite(Slice(_ANY) if isinstance(native, Slice) else Map(_ANY))
            form = natural_type(b, inner)
            held_element = form.native if form.is_plain else Held(form)
            return plain(Slice(held_element) if isinstance(native, Slice) else Map(held_element))
        case ObjectType():
            present = present_members(t)
            members = tuple((name, without_ids(b.file.session.natives.native(m))) for name, m in present.items())
            missing = frozenset(name for name, m in present.items() if is_optional(m))
            natural = {name: natural_type(b, m) for name, m in present.items()}
            shared = _shared_form(b, tuple(t.members.values()))
            if shared is not None:
                natural = {name: plain(_in_shared_form(form.native, shared)) for name, form in natural.items()}
            forms = tuple((name, replace(form, native=without_ids(form.native))) for name, form in natural.items())
            return plain(Map(shared or _ANY, members, missing, frozenset(t.lacking), forms))
        case _:
            return plain(native)


def natural_choice(b: Block, t: Type, alternatives: Sequence[Expr]) -> GoType:
    """Return the representation of a value of type `t` from one of `alternatives`; a dynamic value may be a typed nil."""
    natural = natural_type(b, t)
    natives = (b.file.session.natives.native(alternative.type) for alternative in alternatives)
    is_nullable = natural.is_plain and isinstance(natural.native, AnyNative) and any(map(holds_nullable, natives))
    return plain(AnyNative(nullable=True)) if is_nullable else natural


_ANY = AnyNative()


def _shared_form(b: Block, types: Sequence[Type]) -> Map | None:
    """Return the shared form of sibling objects with outputs, any of which a computed index may access; else None."""
    if len(types) < 2 or not all(isinstance(t, ObjectType) for t in types):
        return None
    common = unify(types)
    if not isinstance(common, ObjectType) or not common.eventual:
        return None
    if not all(isinstance(t, ObjectType) and t.members.keys() == common.members.keys() for t in types):
        return None
    native = natural_type(b, common).native
    return native if isinstance(native, Map) else None


def _in_shared_form(native: Native, shared: Map) -> Native:
    """Return an object in the form `shared`, with only its own members."""
    if not isinstance(native, Map):
        return native
    names = {name for name, _ in native.members}
    members = tuple(item for item in shared.members if item[0] in names)
    return replace(shared, members=members, missing=native.missing, forms=tuple(f for f in shared.forms if f[0] in names))
