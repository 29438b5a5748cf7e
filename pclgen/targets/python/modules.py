"""The modules and names that generated programs import, and the functions that pclgen adds to them.

Modules are `Module` constants. Functions return `Imported` nodes.

A function is added only where it is used, with the modules that it needs. A `tree.Helper` has its key; its body is a
template (`templates/python/helpers/<key>.py.jinja`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pclgen.targets.python.tree import (
    Attribute,
    Binary,
    Call,
    DictDisplay,
    Expr,
    Group,
    Imported,
    ListDisplay,
    Module,
    Subscript,
    Unary,
    call,
    index,
)

# -- modules and names ------------------------------------------------------------------------------------------------------

def standard(path: str) -> Module:
    """A module of Python's standard library."""
    return Module(path=path, alias=path, group=Group.STANDARD)


def own(path: str) -> Module:
    """A module beside the program."""
    return Module(path=path, alias=path, group=Group.LOCAL)


BASE64 = standard("base64")
COLLECTIONS_ABC = standard("collections.abc")
CONTEXTLIB = standard("contextlib")
DECIMAL = standard("decimal")
ENUM = standard("enum")
HASHLIB = standard("hashlib")
JSON = standard("json")
RE = standard("re")
MATH = standard("math")
OS = standard("os")
PATHLIB = standard("pathlib")
RE = standard("re")
SUBPROCESS = standard("subprocess")
TYPING = standard("typing")
UNICODEDATA = standard("unicodedata")
PULUMI = Module(path="pulumi", alias="pulumi", group=Group.THIRD_PARTY)


def pulumi(name: str) -> Imported:
    """`pulumi.name`."""
    return Imported(module=PULUMI, name=name)


def typing(name: str) -> Imported:
    """`name`, imported from `typing`."""
    return Imported(module=TYPING, name=name, direct=True)


def abstract(name: str) -> Imported:
    """`name`, imported from `collections.abc`."""
    return Imported(module=COLLECTIONS_ABC, name=name, direct=True)


def optional(annotation: Expr) -> Expr:
    """`Optional[annotation]`."""
    return index(typing("Optional"), annotation)


def output(annotation: Expr) -> Expr:
    """`pulumi.Output[annotation]`."""
    return index(pulumi("Output"), annotation)


def input_(annotation: Expr) -> Expr:
    """`pulumi.Input[annotation]`."""
    return index(pulumi("Input"), annotation)


def as_output(value: Expr) -> Call:
    """`pulumi.Output.from_input(value)`: an output of a value that may already be an output."""
    return call(pulumi("Output.from_input"), value)


def without_cast(value: Expr) -> tuple[Expr | None, Expr]:
    """The type and the value of `cast(type, value)`, for a place that declares the type itself or needs none."""
    match value:
        case Call(function=Imported(module=module, name="cast"), args=(type_, inner)) if module is TYPING:
            return type_.value, inner.value
        case _:
            return None, value


def as_condition(value: Expr) -> Expr:
    """`value` as a condition, without casts: None has a truth value, too."""
    match value:
        case Binary(operator="and" | "or"):
            return replace(value, left=as_condition(value.left), right=as_condition(value.right))
        case Unary(operator="not"):
            return replace(value, operand=as_condition(value.operand))
        case _:
            return without_cast(value)[1]


def for_any_place(value: Expr) -> Expr:
    """`value` for a place of type `Any`: neither it nor its elements need a cast."""
    match value:
        case ListDisplay():
            return replace(value, items=tuple(replace(item, value=for_any_place(item.value)) for item in value.items))
        case DictDisplay():
            entries = tuple(replace(entry, value=for_any_place(entry.value)) for entry in value.entries)
            return replace(value, entries=entries)
        case _:
            return without_cast(value)[1]


def cast(annotation: Expr, value: Expr) -> Call:
    """`cast(annotation, value)`: for type checkers; nothing happens at run time."""
    return call(typing("cast"), annotation, value)


def is_any(value: Expr) -> bool:
    """Return whether type checkers take `value` for `Any`: a cast to `Any`, or a step into such a cast."""
    while isinstance(value, Attribute | Subscript):
        value = value.value
    match without_cast(value)[0]:
        case Imported(module=module, name="Any"):
            return module is TYPING
        case _:
            return False


def any_type() -> Expr:
    """`Any`."""
    return typing("Any")


# -- helpers ----------------------------------------------------------------------------------------------------------------

class HelperSpec(Struct, frozen=True, kw_only=True):
    """The references in a helper's body: modules, and names imported from modules."""

    modules: tuple[Module, ...] = ()
    direct: tuple[tuple[Module, str], ...] = ()


_ANY = (TYPING, "Any")
_CALLABLE = (COLLECTIONS_ABC, "Callable")
_ITERABLE = (COLLECTIONS_ABC, "Iterable")
_SEQUENCE = (COLLECTIONS_ABC, "Sequence")

CHECKS = own("_checks")
"""The module beside the program that holds the helpers of `CHECKERS`."""

CHECKERS = frozenset({"checked", "kept"})
"""Helpers too long to stand above a program."""

BESIDE = own("_helpers")
"""The module beside the program that holds the other helpers when they are many."""

HELPERS: Mapping[str, HelperSpec] = {
    "can_": HelperSpec(direct=(_ANY, _CALLABLE, (CONTEXTLIB, "suppress"))),
    "checked": HelperSpec(
        modules=(RE,), direct=(_ANY, _SEQUENCE, (DECIMAL, "Decimal"))
    ),
    "element": HelperSpec(direct=(_ANY, _SEQUENCE)),
    "entry_of": HelperSpec(direct=(_ANY,)),
    "equal": HelperSpec(direct=(_ANY,)),
    "group_by": HelperSpec(direct=(_ANY, _ITERABLE)),
    "grapheme_length": HelperSpec(modules=(UNICODEDATA,)),
    "item_at": HelperSpec(direct=(_ANY, _SEQUENCE)),
    "json_or_text": HelperSpec(modules=(JSON,), direct=(_ANY, (TYPING, "Optional"))),
    "kept": HelperSpec(
        modules=(JSON, RE),
        direct=(_ANY, (TYPING, "NoReturn"), (COLLECTIONS_ABC, "Mapping"), (DECIMAL, "Decimal")),
    ),
    "not_implemented": HelperSpec(direct=(_ANY,)),
    "number_text": HelperSpec(direct=((DECIMAL, "Decimal"),)),
    "pairs": HelperSpec(direct=(_ANY,)),
    "plain_value": HelperSpec(direct=(_ANY, (ENUM, "Enum"))),
    "require_value": HelperSpec(direct=(_ANY,)),
    "single_or_none": HelperSpec(direct=(_ANY, _SEQUENCE)),
    "to_json": HelperSpec(modules=(JSON,), direct=(_ANY, (DECIMAL, "Decimal"))),
    "to_bool": HelperSpec(direct=(_ANY,)),
    "to_number": HelperSpec(direct=(_ANY,)),
    "to_text": HelperSpec(direct=(_ANY, (DECIMAL, "Decimal"))),
    "unique_keys": HelperSpec(direct=(_ANY,)),
    "try_": HelperSpec(direct=(_ANY, _CALLABLE, (CONTEXTLIB, "suppress"))),
    "require_members": HelperSpec(direct=(_ANY,)),
    "whole_number": HelperSpec(direct=(_ANY,)),
    "wire_value": HelperSpec(direct=(_ANY, (COLLECTIONS_ABC, "Mapping"))),
}
