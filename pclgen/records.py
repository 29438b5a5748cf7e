"""Additions to `msgspec.Struct`, the base of all records.

Names of fields are found without their types: `msgspec.structs.fields` evaluates annotations, which name classes that
are imported for type checkers only.  Structs compare all of their fields; a `Keyed` struct compares its `_key`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from inspect import get_annotations

from msgspec import NODEFAULT, Struct
from msgspec.structs import astuple

__all__ = ["Keyed", "annotations_of", "fields_with_defaults"]


class Keyed(Struct, frozen=True, eq=False):
    """A record that is equal to any record of its class with the same `_key`."""

    def _key(self) -> object:
        """Return the value that equality compares; a tuple of all fields by default."""
        return astuple(self)

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._key() == other._key())

    def __ne__(self, other: object) -> bool:  # `Struct` has one, so that Python does not derive it from `__eq__`.
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), self._key()))


@cache
def annotations_of(cls: type[Struct]) -> Mapping[str, str]:
    """Return the text of each field's annotation by the field's name, in the order of the fields."""
    texts: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        texts |= get_annotations(base)
    return {name: texts[name] for name in cls.__struct_fields__}


def fields_with_defaults(cls: type[Struct]) -> frozenset[str]:
    """Return the names of the fields that a call may omit."""
    defaults = cls.__struct_defaults__
    last = cls.__struct_fields__[len(cls.__struct_fields__) - len(defaults) :]
    return frozenset(name for name, default in zip(last, defaults, strict=True) if default is not NODEFAULT)
