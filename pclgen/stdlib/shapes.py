"""Shared parts of result rules: access to the shape of an argument.

An `Argument` has a type without option, constant and eventual, one alternative of a union at a time; `BadArgumentError`
names the function's requirement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pclgen.stdlib.model import Argument, BadArgumentError
from pclgen.types.convert import is_resource, members_of
from pclgen.types.model import (
    BOOL,
    DYNAMIC,
    ERROR,
    ID,
    INT,
    NONE,
    NUMBER,
    STRING,
    ConstType,
    EnumType,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    TupleType,
    Type,
    UnionType,
    resolve,
    without_none,
)
from pclgen.types.show import show, with_article
from pclgen.types.unify import element_type, member_type, unify

Rule: TypeAlias = Callable[[Type], Type | None]
"""The result for one alternative of an argument's type; None when the function does not take it."""


def plain(t: Type) -> Type:
    """Return the type of values of `t` at run time: no eventual, no option, no constant; enums by their base."""
    t = without_none(resolve(t))
    while isinstance(t, ConstType | EnumType):
        t = t.base
    return t


def each(argument: Argument, rule: Rule, needs: str) -> Type:
    """Apply `rule` to the alternatives of the type of a function's first argument, and unify; dynamic stays dynamic.

    Raises `BadArgumentError` with "needs …" when an alternative does not fit, and for an argument that is only ever null.
    """
    t = plain(argument.type)
    if t is DYNAMIC or t is ERROR:
        return t
    cases = t.members if isinstance(t, UnionType) else (t,)
    results = [rule(plain(case)) for case in cases]
    if None in results:
        misfit = cases[results.index(None)]
        in_some_cases = any(result is not None for result in results)
        raise BadArgumentError(0, f"expected {needs}, found {_found(t)}", _advice(misfit), in_some_cases=in_some_cases)
    return unify([result for result in results if result is not None])


def own(argument: Argument) -> Type:
    """Return the expected type of a generic argument: its own, but never null."""
    return without_none(argument.type) if argument.type is not NONE else argument.type


def sequence_element(t: Type) -> Type | None:
    """Return the element type of a list, set or tuple; dynamic for an empty tuple."""
    return element_type(t) if isinstance(t, ListType | TupleType) else None


def members(t: Type) -> Mapping[str, Type] | None:
    """Return the members of an object that is data; None for resources and everything else."""
    return None if is_resource(t) or not isinstance(t, ObjectType | NominalType) else members_of(t)


def map_element(t: Type) -> Type | None:
    """Return the type of any value of a map or object; dynamic for an empty object."""
    if isinstance(t, MapType):
        return t.element
    by_name = members(t)
    return None if by_name is None else resolve(member_type(by_name.values()))


def is_text(t: Type) -> bool:
    """Return whether values of a `plain` type are strings."""
    return t is STRING or t is ID


def is_integer(t: Type) -> bool:
    """Return whether every value of `t` is an integer by its type."""
    t = plain(t)
    if isinstance(t, UnionType):
        return all(is_integer(member) for member in t.members)
    return t is INT


def _found(t: Type) -> str:
    if t is NONE:
        return "null"
    return f"the resource {show(t)}" if is_resource(t) else with_article(t)


def _advice(t: Type) -> str | None:
    if is_resource(t):
        return "name one of its properties, as in `resource.property`"
    if t in (BOOL, INT, NUMBER):
        return 'put it into a template to make it text: "${…}"'
    return None
