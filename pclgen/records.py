"""What msgspec knows of a struct without a look at the types of its fields.

`msgspec.structs.fields` evaluates annotations, which name classes that are imported for type checkers only.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import get_annotations

from msgspec import NODEFAULT, Struct

__all__ = ["annotations_of", "fields_with_defaults"]


def annotations_of(cls: type[Struct]) -> Mapping[str, str]:
    """The text of each field's annotation by the field's name, in the order of the fields."""
    texts: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        texts |= get_annotations(base)
    return {name: texts[name] for name in cls.__struct_fields__}


def fields_with_defaults(cls: type[Struct]) -> frozenset[str]:
    """The names of the fields that a call may omit."""
    defaults = cls.__struct_defaults__
    last = cls.__struct_fields__[len(cls.__struct_fields__) - len(defaults) :]
    return frozenset(name for name, default in zip(last, defaults, strict=True) if default is not NODEFAULT)
