"""Functions that pclgen adds to a file, each only where it is used, with the modules that they need.

A `tree.Helper` has a key; its body is a template (`templates/python/helpers/<key>.py.jinja`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pclgen.targets.python import modules
from pclgen.targets.python.tree import Module


class HelperSpec(Struct, frozen=True, kw_only=True):
    """The references in a helper's body: modules, and names imported from modules."""

    modules: tuple[Module, ...] = ()
    direct: tuple[tuple[Module, str], ...] = ()


_ANY = (modules.TYPING, "Any")
_CALLABLE = (modules.COLLECTIONS_ABC, "Callable")
_ITERABLE = (modules.COLLECTIONS_ABC, "Iterable")
_SEQUENCE = (modules.COLLECTIONS_ABC, "Sequence")

CHECKS = modules.own("_checks")
"""The module beside the program that holds the helpers of `CHECKERS`."""

CHECKERS = frozenset({"checked", "kept"})
"""Helpers too long to stand above a program."""

BESIDE = modules.own("_helpers")
"""The module beside the program that holds the other helpers when they are many."""

HELPERS: Mapping[str, HelperSpec] = {
    "can_": HelperSpec(direct=(_ANY, _CALLABLE, (modules.CONTEXTLIB, "suppress"))),
    "checked": HelperSpec(
        modules=(modules.RE,), direct=(_ANY, _SEQUENCE, (modules.DECIMAL, "Decimal"))
    ),
    "element": HelperSpec(direct=(_ANY, _SEQUENCE)),
    "entry_of": HelperSpec(direct=(_ANY,)),
    "equal": HelperSpec(direct=(_ANY,)),
    "group_by": HelperSpec(direct=(_ANY, _ITERABLE)),
    "grapheme_length": HelperSpec(modules=(modules.UNICODEDATA,)),
    "item_at": HelperSpec(direct=(_ANY, _SEQUENCE)),
    "json_or_text": HelperSpec(modules=(modules.JSON,), direct=(_ANY, (modules.TYPING, "Optional"))),
    "kept": HelperSpec(
        modules=(modules.JSON, modules.RE),
        direct=(_ANY, (modules.TYPING, "NoReturn"), (modules.COLLECTIONS_ABC, "Mapping"), (modules.DECIMAL, "Decimal")),
    ),
    "not_implemented": HelperSpec(direct=(_ANY,)),
    "number_text": HelperSpec(direct=((modules.DECIMAL, "Decimal"),)),
    "pairs": HelperSpec(direct=(_ANY,)),
    "plain_value": HelperSpec(direct=(_ANY, (modules.ENUM, "Enum"))),
    "require_value": HelperSpec(direct=(_ANY,)),
    "single_or_none": HelperSpec(direct=(_ANY, _SEQUENCE)),
    "to_json": HelperSpec(modules=(modules.JSON,), direct=(_ANY, (modules.DECIMAL, "Decimal"))),
    "to_bool": HelperSpec(direct=(_ANY,)),
    "to_number": HelperSpec(direct=(_ANY,)),
    "to_text": HelperSpec(direct=(_ANY, (modules.DECIMAL, "Decimal"))),
    "unique_keys": HelperSpec(direct=(_ANY,)),
    "try_": HelperSpec(direct=(_ANY, _CALLABLE, (modules.CONTEXTLIB, "suppress"))),
    "require_members": HelperSpec(direct=(_ANY,)),
    "whole_number": HelperSpec(direct=(_ANY,)),
    "wire_value": HelperSpec(direct=(_ANY, (modules.COLLECTIONS_ABC, "Mapping"))),
}
