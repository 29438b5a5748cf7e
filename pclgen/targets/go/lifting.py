"""Steps and conversions on outputs in the Go SDK, for lowering (targets.md, Steps without apply).

This module determines whether accessors, `Index` and `MapIndex` exist for a type, and which conversions need no callback.
"""

from __future__ import annotations

from pclgen.targets.go.gotypes import (
    ID,
    STRING,
    URN,
    AnyNative,
    EnumNative,
    Map,
    Natives,
    PackageStruct,
    Pointer,
    ResourceNative,
    Slice,
    enum_base,
    has_family,
    without_pointer,
)
from pclgen.types.declarations import Field
from pclgen.types.model import DYNAMIC, ObjectType, Type, is_optional, without_none

_NATIVES = Natives()


def can_lift(source: Type, name: str | None, field: Field | None) -> bool:
    """Return whether an output of `source` has a method for the step: `.Foo()`, `.Index(…)`, `.MapIndex(…)`."""
    if source is DYNAMIC or isinstance(without_none(source), ObjectType):
        return False
    native = without_pointer(_NATIVES.native(source))
    if isinstance(native, PackageStruct):
        return field is not None and has_family(_NATIVES.native(field.type))
    if isinstance(native, Slice | Map):
        element = native.element
        return has_family(native) and not isinstance(element, ResourceNative | AnyNative | Pointer)
    return False


def converts_freely(source: Type, target: Type) -> bool:
    """Return whether an output of `source` can be used for `target` with at most a method call such as `.Elem()`."""
    have, want = _NATIVES.native(source), _NATIVES.native(target)
    if is_optional(target) and not is_optional(source) and isinstance(want, Pointer):
        want = want.element
    if have == want:
        return True
    if isinstance(have, Pointer) and not isinstance(have.element, PackageStruct):
        return converts_natives(have.element, without_pointer(want))
    return converts_natives(have, want)


def converts_natives(have: object, want: object) -> bool:
    """Like `converts_freely`, for native types."""
    if have == want:
        return True
    if have in (ID, URN) and want == STRING:
        return True
    return isinstance(have, EnumNative) and want == enum_base(have)
