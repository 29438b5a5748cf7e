"""The modules that generated programs import, and what they take from them.

Comes in: nothing.  Goes out: `Module` constants and functions that make `Imported` nodes.
"""

from __future__ import annotations

from pclgen.targets.python.tree import Call, Expr, Group, Imported, Module, call, index


def standard(path: str) -> Module:
    """A module of Python's standard library."""
    return Module(path=path, alias=path, group=Group.STANDARD)


BASE64 = standard("base64")
COLLECTIONS_ABC = standard("collections.abc")
DECIMAL = standard("decimal")
HASHLIB = standard("hashlib")
JSON = standard("json")
MATH = standard("math")
OS = standard("os")
PATHLIB = standard("pathlib")
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
    """`pulumi.Output.from_input(value)`: an output of what may be one already."""
    return call(pulumi("Output.from_input"), value)


def cast(annotation: Expr, value: Expr) -> Call:
    """`cast(annotation, value)`: for type checkers; nothing happens at run time."""
    return call(typing("cast"), annotation, value)


def any_type() -> Expr:
    """`Any`."""
    return typing("Any")
