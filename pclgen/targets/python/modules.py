"""The modules and names that generated programs import.

Modules are `Module` constants. Functions return `Imported` nodes.
"""

from __future__ import annotations

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
