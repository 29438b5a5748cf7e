"""The natural representation of an expression, derived from its type.

The type of an expression determines its `GoType`. A list or map that contains outputs is a literal of the SDK
(`pulumi.StringArray`), which a resource accepts unchanged. An object that contains outputs is a `map[string]any`, also in a
list or a map, because it is known which of its members are outputs.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.expr import Expr
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go.context import Block
from pclgen.types import model as ty
from pclgen.types.unify import element_type, unify


def natural_type(b: Block, t: ty.Type) -> gt.GoType:
    """Return the default representation of values of type `t`."""
    native = b.file.session.natives.native(t)
    if not t.eventual:
        return gt.plain(native)
    match t:
        case ty.OutputType() | ty.PromiseType():
            return gt.output(native)
        case ty.InputType():
            return gt.input_(native)
        case ty.UnionType():
            return gt.output(native)
        case ty.ListType() | ty.MapType() | ty.TupleType():
            assert isinstance(native, gt.Slice | gt.Map)
            inner = t.element if isinstance(t, ty.MapType) else element_type(t)
            if isinstance(inner, ty.ObjectType) and inner.eventual:
                held = natural_type(b, inner).native
                return gt.plain(gt.like(native, held))
            if not gt.holds_declared(native.element):
                if gt.has_family(native):
                    return gt.composite(native)
                if isinstance(native.element, gt.Pointer):
                    # The SDK has no list or map of optional values: `pulumi.Array` and `pulumi.Map` accept any element.
                    return gt.composite(gt.like(native, gt.ANY))
            form = natural_type(b, inner)
            return gt.plain(gt.like(native, form.native if form.is_plain else gt.Held(form)))
        case ty.ObjectType():
            present = gt.present_members(t)
            members = tuple((name, gt.without_ids(b.file.session.natives.native(m))) for name, m in present.items())
            missing = frozenset(name for name, m in present.items() if ty.is_optional(m))
            natural = {name: natural_type(b, m) for name, m in present.items()}
            shared = _shared_form(b, tuple(t.members.values()))
            if shared is not None:
                natural = {name: gt.plain(_in_shared_form(form.native, shared)) for name, form in natural.items()}
            forms = tuple((name, replace(form, native=gt.without_ids(form.native))) for name, form in natural.items())
            return gt.plain(gt.Map(shared or gt.ANY, members, missing, frozenset(t.lacking), forms))
        case _:
            return gt.plain(native)


def natural_choice(b: Block, t: ty.Type, alternatives: Sequence[Expr]) -> gt.GoType:
    """Return the representation of a value of type `t` from one of `alternatives`; a dynamic value may be a typed nil."""
    natural = natural_type(b, t)
    natives = (b.file.session.natives.native(alternative.type) for alternative in alternatives)
    is_nullable = natural.is_plain and isinstance(natural.native, gt.AnyNative) and any(map(gt.holds_nullable, natives))
    return gt.plain(gt.AnyNative(nullable=True)) if is_nullable else natural


def is_of_structs(b: Block, t: ty.Type) -> bool:
    """Return whether unlike elements of a list literal of type `t` may be structs of the program."""
    plain = ty.resolve(t)
    return isinstance(plain, ty.TupleType) and any(gt.holds_struct(b.file.session.natives.native(e)) for e in plain.elements)


def _shared_form(b: Block, types: Sequence[ty.Type]) -> gt.Map | None:
    """Return the shared form of sibling objects with outputs, any of which a computed index may access; else None."""
    if len(types) < 2 or not all(isinstance(t, ty.ObjectType) for t in types):
        return None
    common = unify(types)
    if not isinstance(common, ty.ObjectType) or not common.eventual:
        return None
    if not all(isinstance(t, ty.ObjectType) and t.members.keys() == common.members.keys() for t in types):
        return None
    native = natural_type(b, common).native
    return native if isinstance(native, gt.Map) else None


def _in_shared_form(native: gt.Native, shared: gt.Map) -> gt.Native:
    """Return an object in the form `shared`, with only its own members."""
    if not isinstance(native, gt.Map):
        return native
    names = {name for name, _ in native.members}
    members = tuple(item for item in shared.members if item[0] in names)
    return replace(shared, members=members, missing=native.missing, forms=tuple(f for f in shared.forms if f[0] in names))
