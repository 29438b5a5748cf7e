"""Capabilities of Pulumi's Go SDK, for lowering (targets.md, Steps without apply).

This module determines whether accessors, `Index` and `MapIndex` exist for a type, and which conversions need no callback.
"""

from __future__ import annotations

from pclgen.core.capabilities import Capabilities
from pclgen.targets.go import gotypes as gt
from pclgen.types import model as ty
from pclgen.types.declarations import Field

_NATIVES = gt.Natives()


def can_lift(source: ty.Type, name: str | None, field: Field | None) -> bool:
    """Return whether an output of `source` has a method for the step: `.Foo()`, `.Index(…)`, `.MapIndex(…)`."""
    if source is ty.DYNAMIC or isinstance(ty.without_none(source), ty.ObjectType):
        return False
    native = gt.without_pointer(_NATIVES.native(source))
    if isinstance(native, gt.PackageStruct):
        return field is not None and gt.has_family(_NATIVES.native(field.type))
    if isinstance(native, gt.Slice | gt.Map):
        element = native.element
        return gt.has_family(native) and not isinstance(element, gt.ResourceNative | gt.AnyNative | gt.Pointer)
    return False


def converts_freely(source: ty.Type, target: ty.Type) -> bool:
    """Return whether an output of `source` can be used for `target` with at most a method call such as `.Elem()`."""
    have, want = _NATIVES.native(source), _NATIVES.native(target)
    if ty.is_optional(target) and not ty.is_optional(source) and isinstance(want, gt.Pointer):
        want = want.element
    if have == want:
        return not _changes_elements(source, target)
    if isinstance(have, gt.Pointer) and not isinstance(have.element, gt.PackageStruct):
        return converts_natives(have.element, gt.without_pointer(want))
    return converts_natives(have, want)


def _changes_elements(source: ty.Type, target: ty.Type) -> bool:
    """Return whether an element of a literal of unlike elements, a `[]any` in Go, has another type in `target`."""
    pending, seen = [(source, target)], set[tuple[ty.Type, ty.Type]]()  # types share components
    while pending:
        first, second = pending.pop()
        have, want = ty.without_none(ty.resolve(first)), ty.without_none(ty.resolve(second))
        if have is want or (have, want) in seen:
            continue
        seen.add((have, want))
        if isinstance(have, ty.TupleType) and isinstance(want, ty.TupleType):
            pending += zip(have.elements, want.elements, strict=False)
        elif _NATIVES.native(have) != _NATIVES.native(want):
            return True
    return False


def converts_natives(have: object, want: object) -> bool:
    """Like `converts_freely`, for native types."""
    if have == want:
        return True
    if have in (gt.ID, gt.URN) and want == gt.STRING:
        return True
    return isinstance(have, gt.EnumNative) and want == gt.enum_base(have)


CAPABILITIES = Capabilities(can_lift=can_lift, converts_freely=converts_freely, reads_stacks_as_texts=True)
